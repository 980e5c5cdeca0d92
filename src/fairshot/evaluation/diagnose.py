"""The verb `diagnose`: beside the mean, where and why a learner fails."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.evaluation.diagnosis import Calibration, Diagnosis, SupportRange, Times
from fairshot.evaluation.scorer import Scorer, one_thread
from fairshot.evaluation.support_search import draw_pools, search_supports
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.seen import warnings_of
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.brier import Brier
from fairshot.metrics.ece import Ece, binned_gap
from fairshot.runtime.backends.backend import Progress, ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
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


def _refuse_unable(name: str, learner: Classifier, task: TaskDistribution, part: Source, seed: int) -> None:
    for way in np.unique(task.sample(part, range(1), seed).ways).tolist():
        reason = learner.unable(way)
        if reason:
            raise FairshotError(f"{name} cannot serve {task.label}: {reason}")


def diagnose(
    part: Source,
    learner: Classifier,
    task: TaskDistribution,
    *,
    name: str | None = None,
    episodes: int = 1000,
    seed: int = 0,
    searched: int = SEARCHED,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Diagnosis:
    """One learner on the episodes that `evaluate` would give it; the first `searched` get other support sets too."""
    for asked, least, what in ((episodes, 1, "episodes were"), (searched, 0, "episodes with searched support were")):
        if asked < least:
            raise FairshotError(f"{asked} {what} asked for: ask for at least {least}")
    require_queries(task, "a diagnosis")
    task = task.settle(part)
    name = name or type(learner).__name__.lower()
    warned = warnings_of(name, learner, part, allow=allow_seen)
    _refuse_unable(name, learner, task, part, seed)
    count = min(episodes, task.length(part) or episodes)
    answering, clock = Scorer(Features(part, learner), learner, Accuracy()), _Clock()
    report = _named(progress, name, task)
    watched = _watch(answering, task, range(count), seed=seed, clock=clock, progress=report)
    geometry = _geometry(answering.features, seed, clock)
    apart, first = getattr(task, "disjoint", None), watched.episodes[:searched]
    support = _support(answering, first, apart, seed=seed, clock=clock, progress=report)
    classes, confused = (
        _classes(part, task, watched),
        confused_pairs(watched.episodes, watched.chosen, part.class_names),
    )
    usual = over_episodes(watched.scores.values)
    return Diagnosis(
        name,
        task.label,
        part.name,
        count,
        task.key(part, seed),
        usual.value,
        {"episodes": usual.interval},
        tails_of(watched.scores.values),
        classes,
        confused,
        support,
        _calibration(watched, seed),
        geometry,
        Times(clock.image / max(clock.images, 1), clock.images, clock.answer / count),
        settings=dict(learner.settings),
        notes=(*part.notes, *warned, *_notes(watched, classes, confused)),
        fixed=not task.seeded,
    )


def _named(progress: Progress, name: str, task: TaskDistribution) -> Progress:
    def report(what: str, done: int, whole: int, mean: float) -> None:
        progress(", ".join(filter(None, [name, task.label, what])), done, whole, mean)

    return report


class _Clock:
    """Seconds spent on embedding images and on answering episodes."""

    def __init__(self) -> None:
        self.image, self.answer, self.images = 0.0, 0.0, 0

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
    answering: Scorer, task: TaskDistribution, episodes: range, *, seed: int, clock: _Clock, progress: Progress
) -> _Watched:
    """Block by block, as `evaluate` does it: padding is that of the block. Slow learners are spread over processes."""
    features, slow = answering.features, not answering.learner.threads
    starts = range(0, episodes.stop, BLOCK)
    blocks = [task.sample(features.source, range(at, min(at + BLOCK, episodes.stop)), seed) for at in starts]
    for block in blocks:
        with clock.embedding(features):
            features.require(block)
    sizes = [SLOW_PORTION if slow else min(PORTION, answering.step(block)) for block in blocks]
    portions = [
        block[at : at + size] for block, size in zip(blocks, sizes, strict=True) for at in range(0, len(block), size)
    ]
    parts, done, right = list[_Watched](), 0, 0.0
    for part, seconds in ordered_map(
        _Watch(answering), portions, count=len(portions), backend="auto" if slow else "serial"
    ):
        parts.append(part)
        clock.answer += seconds
        done, right = done + len(part.episodes), right + float(part.scores.values.sum())
        progress("", done, episodes.stop, right / done)
    return _joined(parts)


@dataclass(frozen=True)
class _Watch:
    """Some episodes in; what the learner answered, and the seconds it took, out."""

    answering: Scorer

    def __call__(self, episodes: Episodes) -> tuple[_Watched, float]:
        with one_thread():
            started = time.perf_counter()
            judged = self.answering.judge(episodes)
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
    answering: Scorer, episodes: Episodes, apart: str | None, *, seed: int, clock: _Clock, progress: Progress
) -> SupportRange | None:
    if not len(episodes):
        return None
    pools = draw_pools(answering.features.source, episodes, seed=seed, apart=apart)
    with clock.embedding(answering.features):
        answering.features.require_images(np.unique(pools[pools != PAD]))
    found = search_supports(answering, episodes, pools, progress=progress)
    tried = (pools[:, :, 1:] != PAD).sum() / (episodes.support_ids != PAD).sum()
    return SupportRange(len(episodes), float(tried), *found.accuracy.mean(axis=0).tolist())


def _calibration(watched: _Watched, seed: int) -> Calibration:
    sure, known = watched.sure, watched.scores.asked
    table = reliability(sure[known], watched.scores.correct[known])
    stream, twins = Stream(seed, "calibrated"), []
    for _ in range(max(1, min(20, SIMULATED // int(known.sum())))):
        right = stream.uniform(*sure.shape) < sure
        twins.append((binned_gap(sure, right, known).mean(), pooled_error(reliability(sure[known], right[known]))))
    alone, pooled = np.mean(twins, axis=0).tolist()
    return Calibration(
        float(watched.ece.mean()), alone, float(watched.brier.mean()), pooled_error(table), pooled, table
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
        notes.append("no class was asked for in two episodes, so nothing tells how noisy the classes are")
    if not confused:
        few = f"most of them met in fewer than {LEAST_MEETINGS} episodes, or they do not differ beyond noise"
        notes.append(f"pairs of classes that are taken for each other are not shown: {few}")
    return notes
