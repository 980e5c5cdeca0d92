"""How many shots? The score against the number of shots, and what another shot would buy.

With another number of shots, the same seed gives the same classes and queries, and a larger support that contains the
smaller one. So the gain is a difference on the same queries, and what classes and queries have in common falls out of
it. An episode of the larger support settles both answers: the difference is a score of that episode like any other, and
the usual estimators hold for it, over classes and over images too. They ask what happens when an image is in no
episode, and need not know which support images the smaller episode has.

What is left is so little that its variance may drown in the noise of few episodes. A score then gets no interval; a
gain gets a wide one, from the upper end of what the variance may be, and is still far better known than either score.

Where episodes are not nested (groups kept apart, unbalanced queries, a closed list), the two scores' own intervals are
added as if they were independent (Newcombe 1998, method 10). Scores of the same classes rise and fall together, so this
is too wide rather than too narrow.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy import optimize

from fairshot.results.schema import Row, ShotCurve, ShotGain, ShotPoint
from fairshot.sources.source import Source
from fairshot.statistics.answers import drawable_layout, tabulate
from fairshot.statistics.estimate import Estimate, Spread
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.populations import MOST, spread_all
from fairshot.statistics.scores import Scores
from fairshot.statistics.sequential import at_any_time, inflation
from fairshot.tables.words import points, rounded_points, signed_points
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.task import TaskDistribution

LEAST_SHOTS = 3  # a curve of two points is a straight line, and could not be prolonged
POPULATIONS = {
    "classes": "new classes",
    "images": "new images",
    "values": "new values",
    "episodes": "more episodes of the same images",
}  # the first that there is an interval for is spoken of
STEEPNESS = np.geomspace(0.02, 4, 200)  # exponents that are tried; errors of real learners fall with 0.1 to 2

UPPER_END = 2.0  # standard deviations of a variance above its estimate

SMALLEST_RATE = 0.0005  # of a share for each shot; less would be printed as nothing
FINEST = 2  # digits of a point; an interval that is apart from 0 by less than they show is not called clear

Interval = tuple[float, float]
Claim = Literal["gain", "loss", "unclear", "unknown"]


@dataclass(frozen=True, eq=False)
class Answered:
    """A row of a result, with what it was made from."""

    row: Row
    task: TaskDistribution
    scores: Scores


@dataclass(frozen=True)
class PowerLaw:
    """error(shot) = floor + scale * shot ** -steepness, none of them below 0."""

    floor: float
    scale: float
    steepness: float

    def error(self, shot: int) -> float:
        """The error that is left with so many shots."""
        return self.floor + self.scale * float(shot) ** -self.steepness

    def next_gain(self, shot: int) -> float:
        """What one more shot takes off the error."""
        return self.error(shot) - self.error(shot + 1)


def shot_families(tasks: Sequence[TaskDistribution]) -> dict[str, list[int]]:
    """The different shots, in order, of every family of tasks that have a number of shots."""
    found: dict[str, set[int]] = {}
    for task in tasks:
        if hasattr(task, "shot"):
            found.setdefault(task.family, set()).add(task.shot)
    return {family: sorted(shots) for family, shots in found.items()}


def shot_curves(part: Source, answered: Sequence[Answered], *, seed: int, higher_is_better: bool) -> list[ShotCurve]:
    """A curve of one learner for each family of tasks with enough numbers of shots."""
    curves = []
    for family, shots in shot_families([each.task for each in answered]).items():
        if len(shots) >= LEAST_SHOTS:
            by_shot = {each.row.shot: each for each in answered if each.row.family == family}
            own = [by_shot[shot] for shot in shots]
            gains = [shot_gain(part, *pair, seed=seed) for pair in pairwise(own)]
            curves.append(make_curve([each.row for each in own], gains, higher_is_better=higher_is_better))
    return curves


def make_curve(rows: Sequence[Row], gains: Sequence[ShotGain], *, higher_is_better: bool = True) -> ShotCurve:
    """Points, gains, what one more shot would buy, and the sentence about it; rows by rising shot."""
    points = [ShotPoint(shot=row.shot or 0, value=row.number, intervals=row.intervals) for row in rows]
    errors = [1 - point.value if higher_is_better else point.value for point in points]
    first_value, last_value = points[0].value, points[-1].value  # not the errors, which rounding makes equal
    worse = last_value < first_value if higher_is_better else last_value > first_value
    falls = worse or any(claim_of(gain, higher_is_better=higher_is_better) == "loss" for gain in gains)
    law = None if falls else fit_power_law([point.shot for point in points], errors)
    first = rows[0]
    curve = ShotCurve(
        learner=first.learner,
        family=first.family,
        metric=first.metric,
        higher_is_better=higher_is_better,
        points=points,
        gains=list(gains),
        next_gain=None if law is None else law.next_gain(points[-1].shot),
    )
    return curve.model_copy(update={"sentence": sentence(curve)})


def shot_gain(part: Source, fewer: Answered, more: Answered, *, seed: int) -> ShotGain:
    """The change of the score, from differences on the same queries as far as possible."""
    assert fewer.row.shot is not None
    assert more.row.shot is not None
    apart = {
        name: added(fewer.row.number, interval, more.row.number, more.row.intervals.get(name))
        for name, interval in fewer.row.intervals.items()
    }
    paired = {each.population: each for each in _paired(part, fewer, more, seed) if each.population in apart}
    return ShotGain(
        fewer=fewer.row.shot,
        more=more.row.shot,
        value=paired["episodes"].value if paired else more.row.number - fewer.row.number,
        intervals=apart | {name: estimate.interval for name, estimate in paired.items()},
        paired=list(paired),
    )


def added(fewer: float, first: Interval | None, more: float, second: Interval | None) -> Interval | None:
    """The interval of a difference from the intervals of two scores that are taken to be independent."""
    if first is None or second is None:
        return None
    low = np.hypot(more - second[0], first[1] - fewer)
    high = np.hypot(second[1] - more, fewer - first[0])
    return float(more - fewer - low), float(more - fewer + high)


def nested(fewer: Episodes, more: Episodes) -> bool:
    """Whether the two lists have the same classes and the same queries in the same places."""
    return np.array_equal(fewer.class_ids, more.class_ids) and np.array_equal(fewer.query_ids, more.query_ids)


def _paired(part: Source, fewer: Answered, more: Answered, seed: int) -> list[Estimate]:
    """For each population the paired difference over the episodes that both have, where there is an interval."""
    count = min(len(fewer.scores), len(more.scores))
    if not more.task.seeded or more.task.closed or count < 2:
        return []
    few = range(min(count, MOST))
    sampled = more.task.sample(part, few, seed)
    if not nested(fewer.task.sample(part, few, seed), sampled):
        return []
    answers = tabulate(
        drawable_layout(more.task, part),
        sampled,
        more.scores[: few.stop],
        minus=fewer.scores[: few.stop],
        per_query=more.row.per_query and fewer.row.per_query,
    )  # the variance of an error's difference is that of the correctness, whatever the sign
    differences = more.scores.values[:count] - fewer.scores.values[:count]
    sequential = more.row.sequential or fewer.row.sequential
    counted = inflation(differences) if sequential else 1.0
    spreads = spread_all(answers, differences, inflation=counted).values()
    estimates = [careful(spread) for spread in spreads if isinstance(spread, Spread)]
    usual = at_any_time(differences, difference=True) if sequential else over_episodes(differences, difference=True)
    return [usual, *(each for each in estimates if each.interval is not None)]


def careful(spread: Spread) -> Estimate:
    """The estimate of a difference; where its variance is guesswork, from the upper end of what that may be."""
    estimate = spread.estimate(difference=True)
    if estimate.interval is not None:
        return estimate
    upper = max(spread.variance, 0.0) + UPPER_END * spread.noise
    return replace(spread, variance=upper, noise=0.0).estimate(difference=True)


def fit_power_law(shots: Sequence[int], errors: Sequence[float]) -> PowerLaw | None:
    """The law of least squares, found over the steepness alone: floor and scale follow from it. None for few shots."""
    if len(set(shots)) < LEAST_SHOTS:
        return None
    x, y = np.asarray(shots, dtype=np.float64), np.asarray(errors, dtype=np.float64)

    def solved(steepness: float) -> tuple[np.ndarray, float]:
        return optimize.nnls(np.stack([np.ones_like(x), x**-steepness], axis=1), np.maximum(y, 0))

    best = int(np.argmin([solved(steepness)[1] for steepness in STEEPNESS]))
    around = STEEPNESS[max(best - 1, 0)], STEEPNESS[min(best + 1, len(STEEPNESS) - 1)]
    steepness = float(
        optimize.minimize_scalar(lambda c: solved(c)[1], bounds=around, method="bounded", options={"xatol": 1e-9}).x
    )
    (floor, scale), _ = solved(steepness)
    return PowerLaw(float(floor), float(scale), steepness)


def sentence(curve: ShotCurve) -> str:
    """What more shots do: the last clear gain, every clear loss, what is known of the last step, and a look ahead."""
    claims = [claim_of(gain, higher_is_better=curve.higher_is_better) for gain in curve.gains]
    gained = [gain for gain, claim in zip(curve.gains, claims, strict=True) if claim == "gain"]
    lost = [gain for gain, claim in zip(curve.gains, claims, strict=True) if claim == "loss"]
    unit, last = "points" if curve.metric == "accuracy" else f"points of {curve.metric}", curve.gains[-1]
    parts = [_told(gained[-1], unit)] if gained else [f"no step brings a clear {'gain' if lost else 'change'}"]
    parts += [f"a clear loss {_told(gain, unit, colon=':')}" for gain in lost]
    step = f"from {last.fewer} to {last.more} shots"
    if claims[-1] == "unclear":
        parts.append(f"{step} no clear change: {_range(last, unit)}")
    elif claims[-1] == "unknown":
        parts.append(
            f"{step} {signed_points(last.value)} {unit}, and without an interval it cannot be told if that holds"
        )
    return f"{curve.learner}: {'; '.join([*parts, *_outlook(curve, last.more, lost=bool(lost))])}."


def _outlook(curve: ShotCurve, most: int, *, lost: bool) -> list[str]:
    """What one shot more would buy, or why that is not told; nothing where shots are too few for either."""
    if curve.next_gain is not None:
        bought = points(curve.next_gain)
        much = "next to nothing" if bought == "0.0" else f"about {bought}"
        return [f"one shot more than {most} would buy {much} (extrapolated)"]
    if len(curve.points) < LEAST_SHOTS:
        return []
    why = "with a clear loss" if lost else f"that is worse at {most} shots than at {curve.points[0].shot}"
    return [f"a curve {why} is not extrapolated"]


def widest_claim(gain: ShotGain) -> tuple[str, Interval] | None:
    """The first population that there is an interval for, in words."""
    found = ((words, gain.intervals.get(name)) for name, words in POPULATIONS.items())
    return next(((words, interval) for words, interval in found if interval is not None), None)


def claim_of(gain: ShotGain, *, higher_is_better: bool) -> Claim:
    """What can be said of a step: its interval lies on one side of 0, by what would be printed, or it does not."""
    found = widest_claim(gain)
    if found is None:
        return "unknown"
    low, high = (rounded_points(end, FINEST) for end in found[1])
    if low <= 0 <= high:
        return "unclear"
    return "gain" if (low > 0) == higher_is_better else "loss"


def _told(gain: ShotGain, unit: str, colon: str = "") -> str:
    """A clear step: how much, between what and what, for whom, and how much of it falls to a shot."""
    found = widest_claim(gain)
    assert found is not None
    words, ends = found
    per_shot, digits = gain.value / (gain.more - gain.fewer), _digits(ends)
    rate = "less than 0.1" if abs(per_shot) < SMALLEST_RATE else points(per_shot)
    low, high = (points(end, digits) for end in ends)
    return (
        f"from {gain.fewer} to {gain.more} shots{colon} {signed_points(gain.value, digits)} {unit} [{low}, {high}] for "
        f"{words}, {rate} a shot"
    )


def _range(gain: ShotGain, unit: str) -> str:
    found = widest_claim(gain)
    assert found is not None
    words, (low, high) = found
    return f"{signed_points(low)} to {signed_points(high)} {unit} for {words}"


def _digits(ends: Interval) -> int:
    """As few as show that no end of a clear interval is 0."""
    return next((few for few in range(1, FINEST) if all(rounded_points(end, few) for end in ends)), FINEST)
