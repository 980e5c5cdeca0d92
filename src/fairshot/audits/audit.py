"""The verb `audit`: does this benchmark measure what one thinks? What should be known before a table is believed.

In or out of distribution, how sure a mean is for each population, how often a comparison would reverse on other
classes and how many classes it would take, what structure and labels are worth, copies across parts, hard classes.
"""

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.audits.contestants import RIVALS, Contestant, find_contestants
from fairshot.audits.findings import (
    POINT,
    Accuracies,
    Audit,
    AuditedData,
    ClassSummary,
    Distribution,
    Duel,
    Question,
    judged_by,
)
from fairshot.audits.precision import count_units, precision_of
from fairshot.checks.checklist import data_findings
from fairshot.evaluation.consistency import Pair, refuse_pairs, with_ratios
from fairshot.evaluation.evaluate import evaluate
from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.data import Files, parse_split
from fairshot.sources.source import Source
from fairshot.specs.data import as_part, known_splits, read_data, trained_recipe
from fairshot.specs.encoders import NONE, put_encoders
from fairshot.splits.split import Split
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.per_class import class_rates
from fairshot.tables.words import count_of
from fairshot.tasks.task import ClassTask
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

WAY, SHOT, QUERY = 5, 5, 15  # where classes are large enough
EPISODES = 5000
PIXELS = "32"  # the recipe for images whose pixels are looked at as they are
GAPS = (0.005, 0.01, 0.02)  # true leads for which the chance of a reversed comparison is given
HARDEST = 5
CLUSTERER = "sinkhorn"


def audit(  # noqa: PLR0913 all but the first two are keywords with defaults
    data: Any,
    split: Split | str | None = None,
    *,
    learner: Any = RIVALS[0],
    rival: Any = None,
    task: Uniform | None = None,
    way: int | None = None,
    shot: int | None = None,
    query: int | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    encoder: Any = None,
    groups: str | None = None,
    skip_bad: bool = False,
    episodes: int = EPISODES,
    seed: int = 0,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Audit:
    """Whether a benchmark measures what one thinks, judged by a learner and a rival on the same vectors.

    `data` is a name such as "omniglot/lake/novel" or "folder:photos", a Source, a Split or arrays (X, y); `learner` and
    `rival` are specs or objects, and the usual rival is prototypes or neighbours. The task is 5-way 5-shot 15-query, or
    as much of it as the classes allow; what `task` or `way`, `shot` and `query` say is never made smaller.
    """
    started = time.monotonic()
    learner, rival = (one and put_encoders(one, encoder, data, recipe) for one in (learner, rival))
    first, second = find_contestants(learner, rival)
    if first.name == second.name:
        raise FairshotError(f"{first.name} is the learner and its own rival: name two")
    where = {"part": part, "recipe": recipe, "groups": groups, "skip_bad": skip_bad}
    source, whole = _data(data, split, first, where)
    asked = _asked_sizes(way=way, shot=shot, query=query)
    chosen = task.resolve(source) if task else fitting_task(source, **asked)
    plan = _Plan(part=source, task=chosen, episodes=episodes, seed=seed, allow_seen=allow_seen, progress=progress)
    usual = plan.evaluate([first, second], chosen)
    mean, comparison = usual.rows[0], usual.compare()[0]
    return Audit(
        data=_describe(source, whole, chosen.way),
        question=Question(learner=first.name, rival=second.name, task=chosen.label, episodes=mean.episodes),
        accuracy=Accuracies(mean=mean, within=plan.within(first), consistency=plan.consistency(first)),
        duel=_duel(comparison),
        classes=_classes(source, usual),
        findings=tuple(data_findings(first.learner, source, chosen, whole, seed)),
        notes=tuple(dict.fromkeys([*usual.notes, *mean.warnings])),
        seconds=round(time.monotonic() - started, 1),
    )


def _asked_sizes(**sizes: int | None) -> dict[str, int]:
    """The sizes that were given, each at least 1."""
    asked = {name: size for name, size in sizes.items() if size is not None}
    for name, size in asked.items():
        if size < 1:
            raise FairshotError(f"{name} is {size}: it must be at least 1")
    return asked


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What all evaluations of one audit have in common."""

    part: Source
    task: Uniform
    episodes: int
    seed: int
    allow_seen: bool
    progress: Progress

    @property
    def options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("episodes", "seed", "allow_seen", "progress")}

    def evaluate(self, contestants: list[Contestant], task: ClassTask) -> Evaluation:
        """The contestants on one task; each must be able to serve it."""
        learners = {one.name: one.learner for one in contestants}
        evaluation = evaluate(self.part, learners, [task], encoder=NONE, **self.options)
        for row in evaluation.rows:
            if row.value is None:
                raise FairshotError(f"{row.learner} cannot serve {task.label}: {', '.join(row.notes)}")
        return evaluation

    def within(self, contestant: Contestant) -> Row | None:
        """The same task within parents, if at least two of them have enough classes."""
        task = self.task
        wide = np.bincount(self.part.parent_ids[task.eligible(self.part)]) >= task.way
        if wide.sum() < 2:
            return None
        inside = WithinParent(way=task.way, shot=task.shot, query=task.query, skip_small=True, disjoint=task.disjoint)
        return self.evaluate([contestant], inside).rows[0]

    def consistency(self, contestant: Contestant) -> Row | None:
        """Labels against none on the learner's vectors; None where it has none of its own, or one image a class."""
        if self.task.shot == 1 or not contestant.clusterable:
            return None
        clusterer, reference = (contestant.with_head(head) for head in (CLUSTERER, RIVALS[0]))
        pair = Pair(clusterer.name, reference.name)
        refuse_pairs([pair], {one.name: one.learner for one in (clusterer, reference)})
        return with_ratios(self.evaluate([clusterer, reference], self.task), [pair]).rows[0]


def _data(
    data: Any, split: Split | str | None, contestant: Contestant, where: dict[str, Any]
) -> tuple[Source, Split | None]:
    """The part and its split; pixels that are looked at as they are get a small recipe unless another is known."""
    if isinstance(data, Path):
        data = f"folder:{data}" if data.is_dir() else f"array:{data}"
    if isinstance(split, Split):
        return as_part(data, **where)[0], split
    if isinstance(data, str):
        recipe = where["recipe"] or trained_recipe([contestant.learner], data)
        where = {**where, "recipe": recipe or pixels_for(data, split, encodes=contestant.encodes)}
    return as_part(data, split=split, **where)


def pixels_for(what: str, split: str | None, *, encodes: bool) -> str | None:
    """The recipe for a learner that looks at pixels as they are; None where something else decides on one."""
    data = read_data(what)
    published = parse_split(split or data.split or "").name in known_splits(str(data.source))
    if encodes or published or (isinstance(data.source, Files) and data.source.name == "array"):
        return None
    return PIXELS


def fitting_task(part: Source, way: int | None = None, shot: int | None = None, query: int | None = None) -> Uniform:
    """The usual task, or as much of it as the smallest class allows; what was asked for is never made smaller.

    Classes with one image are left out.
    """
    counts = part.members.counts
    if (counts >= 2).sum() < 2:
        found = count_of(int((counts >= 2).sum()), "class")
        raise FairshotError(f"{part.name} has {found} with two images, and two are needed: add images or classes")
    large = counts[counts >= 2]
    least = int(np.sort(large)[len(large) // 10])  # a tenth of the classes may be smaller and are left out
    shot = shot or min(SHOT, max(1, least // 2 if query is None else least - query))
    query = query or min(QUERY, max(1, least - shot))
    enough = int((counts >= shot + query).sum())
    way = way or max(min(WAY, enough), 2)
    if enough < way:
        held = f"{part.name} has {count_of(enough, 'class')} with {shot + query} images"
        raise FairshotError(f"{way}-way {shot}-shot {query}-query was asked for, and {held}: ask for a smaller task")
    return Uniform(way=way, shot=shot, query=query, skip_small=True).resolve(part)


def _describe(part: Source, split: Split | None, way: int) -> AuditedData:
    classes, originals = len(part.classes), len(np.unique(part.class_units))
    return AuditedData(
        part=part.name,
        recipe=part.recipe.name,
        images=len(part),
        classes=classes,
        originals=None if originals == classes else originals,
        parents=len(part.parent_names),
        distribution=distribution_of(part, split, way),
    )


def distribution_of(part: Source, split: Split | None, way: int) -> Distribution:
    """Whether the part was made by setting classes apart, or images, or neither."""
    tuples = _tuples(len(part.classes), way)
    if split is None or part.name == split.base.name:
        what = "no split" if split is None else "the base part itself"
        why = f"{what}: whatever is trained on these classes has seen them"
        return Distribution(kind="none", why=why, base_tuples=None, own_tuples=tuples)
    base = _tuples(len(split.base.classes), way)
    shared = np.isin(part.classes, split.base.classes)
    if split.apart:
        why = f"tasks were set apart and not classes: no {split.apart} is in two parts, and the classes are the same"
        return Distribution(kind="in", why=why, base_tuples=base, own_tuples=tuples)
    if shared.all():
        why = "the base classes, with images that training does not see"
        return Distribution(kind="in", why=why, base_tuples=base, own_tuples=tuples)
    why = f"{(~shared).sum()} of {len(shared)} classes are none of the {len(split.base.classes)} base classes"
    return Distribution(kind="out", why=why, base_tuples=base, own_tuples=tuples)


def _tuples(classes: int, way: int) -> float:
    """Ordered choices of different classes."""
    return float(math.perm(classes, min(way, classes)))


def _duel(comparison: Comparison) -> Duel:
    difference = comparison.differences.get(judged_by(comparison.headline))
    flips = {f"{gap / POINT:g}": None if difference is None else difference.flip_chance(gap) for gap in GAPS}
    return Duel(comparison=comparison, flips=flips)


def _classes(part: Source, usual: Evaluation) -> ClassSummary:
    """What more classes or parents would do for the learner's mean and its lead, and its hardest classes."""
    mean = usual.rows[0]
    answers = usual.answers(mean)
    curve, one_point = precision_of(usual, judged_by(mean.headline))
    names = [part.class_names[row] for row in answers.layout.classes]
    return ClassSummary(
        curve=curve,
        one_point=one_point,
        counted=count_units(answers.layout, judged_by(mean.headline)),
        hardest=class_rates(answers, names).rows[:HARDEST],
    )
