"""The verb `diagnose`: beside the mean, where and why a learner fails."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Int

from fairshot.evaluation.diagnosis import (
    Calibration,
    Diagnoses,
    Diagnosis,
    EpisodeScores,
    Question,
    SupportRange,
)
from fairshot.evaluation.observation import Observation, Stopwatch, observe
from fairshot.evaluation.scorer import Scorer
from fairshot.evaluation.shown_episode import ShownEpisode, ends
from fairshot.evaluation.support_search import draw_pools, search_supports
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.seen import warnings_of
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.ece import binned_gap
from fairshot.results.schema import SourceName
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.specs.data import as_part
from fairshot.specs.encoders import NONE, put_encoders, sight_notes
from fairshot.specs.learners import as_learners, one_learner
from fairshot.specs.tasks import Counts, Shape, as_tasks, list_tasks
from fairshot.statistics.answers import drawable_layout, tabulate
from fairshot.statistics.geometry import Geometry, geometry_of
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.per_class import LEAST_MEETINGS, Rate, Rates, class_rates, confused_pairs
from fairshot.statistics.reliability import pooled_error, reliability
from fairshot.statistics.tails import tails_of
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import TaskDistribution, require_queries

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
    task: Any = "uniform",
    *,
    name: str | None = None,
    way: Counts = 5,
    shot: Counts = 1,
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
    recipe: str | int | None = None,
    encoder: Any = None,
    groups: str | None = None,
    skip_bad: bool = False,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Diagnosis:
    """Where and why one learner fails on the episodes that `evaluate` would give it.

    `data`, `learner` and `task` are objects or specs; a task that is named gets `way`, `shot` and `query`. For
    the first `searched` episodes, better and worse support sets are searched. Several learners, tasks, ways or shots
    are refused: `fairshot diagnose` and `diagnose_all` take them.
    """
    shape = Shape(
        way=way, shot=shot, query=query, disjoint=disjoint, skip_small=skip_small, dirichlet=dirichlet, unknown=unknown
    )
    named = dict([one_learner(put_encoders(learner if name is None else {name: learner}, encoder, data, recipe))])
    _refuse_several(task, shape)
    return diagnose_all(
        data,
        named,
        task,
        shape=shape,
        effort=Effort(episodes=episodes, searched=searched, seed=seed, allow_seen=allow_seen),
        split=split,
        part=part,
        recipe=recipe,
        encoder=NONE,
        groups=groups,
        skip_bad=skip_bad,
        progress=progress,
    )[0]


def diagnose_all(  # noqa: PLR0913 all but the first three are keywords with defaults
    data: Any,
    learners: Any,
    tasks: Any = None,
    *,
    shape: Shape | None = None,
    effort: Effort | None = None,
    split: str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    encoder: Any = None,
    groups: str | None = None,
    skip_bad: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Diagnoses:
    """Every learner on every task, one after the other."""
    named = as_learners(put_encoders(learners, encoder, data, recipe))
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
    scorer, stopwatch = Scorer(Features(part, learner), learner, Accuracy()), Stopwatch()
    report = _named(progress, name, task)
    observation = observe(scorer, task, range(count), seed=seed, stopwatch=stopwatch, progress=report)
    geometry = _geometry(scorer.features, seed, stopwatch)
    apart, first = getattr(task, "disjoint", None), observation.episodes[: effort.searched]
    support = _support(scorer, first, apart, seed=seed, stopwatch=stopwatch, progress=report)
    classes = _classes(part, task, observation)
    confused = confused_pairs(observation.episodes, observation.chosen, part.class_names)
    return Diagnosis(
        question=Question(
            learner=name,
            settings=dict(learner.settings),
            task=task.label,
            source=SourceName.of(part),
            episodes=count,
            episodes_key=task.key(part, seed),
            seed=seed,
            fixed=not task.seeded,
        ),
        scores=_scores(observation),
        classes=classes,
        confused=confused,
        support=support,
        calibration=_calibration(observation, seed),
        geometry=geometry,
        times=stopwatch.times(count),
        notes=(*part.notes, *sight_notes({name: learner}, part), *warnings, *_notes(observation, classes, confused)),
        shown=_shown(part, observation) if part.has_images else (),
    )


def _shown(part: Source, observation: Observation) -> tuple[ShownEpisode, ...]:
    return tuple(
        ShownEpisode(
            word=word,
            part=part,
            episodes=observation.episodes[at : at + 1],
            correct=observation.scores.correct[at],
            chosen=observation.chosen[at],
        )
        for word, at in ends(observation.scores.values).items()
    )


def _refuse_several(task: Any, shape: Shape) -> None:
    """Raises for more than one task, which one diagnosis cannot tell of."""
    labels = [one.label for one in dict.fromkeys(list_tasks(task, shape))]
    if len(labels) > 1:
        raise FairshotError(
            f"{len(labels)} tasks were asked for, {'; '.join(labels)}: ask for one, or call "
            "fairshot.evaluation.diagnose.diagnose_all"
        )


def _refuse_unable(name: str, learner: Classifier, task: TaskDistribution, part: Source, seed: int) -> None:
    for way in np.unique(task.sample(part, range(1), seed).ways).tolist():
        reason = learner.unable(way)
        if reason:
            raise FairshotError(f"{name} cannot serve {task.label}: {reason}")


def _scores(observation: Observation) -> EpisodeScores:
    values = observation.scores.values
    estimate = over_episodes(values)
    return EpisodeScores(value=estimate.value, intervals={"episodes": estimate.interval}, tails=tails_of(values))


def _named(progress: Progress, name: str, task: TaskDistribution) -> Progress:
    def report(what: str, done: int, whole: int, mean: float) -> None:
        progress(", ".join(filter(None, [name, task.label, what])), done, whole, mean)

    return report


def _classes(part: Source, task: TaskDistribution, observation: Observation) -> Rates:
    layout = drawable_layout(task, part)
    return class_rates(
        tabulate(layout, observation.episodes, observation.scores), [part.class_names[row] for row in layout.classes]
    )


def _support(
    scorer: Scorer, episodes: Episodes, apart: str | None, *, seed: int, stopwatch: Stopwatch, progress: Progress
) -> SupportRange | None:
    if not len(episodes):
        return None
    pools = draw_pools(scorer.features.source, episodes, seed=seed, apart=apart)
    with stopwatch.embedding(scorer.features):
        scorer.features.require_images(np.unique(pools[pools != PAD]))
    found = search_supports(scorer, episodes, pools, progress=progress)
    tried = (pools[:, :, 1:] != PAD).sum() / (episodes.support_ids != PAD).sum()
    worst, drawn, best = found.accuracy.mean(axis=0).tolist()
    return SupportRange(episodes=len(episodes), candidates=float(tried), worst=worst, drawn=drawn, best=best)


def _calibration(observation: Observation, seed: int) -> Calibration:
    sure, known = observation.sure, observation.scores.asked
    table = reliability(sure[known], observation.scores.correct[known])
    stream, twins = Stream(seed, "calibrated"), []
    for _ in range(max(1, min(20, SIMULATED // int(known.sum())))):
        right = stream.uniform(*sure.shape) < sure
        twins.append((binned_gap(sure, right, known).mean(), pooled_error(reliability(sure[known], right[known]))))
    alone, pooled = np.mean(twins, axis=0).tolist()
    return Calibration(
        ece=float(observation.ece.mean()),
        ece_of_calibrated=alone,
        brier=float(observation.brier.mean()),
        pooled_ece=pooled_error(table),
        pooled_ece_of_calibrated=pooled,
        table=table,
    )


def _geometry(features: Features, seed: int, stopwatch: Stopwatch) -> Geometry:
    affordable = max(int(np.sqrt(MOST_WORK / features.width)), LEAST_OF_CLASS)
    image_ids = choose_images(features.source, min(MOST_IMAGES, affordable), seed)
    with stopwatch.embedding(features):
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


def _notes(observation: Observation, classes: Rates, confused: tuple[Rate, ...]) -> list[str]:
    notes = []
    if np.ptp(observation.sure[observation.scores.asked]) < 1e-9:
        notes.append("the learner is equally sure of every answer, so its calibration means nothing")
    if classes.noise is None:
        notes.append("no class was asked for in two episodes, so how noisy the classes are is unknown")
    if not confused:
        few = f"most of them met in fewer than {LEAST_MEETINGS} episodes, or they do not differ beyond noise"
        notes.append(f"pairs of classes that are taken for each other are not shown: {few}")
    return notes
