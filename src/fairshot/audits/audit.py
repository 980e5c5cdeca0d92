"""The verb `audit`: does this benchmark measure what one thinks? What should be known before a table is believed.

In or out of distribution, how sure a mean is for each population, how often a comparison would turn round on other
classes and how many classes it would take, what structure and labels are worth, copies across parts, hard classes.
"""

import math
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from scipy import stats

from fairshot.audits.findings import POINT, Audit, Distribution, Needed
from fairshot.checks.checklist import data_findings
from fairshot.evaluation.consistency import Pair, cscc
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.training.record import is_trained, shipped_weights
from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.data import known_splits
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import LEVEL, Spread
from fairshot.statistics.intervals.populations import spread_over
from fairshot.statistics.per_class import class_rates
from fairshot.tasks.task import ClassTask
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

WAY, SHOT, QUERY = 5, 5, 15  # where classes are large enough
EPISODES = 5000
PIXELS = "32"  # of an image whose pixels are looked at
GAPS = (0.005, 0.01, 0.02)  # between two learners, for which the chance of a flip is told
CURVE = (10, 20, 40, 80, 160, 320, 640)
WORST = 5
CLUSTERER, RIVALS = "sinkhorn", ("prototypes", "neighbours")


def fitting_task(part: Source, way: int = WAY, shot: int = SHOT, query: int = QUERY) -> Uniform:
    """The usual task, or as much of it as the smallest class allows; classes with one image are left out."""
    counts = part.members.counts
    if (counts >= 2).sum() < 2:
        raise FairshotError(
            f"{part.name} has {(counts >= 2).sum()} classes with two images: an audit needs two of them"
        )
    large = counts[counts >= 2]
    least = int(np.sort(large)[len(large) // 10])  # a tenth of the classes may be smaller and are left out
    shot = min(shot, max(1, least // 2))
    query = min(query, least - shot)
    way = min(way, int((counts >= shot + query).sum()))
    return Uniform(way=way, shot=shot, query=query, skip_small=True).settle(part)


def pixels_for(what: str, split: str | None, learner: str) -> str | None:
    """The recipe for a learner that looks at pixels, where no other is known: small images, which are told as well."""
    source, _, rest = what.partition("/")
    published = "" if source.startswith("folder:") else (split or rest).partition("/")[0]
    if "@" in learner or ".py:" in learner or source.startswith("array:") or published in known_splits(source):
        return None
    return PIXELS


def audit(
    part: Source,
    split: Split | None = None,
    *,
    learner: str = RIVALS[0],
    rival: str | None = None,
    task: Uniform | None = None,
    episodes: int = EPISODES,
    seed: int = 0,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Audit:
    """Everything about a part, by one learner and another one to compare it with, on the same vectors."""
    started, rival = time.monotonic(), rival or _rival(learner)
    task = task.settle(part) if task else fitting_task(part)
    learners = {name: find_learner(name) for name in (learner, rival)}
    ask = partial(evaluate, episodes=episodes, seed=seed, allow_seen=allow_seen, progress=progress)
    result = ask(part, learners, [task])
    for row in result.rows:
        if row.value is None:
            raise FairshotError(f"{row.learner} cannot serve {task.label}: {', '.join(row.notes)}")
    first = result.rows[0]
    compared, answers, scores = result.compare()[0], result.answers(first), result.scores(first)[0].values
    spread = spread_over("classes", answers, scores)
    within = _within(part, task)
    divide = partial(cscc, episodes=episodes, seed=seed, allow_seen=allow_seen, progress=progress)
    counted = len(answers.layout.counts)
    curve = tuple(_needed(size, counted, spread, compared) for size in CURVE)
    names = [part.class_names[row] for row in answers.layout.classes]
    return Audit(
        part.name, part.recipe.name, len(part), len(part.classes), len(part.parent_names), learner, rival, task.label,
        result.rows[0].episodes, distribution_of(part, split, task.way), result.rows[0],
        ask(part, {learner: learners[learner]}, [within]).rows[0] if within else None,
        _consistency(part, learner, task, divide), compared,
        {f"{100 * gap:g}": _flips(compared, gap) for gap in GAPS}, curve,
        _for_one_point(counted, spread), tuple(data_findings(learners[learner], part, task, split, seed)),
        class_rates(answers, names).rows[:WORST], tuple(dict.fromkeys([*result.notes, *result.rows[0].warnings])),
        round(time.monotonic() - started, 1),
    )  # fmt: skip


def distribution_of(part: Source, split: Split | None, way: int) -> Distribution:
    """From how the part was made: by setting classes apart, or images."""
    own = _tuples(len(part.classes), way)
    if split is None or part.name == split.base.name:
        what = "no split" if split is None else "the base part itself"
        why = f"{what}: whatever is trained on these classes has seen them"
        return Distribution("none", why, None, own)
    base = _tuples(len(split.base.classes), way)
    shared = np.isin(part.classes, split.base.classes)
    if split.apart:
        why = f"tasks were set apart and not classes: no {split.apart} is in two parts, and the classes are the same"
        return Distribution("in", why, base, own)
    if shared.all():
        return Distribution("in", "the base classes, with images that training does not see", base, own)
    why = f"{(~shared).sum()} of {len(shared)} classes are none of the {len(split.base.classes)} base classes"
    return Distribution("out", why, base, own)


def _tuples(classes: int, way: int) -> float:
    """Ordered choices of different classes."""
    return float(math.perm(classes, min(way, classes)))


def _rival(learner: str) -> str:
    name = learner.partition("@")[0].partition(":")[0]
    return on_same_vectors(RIVALS[0] if name == RIVALS[1] else RIVALS[1], learner)


def on_same_vectors(head: str, learner: str) -> str:
    """Another learner on what stands behind this one: on itself, where it is trained weights."""
    if is_trained(learner) or learner in shipped_weights():
        return f"{head}@{learner}"
    _, at, behind = learner.partition("@")
    return f"{head}{at}{behind}"


def _within(part: Source, task: Uniform) -> ClassTask | None:
    """The same task within parents, if there are several with enough classes."""
    wide = np.bincount(part.parent_ids[task.eligible(part)]) >= task.way
    if wide.sum() < 2:
        return None
    return WithinParent(way=task.way, shot=task.shot, query=task.query, skip_small=True, disjoint=task.disjoint)


def _consistency(part: Source, learner: str, task: Uniform, divide: Callable[..., Evaluation]) -> Row | None:
    """Labels against none, on the vectors of the learner; None where it has none of its own or one image a class."""
    if task.shot == 1 or ".py" in learner.partition("@")[0]:
        return None
    reference, clusterer = (on_same_vectors(head, learner) for head in (RIVALS[0], CLUSTERER))
    learners = {name: find_learner(name) for name in (clusterer, reference)}
    return divide(part, learners, [Pair(clusterer, reference)], [task]).rows[0]


def _flips(compared: Comparison, gap: float) -> float | None:
    own = compared.differences.get("parents" if compared.headline == "parents" else "classes")
    return None if own is None else own.flip_chance(gap)


def _needed(size: int, counted: int, spread: Spread | str, compared: Comparison) -> Needed:
    quantile = float(stats.norm.ppf((1 + LEVEL) / 2))
    own = compared.differences.get("classes")
    mean = None if isinstance(spread, str) else quantile * math.sqrt(max(spread.variance, 0.0) * counted / size)
    between = None if own is None else own.between
    difference = None if between is None else quantile * math.sqrt(between.at(size))
    return Needed(size, mean, difference)


def _for_one_point(counted: int, spread: Spread | str) -> int | None:
    if isinstance(spread, str):
        return None
    quantile = float(stats.norm.ppf((1 + LEVEL) / 2))
    return math.ceil(counted * max(spread.variance, 0.0) * (quantile / POINT) ** 2)


def names_of(learners: Sequence[str]) -> tuple[str, str | None]:
    """The learner and its rival, from one or two names."""
    if len(learners) > 2:
        raise FairshotError(
            f"{len(learners)} learners were named: an audit compares two of them, or one with its usual rival"
        )
    return learners[0], learners[1] if len(learners) == 2 else None
