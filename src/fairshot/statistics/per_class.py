"""Which classes, and which pairs of classes, are hard: with intervals, and drawn back to the mean by their noise.

The lowest of many noisy numbers is low by bad luck too, so it looks worse than it is. The shrunken value is the usual
remedy (empirical Bayes; Efron and Morris, "Data analysis using Stein's estimator and its generalizations", JASA 70,
1975): each value is drawn to the mean by the share of the spread that is noise.

Queries of one class in one episode share a support set and companions, so they are not independent: a *meeting*, one
class in one episode, is what intervals count. They speak about more episodes of the same images.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import stats

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import LEVEL
from fairshot.tasks.episodes import PAD, Episodes

LEAST_MEETINGS = 5  # fewer of a pair of classes tell nothing about it
COVERED = 0.5  # of the pairs must have met as often, or those that did are a selection that says nothing of the others


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A share of the queries of a class, or of a pair of classes."""

    name: str
    value: float
    low: float | None
    high: float | None
    shrunken: float | None
    """What a careful reader would expect; None if nothing tells how noisy the values are."""
    meetings: int
    """Episodes that it is based on."""
    queries: int


@dataclass(frozen=True)
class Rates:
    """All classes or pairs, the lowest first."""

    rows: tuple[Rate, ...]
    deviation: float | None
    """How much they differ beyond their noise: the standard deviation of what more episodes would converge to."""
    noise: float | None
    """The share of the seen variance that is noise."""


@dataclass(frozen=True, eq=False)
class _Groups:
    """Shares of queries, each with the variance that its meetings give it."""

    value: Float[np.ndarray, " group"]
    variance: Float[np.ndarray, " group"]
    meetings: Int[np.ndarray, " group"]
    queries: Int[np.ndarray, " group"]


def class_rates(answers: Answers, names: Sequence[str]) -> Rates:
    """The accuracy of every class that was asked for; `names` are those of `answers.layout.classes`."""
    asked = answers.queries > 0
    hits = np.bincount(answers.query_member, answers.correct, len(answers.episode))[asked]
    rows, group = np.unique(answers.class_row[asked], return_inverse=True)
    return _rates(_grouped(group, answers.queries[asked], hits), [names[row] for row in rows])


def confused_pairs(
    episodes: Episodes, chosen: Int[np.ndarray, "episode query"], names: Sequence[str], *, most: int = 5
) -> tuple[Rate, ...]:
    """The pairs of classes most often taken for each other: shares of their queries where they met, worst first.

    None, where most pairs met too rarely, or where all may be alike (p = 0.05): the first would be chosen by chance.
    `chosen` are the labels that the learner chose; `names` are those of all class ids.
    """
    wrong, asked, ids = _meetings(episodes, chosen)
    keys, group = np.unique(ids[0] * len(names) + ids[1], return_inverse=True)
    often = np.bincount(group, minlength=len(keys)) >= LEAST_MEETINGS
    kept = often[group]
    if len(keys) == 0 or often.mean() < COVERED:
        return ()
    number = np.cumsum(often) - 1
    titles = [f"{names[key // len(names)]} / {names[key % len(names)]}" for key in keys[often]]
    groups = _grouped(number[group[kept]], asked[kept], wrong[kept])
    return tuple(row for row in _rates(groups, titles).rows[::-1][:most] if row.value > 0) if _differ(groups) else ()


def _meetings(
    episodes: Episodes, chosen: Int[np.ndarray, "episode query"]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every two classes of an episode: queries taken for the other, queries, and the two class ids."""
    way, labels = episodes.class_ids.shape[1], episodes.query_labels
    counted = (labels != PAD) & (labels < episodes.ways[:, None])
    row = np.nonzero(counted)[0]
    table = np.zeros((len(episodes), way, way), dtype=np.int32)
    np.add.at(table, (row, labels[counted], chosen[counted]), 1)
    first, second = np.triu_indices(way, 1)
    met = second < episodes.ways[:, None]
    wrong = (table[:, first, second] + table[:, second, first])[met]
    totals = table.sum(axis=2)
    asked = (totals[:, first] + totals[:, second])[met]
    ids = np.sort(np.stack([episodes.class_ids[:, first], episodes.class_ids[:, second]])[:, met], axis=0)
    some = asked > 0
    return wrong[some], asked[some], ids[:, some]


def _grouped(group: Int[np.ndarray, " m"], queries: Int[np.ndarray, " m"], hits: np.ndarray) -> _Groups:
    """Ratio of hits to queries in each group, its variance over the meetings (linearised, as of survey clusters)."""
    asked, meetings = np.bincount(group, queries), np.bincount(group)
    value = np.bincount(group, hits) / asked
    squares = np.bincount(group, (hits - queries * value[group]) ** 2)
    variance = meetings / np.maximum(meetings - 1, 1) * squares / asked**2
    return _Groups(value, variance, meetings, asked.astype(np.int64))


def _differ(groups: _Groups) -> bool:
    """Whether groups differ by more than the noise of their meetings: the F test of a one-way analysis of variance."""
    degrees = int((groups.meetings - 1).sum())
    noise = ((groups.meetings - 1) * groups.variance * groups.meetings).sum() / degrees
    mean = np.average(groups.value, weights=groups.meetings)
    between = (groups.meetings * (groups.value - mean) ** 2).sum()
    if len(groups.value) < 2 or noise == 0:
        return len(groups.value) == 1 or bool(between > 0)
    more = len(groups.value) - 1
    return bool(stats.f.sf(between / more / noise, more, degrees) < 1 - LEVEL)


def _rates(groups: _Groups, names: Sequence[str]) -> Rates:
    low, high, known = _intervals(groups)
    shrunken, deviation, noise = shrink(groups.value, groups.variance, groups.meetings)
    order = np.lexsort((groups.value, groups.value if shrunken is None else shrunken))
    rows = tuple(
        Rate(
            name=names[at],
            value=float(groups.value[at]),
            low=float(low[at]) if known[at] else None,
            high=float(high[at]) if known[at] else None,
            shrunken=None if shrunken is None else float(shrunken[at]),
            meetings=int(groups.meetings[at]),
            queries=int(groups.queries[at]),
        )
        for at in order
    )
    return Rates(rows, deviation, noise)


def _intervals(groups: _Groups) -> tuple[np.ndarray, np.ndarray, Bool[np.ndarray, " group"]]:
    """A t interval over the meetings; where all of them agree, the exact one that counts a meeting as one query."""
    degrees = np.maximum(groups.meetings - 1, 1)
    half = stats.t.ppf((1 + LEVEL) / 2, degrees) * np.sqrt(groups.variance)
    low, high = np.maximum(groups.value - half, 0), np.minimum(groups.value + half, 1)
    reach = 1 - ((1 - LEVEL) / 2) ** (1 / groups.meetings)
    agreed = groups.variance <= np.finfo(np.float64).eps
    low = np.where(agreed, np.maximum(groups.value - reach, 0), low)
    high = np.where(agreed, np.minimum(groups.value + reach, 1), high)
    return low, high, groups.meetings > 1


def shrink(
    value: Float[np.ndarray, " group"], variance: Float[np.ndarray, " group"], meetings: Int[np.ndarray, " group"]
) -> tuple[Float[np.ndarray, " group"] | None, float | None, float | None]:
    """Values drawn to their mean by the noise of each, the deviation left without noise, and the noise's share.

    The noise of one meeting is taken to be the same in all groups, since that of a single group is too uncertain.
    """
    degrees = meetings - 1
    if len(value) < 2 or not degrees.sum():
        return None, None, None
    noise = (degrees * variance * meetings).sum() / degrees.sum() / meetings
    seen = value.var(ddof=1)
    true = max(seen - noise.mean(), 0.0)
    share = 1.0 if seen == 0 else min(float(noise.mean() / seen), 1.0)
    if true == 0:
        mean = np.average(value, weights=meetings)
        return np.full(len(value), mean), 0.0, share
    mean = np.average(value, weights=1 / (true + noise))
    return mean + true / (true + noise) * (value - mean), float(np.sqrt(true)), share
