"""The verb `diagnose`: beside the mean, where and why a learner fails."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from fairshot.evaluation.diagnosis import (
    Calibration,
    Diagnoses,
    Diagnosis,
    EpisodeScores,
    Question,
    SupportRange,
    Times,
)
from fairshot.evaluation.scorer import Scorer, one_thread
from fairshot.evaluation.support_search import draw_pools, search_supports
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.seen import warnings_of
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.brier import Brier
from fairshot.metrics.ece import Ece, binned_gap
from fairshot.results.schema import SourceName
from fairshot.runtime.backends.backend import Progress, ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.specs.data import as_part
from fairshot.specs.learners import as_learners
from fairshot.specs.tasks import Shape, Tasks, as_tasks
from fairshot.statistics.answers import drawable_layout, tabulate
from fairshot.statistics.geometry import Geometry, geometry_of
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.per_class import LEAST_MEETINGS, Rate, Rates, class_rates, confused_pairs
from fairshot.statistics.reliability import pooled_error, reliability
from fairshot.statistics.scores import Scores, join_scores
from fairshot.statistics.tails import tails_of
from fairshot.tasks.episodes import PAD, Episodes, join
from fairshot.tasks.task import BLOCK, TaskDistribution, require_queries

PORTION = 64  # episodes between two reports of progress
SLOW_PORTION = 8  # of learners that take one task at a time
SEARCHED = 20  # episodes whose support sets are searched
MOST_IMAGES = 5_000  # whose distances to each other are looked at
MOST_WORK = 1e11  # multiplications for these distances; longer vectors get fewer images
LEAST_OF_CLASS = 20  # images of a class that are kept together rather than more classes
SIMULATED = 200_000  # answers of a calibrated learner, to tell bias from error


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much is asked of a learner."""

    episodes: int = 1000
    searched: int = SEARCHED
    """Episodes for which better and worse support sets are searched."""
    seed: int = 0
    allow_seen: bool = False
    """Whether a learner may be asked about images that it was trained on."""

    def __post_init__(self) -> None:
        counts = (self.episodes, 1, "episodes were"), (self.searched, 0, "episodes with searched support were")
        for asked, least, what in counts:
            if asked < least:
                raise FairshotError(f"{asked} {what} asked for: ask for at least {least}")


def diagnose(  # noqa: PLR0913 all but the first three are keywords with defaults
    data: Any,
    learner: Any = "prototypes",
    task: TaskDistribution | str = "uniform",
    *,
    name: str | None = None,
    way: int = 5,
    shot: int = 1,
    query: int = 15,
    disjoint: str | None = None,
    skip_small: bool = False,
    dirichlet: float | None = None,
    unknown: int = 0,
    episodes: int = 1000,
    searched: int = SEARCHED,
    seed: int = 0,
    split: str | None = None,
    part: str | None = None,
    recipe: str | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Diagnosis:
    """Where and why one learner fails on the episodes that `evaluate` would give it.

    `data` is a name such as "omniglot/lake/novel", a Source, a Split or arrays (X, y); `learner` and `task` are objects
    or specs too, and a task that is named gets `way`, `shot` and `query`. For the first `searched` episodes, better and
    worse support sets are searched.
    """
    return diagnose_all(
        data,
        learner if name is None else {name: learner},
        task,
        shape=Shape(
            way=way,
            shot=shot,
            query=query,
            disjoint=disjoint,
            skip_small=skip_small,
            dirichlet=dirichlet,
            unknown=unknown,
        ),
        effort=Effort(episodes=episodes, searched=searched, seed=seed, allow_seen=allow_seen),
        split=split,
        part=part,
        recipe=recipe,
        groups=groups,
        skip_bad=skip_bad,
        progress=progress,
    )[0]


def diagnose_all(  # noqa: PLR0913 all but the first three are keywords with defaults
    data: Any,
    learners: Any,
    tasks: Tasks | None = None,
    *,
    shape: Shape | None = None,
    effort: Effort | None = None,
    split: str | None = None,
    part: str | None = None,
    recipe: str | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Diagnoses:
    """Every learner on every task, one after the other."""
    named = as_learners(learners)
    source, _ = as_part(
        data, split=split, part=part, recipe=recipe, groups=groups, skip_bad=skip_bad, learners=list(named.values())
    )
    effort = effort or Effort()
    rows = [
        _diagnose(source, name, learner, task, effort=effort, progress=progress)
        for name, learner in named.items()
        for task in as_tasks(source, tasks, shape)
    ]
    return Diagnoses(rows=tuple(rows))


def _diagnose(
    part: Source, name: str, learner: Classifier, task: TaskDistribution, *, effort: Effort, progress: Progress
) -> Diagnosis:
    require_queries(task, "a diagnosis")
    warnings = warnings_of(name, learner, part, allow=effort.allow_seen)
    seed = effort.seed
    _refuse_unable(name, learner, task, part, seed)
    count = min(effort.episodes, task.length(part) or effort.episodes)
    scorer, clock = Scorer(Features(part, learner), learner, Accuracy()), _Clock()
    report = _named(progress, name, task)
    watched = _watch(scorer, task, range(count), seed=seed, clock=clock, progress=report)
    geometry = _geometry(scorer.features, seed, clock)
    apart, first = getattr(task, "disjoint", None), watched.episodes[: effort.searched]
    support = _support(scorer, first, apart, seed=seed, clock=clock, progress=report)
    classes = _classes(part, task, watched)
    confused = confused_pairs(watched.episodes, watched.chosen, part.class_names)
    return Diagnosis(
        question=Question(
            learner=name,
            settings=dict(learner.settings),
            task=task.label,
            source=_source_name(part),
            episodes=count,
            episodes_key=task.key(part, seed),
            seed=seed,
            fixed=not task.seeded,
        ),
        scores=_scores(watched),
        classes=classes,
        confused=confused,
        support=support,
        calibration=_calibration(watched, seed),
        geometry=geometry,
        times=clock.times(count),
        notes=(*part.notes, *warnings, *_notes(watched, classes, confused)),
    )


def _refuse_unable(name: str, learner: Classifier, task: TaskDistribution, part: Source, seed: int) -> None:
    for way in np.unique(task.sample(part, range(1), seed).ways).tolist():
        reason = learner.unable(way)
        if reason:
            raise FairshotError(f"{name} cannot serve {task.label}: {reason}")


def _scores(watched: "_Watched") -> EpisodeScores:
    values = watched.scores.values
    estimate = over_episodes(values)
    return EpisodeScores(value=estimate.value, intervals={"episodes": estimate.interval}, tails=tails_of(values))


def _named(progress: Progress, name: str, task: TaskDistribution) -> Progress:
    def report(what: str, done: int, whole: int, mean: float) -> None:
        progress(", ".join(filter(None, [name, task.label, what])), done, whole, mean)

    return report


class _Clock:
    """Seconds spent on embedding images and on scorer episodes."""

    def __init__(self) -> None:
        self.image, self.answer, self.images = 0.0, 0.0, 0

    def times(self, episodes: int) -> Times:
        """What an image and an episode took on average."""
        return Times(
            image_seconds=self.image / max(self.images, 1), images=self.images, episode_seconds=self.answer / episodes
        )

    @contextmanager
    def embedding(self, features: Features) -> Iterator[None]:
        started, before = time.perf_counter(), features.embedded
        yield
        if features.embedded > before:
            self.image += time.perf_counter() - started
            self.images += features.embedded - before


@dataclass(frozen=True, eq=False)
class _Watched:
    """Episodes, what the learner answered, and how sure it was of each answer."""

    episodes: Episodes
    scores: Scores
    chosen: Int[np.ndarray, "episode query"]
    sure: Float[np.ndarray, "episode query"]
    ece: Float[np.ndarray, " episode"]
    brier: Float[np.ndarray, " episode"]


def _watch(
    scorer: Scorer, task: TaskDistribution, episodes: range, *, seed: int, clock: _Clock, progress: Progress
) -> _Watched:
    """Block by block, as `evaluate` does it: padding is that of the block. Slow learners are spread over processes."""
    features, slow = scorer.features, not scorer.learner.threads
    starts = range(0, episodes.stop, BLOCK)
    blocks = [task.sample(features.source, range(at, min(at + BLOCK, episodes.stop)), seed) for at in starts]
    for block in blocks:
        with clock.embedding(features):
            features.require(block)
    sizes = [SLOW_PORTION if slow else min(PORTION, scorer.step(block)) for block in blocks]
    portions = [
        block[at : at + size] for block, size in zip(blocks, sizes, strict=True) for at in range(0, len(block), size)
    ]
    parts, done, right = list[_Watched](), 0, 0.0
    for part, seconds in ordered_map(
        _Watch(scorer), portions, count=len(portions), backend="auto" if slow else "serial"
    ):
        parts.append(part)
        clock.answer += seconds
        done, right = done + len(part.episodes), right + float(part.scores.values.sum())
        progress("", done, episodes.stop, right / done)
    return _joined(parts)


@dataclass(frozen=True)
class _Watch:
    """Some episodes in; what the learner answered, and the seconds it took, out."""

    scorer: Scorer

    def __call__(self, episodes: Episodes) -> tuple[_Watched, float]:
        with one_thread():
            started = time.perf_counter()
            judged = self.scorer.judge(episodes)
            seconds = time.perf_counter() - started
        scores = Scores(Accuracy().score(judged), judged.correct, judged.known)  # raises on NaN, before anything else
        chosen = np.where(judged.known, judged.present.argmax(2).numpy(), PAD)
        sure = np.where(judged.known, judged.probabilities.max(axis=2), 0.0)
        return _Watched(episodes, scores, chosen, sure, Ece().score(judged), Brier().score(judged)), seconds


def _joined(parts: list[_Watched]) -> _Watched:
    episodes = join([part.episodes for part in parts])
    width = episodes.query_ids.shape[1]
    chosen, sure = (
        np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=fill) for table in tables])
        for tables, fill in (([part.chosen for part in parts], PAD), ([part.sure for part in parts], 0.0))
    )
    scores = join_scores([part.scores for part in parts])
    ece, brier = (np.concatenate(values) for values in zip(*((part.ece, part.brier) for part in parts), strict=True))
    return _Watched(episodes, scores, chosen, sure, ece, brier)


def _classes(part: Source, task: TaskDistribution, watched: _Watched) -> Rates:
    layout = drawable_layout(task, part)
    return class_rates(
        tabulate(layout, watched.episodes, watched.scores), [part.class_names[row] for row in layout.classes]
    )


def _support(
    scorer: Scorer, episodes: Episodes, apart: str | None, *, seed: int, clock: _Clock, progress: Progress
) -> SupportRange | None:
    if not len(episodes):
        return None
    pools = draw_pools(scorer.features.source, episodes, seed=seed, apart=apart)
    with clock.embedding(scorer.features):
        scorer.features.require_images(np.unique(pools[pools != PAD]))
    found = search_supports(scorer, episodes, pools, progress=progress)
    tried = (pools[:, :, 1:] != PAD).sum() / (episodes.support_ids != PAD).sum()
    worst, drawn, best = found.accuracy.mean(axis=0).tolist()
    return SupportRange(episodes=len(episodes), candidates=float(tried), worst=worst, drawn=drawn, best=best)


def _calibration(watched: _Watched, seed: int) -> Calibration:
    sure, known = watched.sure, watched.scores.asked
    table = reliability(sure[known], watched.scores.correct[known])
    stream, twins = Stream(seed, "calibrated"), []
    for _ in range(max(1, min(20, SIMULATED // int(known.sum())))):
        right = stream.uniform(*sure.shape) < sure
        twins.append((binned_gap(sure, right, known).mean(), pooled_error(reliability(sure[known], right[known]))))
    alone, pooled = np.mean(twins, axis=0).tolist()
    return Calibration(
        ece=float(watched.ece.mean()),
        ece_of_calibrated=alone,
        brier=float(watched.brier.mean()),
        pooled_ece=pooled_error(table),
        pooled_ece_of_calibrated=pooled,
        table=table,
    )


def _geometry(features: Features, seed: int, clock: _Clock) -> Geometry:
    affordable = max(int(np.sqrt(MOST_WORK / features.width)), LEAST_OF_CLASS)
    image_ids = choose_images(features.source, min(MOST_IMAGES, affordable), seed)
    with clock.embedding(features):
        vectors = features.vectors(image_ids)
    return geometry_of(vectors, features.source.class_ids[features.source.rows(image_ids)])


def choose_images(part: Source, most: int, seed: int) -> Int[np.ndarray, " image"]:
    """At most so many images in random order: all, or some of each class, or, of many classes, some classes."""
    stream = Stream(seed, "some images")
    order = stream.permutations(np.array([len(part)]))[0]
    if len(part) <= most:
        return part.image_ids[order]
    counts = part.members.counts
    cap = min(most, max(LEAST_OF_CLASS, most // len(counts)))
    classes = np.searchsorted(part.classes, part.class_ids[order])
    sizes = np.minimum(counts, cap)
    turn = stream.permutations(np.array([len(counts)]))[0]
    kept = np.zeros(len(counts), dtype=bool)
    kept[turn[np.cumsum(sizes[turn]) <= most]] = True
    rank = np.empty(len(order), dtype=np.int64)  # how many images of its class come before an image
    by_class = np.argsort(classes, kind="stable")
    rank[by_class] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    return part.image_ids[order[kept[classes] & (rank < cap)]]


def _notes(watched: _Watched, classes: Rates, confused: tuple[Rate, ...]) -> list[str]:
    notes = []
    if np.ptp(watched.sure[watched.scores.asked]) < 1e-9:
        notes.append("the learner is equally sure of every answer, so its calibration means nothing")
    if classes.noise is None:
        notes.append("no class was asked for in two episodes, so how noisy the classes are is unknown")
    if not confused:
        few = f"most of them met in fewer than {LEAST_MEETINGS} episodes, or they do not differ beyond noise"
        notes.append(f"pairs of classes that are taken for each other are not shown: {few}")
    return notes


def _source_name(part: Source) -> SourceName:
    return SourceName(
        name=part.name,
        fingerprint=part.fingerprint,
        recipe=part.recipe.name,
        classes=len(part.classes),
        images=len(part),
    )
