"""How often a sample is nearest to the exemplar of its own class, among those of others (Boutin et al. 2022).

The published trials: all classes in turn, so many times; cut into chunks that hold no class twice; each chunk shuffled
and cut into episodes. With 150 classes, 20 ways and 500 times that makes 3750 episodes.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import stats

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.statistics.answers import Answers, Layout
from fairshot.statistics.comparison import Difference, judge_spread
from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse
from fairshot.statistics.intervals.classes import over_classes

WAY, TIMES = 20, 500

Labels = Int[np.ndarray, " sample"]
Distances = Float[np.ndarray, "sample class"]
"""From each sample to the exemplar of each class."""
Far = Float[np.ndarray, "episode way way"]
"""How far each sample of an episode is from each of its classes: a distance, or what a classifier says against it."""


@dataclass(frozen=True, eq=False)
class Trials:
    """Episodes: which classes meet, and which sample asks for each."""

    classes: Int[np.ndarray, "episode way"]
    samples: Int[np.ndarray, "episode way"]


@dataclass(frozen=True, eq=False)
class Recognition:
    """Which samples were recognised in the trials."""

    met: Int[np.ndarray, "episode way"]
    """Which classes met in each episode."""
    correct: Bool[np.ndarray, "episode way"]
    """Whether the sample that asked for each was recognised."""
    by_class: Float[np.ndarray, " class"]
    estimate: Estimate
    """The mean over classes, each with the same weight; over fresh classes, as asked for and as rivals."""

    @property
    def episodes(self) -> int:
        """How many episodes there were."""
        return len(self.met)


def draw_classes(classes: int, *, way: int = WAY, times: int = TIMES, seed: int = 0) -> Int[np.ndarray, "episode way"]:
    """Every class `times` times, never twice in an episode; what fills no episode at the very end is left out."""
    if not 2 <= way <= classes:
        raise FairshotError(
            f"{way} classes per episode cannot be drawn from {classes}: give samples of more classes, or way={classes}"
        )
    if times == 1 and classes % way:
        raise FairshotError(
            f"{classes} classes asked for once fill no whole episodes of {way}, and some would never be asked for: say "
            "times=2 or more"
        )
    chunk, total = classes // way * way, classes * times
    order = np.arange(total) % classes
    rows = []
    for number, start in enumerate(range(0, total, chunk)):
        classes_in_turn = order[start : start + chunk]
        count = len(classes_in_turn)
        shuffled = classes_in_turn[Stream(seed, "recognizability", number).permutations(np.array([count]))[0]]
        rows.append(shuffled[: count // way * way].reshape(-1, way))
    return np.concatenate(rows)


def draw_trials(
    labels: Labels,
    asking: Bool[np.ndarray, " sample"] | None = None,
    *,
    way: int = WAY,
    times: int = TIMES,
    seed: int = 0,
) -> Trials:
    """The published trials for samples with labels 0, 1, 2, ...; only those that may ask do, all by default."""
    rows = np.flatnonzero(np.ones(len(labels), dtype=bool) if asking is None else asking)
    rows = rows[np.argsort(labels[rows], kind="stable")]
    counts = np.bincount(labels[rows], minlength=int(labels.max()) + 1)
    if counts.min() < 1:
        raise FairshotError(f"class {counts.argmin()} has no sample to recognise: give one at least for each class")
    classes = draw_classes(len(counts), way=way, times=times, seed=seed)
    starts = np.cumsum(counts) - counts
    drawn = Stream(seed, "recognizability", "samples").integers(counts[classes], *classes.shape)
    return Trials(classes, rows[starts[classes] + drawn])


def distances_in_trials(distances: Distances, trials: Trials) -> Far:
    """The distances of each trial, where they do not depend on who else is in an episode."""
    return distances[trials.samples[:, :, None], trials.classes[:, None, :]]


def own_distances(far: Far) -> Float[np.ndarray, "episode way"]:
    """How far each sample is from its own class."""
    return np.diagonal(far, axis1=1, axis2=2)


def margins(far: Far) -> Float[np.ndarray, "episode way"]:
    """How much farther the nearest other class is than the own one; below 0 where that is taken for it."""
    others = np.where(np.eye(far.shape[1], dtype=bool), np.inf, far)
    return others.min(axis=2) - own_distances(far)


def mean_by_class(
    values: Float[np.ndarray, "episode way"], labels: Labels, trials: Trials
) -> Float[np.ndarray, " class"]:
    """The mean over the trials of each class, of one number a trial."""
    asked, classes = trials.classes.ravel(), int(labels.max()) + 1
    return np.bincount(asked, values.ravel(), classes) / np.bincount(asked, minlength=classes)


def recognise(far: Far, labels: Labels, trials: Trials, level: float = LEVEL) -> Recognition:
    """The share of right answers of each class, and their mean; what is as near to another class is not recognised.

    A rival as near as the own class would else be right or wrong by the order of classes.
    """
    correct = (far <= own_distances(far)[:, :, None]).sum(2) == 1  # only the own class
    by_class = mean_by_class(correct.astype(np.float64), labels, trials)
    return Recognition(trials.classes, correct, by_class, _estimated(correct, trials.classes, by_class, level))


def _estimated(
    correct: Bool[np.ndarray, "episode way"],
    met: Int[np.ndarray, "episode way"],
    by_class: Float[np.ndarray, " class"],
    level: float,
) -> Estimate:
    mean = float(by_class.mean())
    if correct.all() or not correct.any():
        return refuse(mean, "classes", "all answers are right, or none: nothing varies", level)
    spread = _spread(correct.astype(np.float64), met, mean)
    return refuse(mean, "classes", spread, level) if isinstance(spread, str) else spread.estimate(level)


def recognised_more(one: Recognition, other: Recognition, level: float = LEVEL) -> Difference:
    """How much more often one set is recognised than another, where the same classes met."""
    if not np.array_equal(one.met, other.met):
        raise FairshotError("two sets were asked for in different trials: draw both with the same classes and seed")
    gap = one.correct.astype(np.float64) - other.correct
    if not gap.any():
        return judge_spread("no answer differs", 0.0, "classes", level)
    mean = float((one.by_class - other.by_class).mean())
    return judge_spread(_spread(gap, one.met, mean), mean, "classes", level, units=len(gap))


def _spread(values: Float[np.ndarray, "episode way"], met: Int[np.ndarray, "episode way"], mean: float) -> Spread | str:
    """The spread of the mean over classes, if others met: a class counts as one image, as nobody asks about images.

    The mean over episodes is another one where the last classes fill no episode.
    """
    episodes, way = met.shape
    members, nobody = np.arange(episodes * way), np.zeros(0, dtype=np.int64)
    classes = np.arange(int(met.max()) + 1)
    layout = Layout(
        classes=classes,
        counts=np.ones_like(classes),
        parents=np.zeros_like(classes),
        image_ids=classes,
        groups=classes,
        units=classes,
    )
    spread = over_classes(
        Answers(
            layout=layout,
            episode=members // way,
            class_row=met.ravel(),
            support_member=nobody,
            support_image=nobody,
            query_member=members,
            query_image=met.ravel(),
            correct=values.ravel(),
        )
    )
    return spread if isinstance(spread, str) else replace(spread, value=mean)


def expected_accuracy(distances: Distances, labels: Labels, way: int = WAY) -> Float[np.ndarray, " sample"]:
    """How often each sample would be recognised among the exemplars of its own and of way - 1 other classes.

    Over all choices of the others: none of those as near as its own exemplar may be among them.
    """
    to_own_class = distances[np.arange(len(labels)), labels]
    nearer = (distances <= to_own_class[:, None]).sum(1) - 1
    return stats.hypergeom.pmf(0, distances.shape[1] - 1, nearer, way - 1)
