"""The verb `check`: does the truth reach a learner's answers in a way it should not?"""

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import torch

from fairshot.checks.check import Case, Check
from fairshot.checks.finding import About, Finding
from fairshot.checks.global_random import generators_restored
from fairshot.checks.other_place import start_other_process
from fairshot.checks.report import CheckReport
from fairshot.checks.samplers import sampler as sampling
from fairshot.checks.samplers.checklist import EPISODES as SAMPLED
from fairshot.checks.samplers.checklist import check_sampler
from fairshot.learners.learner import Classifier
from fairshot.results.schema import SourceName
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.runtime.grammar.name import Code, is_own_code, parse_code, split_label
from fairshot.sources.source import Source
from fairshot.specs.data import as_part, trained_recipe
from fairshot.specs.foreign import load_code
from fairshot.specs.learners import one_learner
from fairshot.specs.registry import find_class, names
from fairshot.specs.tasks import Shape, as_tasks
from fairshot.splits.split import Split
from fairshot.tasks.task import TaskDistribution, require_queries

WAY, SHOT, QUERY = 5, 1, 15  # of a sampler's episodes
EPISODES = 8  # answered: as large as those of an evaluation, but few
LEAST = {"way": 2, "query": 1}  # of a smaller task, where a part is too small
GLYPHS, GLYPHS_RECIPE = "glyphs:alphabets=10,characters=10/parents/novel", "28"  # small, and with other parts


def check(  # noqa: PLR0913 all but the first two are keywords with defaults
    learner: Any,
    on: Any = None,
    *,
    task: TaskDistribution | str = "uniform",
    way: int | None = None,
    shot: int | None = None,
    query: int | None = None,
    disjoint: str | None = None,
    skip_small: bool = False,
    split: Split | str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
    episodes: int = EPISODES,
    seed: int = 0,
    progress: Progress = lambda what, done, whole, mean: None,
) -> CheckReport:
    """Whether the truth reaches a learner's answers in a way it should not: every check of learner, data and split.

    `learner` is an object or a spec, or a sampler of episodes (a class, a function or anything to iterate over), whose
    episodes are then looked at; `on` is a name such as "omniglot/lake/novel", a Source, a Split or arrays (X, y),
    and a few glyphs where nothing is given. A task that is named is as large as that of an evaluation, or as large as
    the part allows; what `way`, `shot` and `query` say is never made smaller.
    """
    if episodes < 1:
        raise FairshotError(f"{episodes} episodes were asked for: ask for at least 1")
    where = {"part": part, "recipe": recipe, "groups": groups, "skip_bad": skip_bad}
    sampler = _as_sampler(learner)
    if sampler is not None:
        drawn = SAMPLED if episodes == EPISODES else episodes
        shape = sampling.Shape(way=way or WAY, shot=shot or SHOT, query=query or QUERY, episodes=drawn)
        data = None if on is None else _data(None, on, split, where)[0]
        return check_sampler(*sampler, data, shape, seed)
    name, classifier = one_learner(learner)
    source, whole = _data(classifier, on, split, where)
    asked = {"way": way, "shot": shot, "query": query, "disjoint": disjoint, "skip_small": skip_small}
    chosen, smaller = _task(source, task, asked)
    case = Case(classifier, source, chosen, whole, count=episodes, seed=seed)
    return CheckReport(
        findings=tuple(run_checks(case, all_checks(), progress)),
        learner=name,
        source=SourceName.of(source),
        task=chosen.label,
        smaller=smaller,
        episodes=episodes,
        seed=seed,
    )


def _as_sampler(given: Any) -> tuple[Any, Code | str] | None:
    """A sampler of episodes, out of a file or in hand, with its name; None for everything that is a learner."""
    if isinstance(given, str) and is_own_code(given) and not parse_learner(split_label(given).spec).behind:
        code = parse_code(split_label(given).spec)
        target = load_code(code)[0]
        return (target, code) if sampling.is_sampler(target) else None
    in_hand = not isinstance(given, str | Path | Mapping | Sequence | Classifier)
    name = getattr(given, "__name__", type(given).__name__)
    return (given, name) if in_hand and sampling.is_sampler(given) else None


def _data(
    learner: Classifier | None, on: Any, split: Split | str | None, where: Mapping[str, Any]
) -> tuple[Source, Split | None]:
    """The part to look at and its split; a few glyphs where nothing is named."""
    learners = [] if learner is None else [learner]
    if on is None:
        if not split and not where["part"]:
            recipe = where["recipe"] or trained_recipe(learners, GLYPHS) or GLYPHS_RECIPE
            return as_part(GLYPHS, **{**where, "recipe": recipe})
        on = "glyphs"
    if isinstance(split, Split):
        return as_part(on, **where, learners=learners)[0], split
    return as_part(on, split=split, **where, learners=learners)


def _task(part: Source, task: TaskDistribution | str, asked: Mapping[str, Any]) -> tuple[TaskDistribution, str]:
    """The task resolved for the part, and why it is smaller than that of an evaluation, if it is."""
    if isinstance(task, TaskDistribution):
        chosen, smaller = task.resolve(part), ""
    else:
        chosen = usual_task(part, asked, task)
        smaller = shortfall(part, chosen, asked, task)
    require_queries(chosen, "a check")
    return chosen, smaller


def run_checks(
    case: Case, checks: Sequence[Check], progress: Progress = lambda what, done, whole, mean: None
) -> list[Finding]:
    """What each of the checks finds, once the learner has answered as in an evaluation."""
    start_other_process()
    findings = []
    with generators_restored(), _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # under wrong labels a solver may well complain
        _ = case.snapshot, case.unasked  # before the first answer: what a learner keeps from it is no part of a copy
        assert len(case.logits)  # what cannot be answered as in an evaluation is an error, not a finding
        for number, instance in enumerate(checks):
            progress(instance.name, number, len(checks), math.nan)
            findings.append(instance.find(case))
    return findings


def usual_task(part: Source, asked: Mapping[str, Any] | None = None, name: str = "uniform") -> TaskDistribution:
    """The task of an evaluation with what was asked; where way or query were left open, as large as the part allows.

    A part that is too small for what was asked gives the smallest task, whose episodes cannot be drawn.
    """
    whole = _evaluated(part, asked, name)
    least = {size: LEAST[size] for size in LEAST if hasattr(whole, size) and (asked or {}).get(size) is None}
    sizes = [range(getattr(whole, size), fewest - 1, -1) for size, fewest in least.items()]
    for values in product(*sizes):  # first with fewer queries, then with fewer classes
        task = replace(whole, **dict(zip(least, values, strict=True)))
        with suppress(FairshotError):
            task.sample(part, range(1), 0)
            break
    return task


def shortfall(
    part: Source, task: TaskDistribution, asked: Mapping[str, Any] | None = None, name: str = "uniform"
) -> str:
    """That a task is smaller than that of an evaluation, if it is; else nothing."""
    whole = _evaluated(part, asked, name)
    return "" if task == whole else f"{part.name} is too small for {whole.label}"


def _evaluated(part: Source, asked: Mapping[str, Any] | None, name: str) -> TaskDistribution:
    """The task that an evaluation would set."""
    shape = Shape(**{setting: value for setting, value in (asked or {}).items() if value is not None})
    return as_tasks(part, name, shape)[0]


def data_findings(
    learner: Classifier, part: Source, task: TaskDistribution, split: Split | None, seed: int = 0
) -> list[Finding]:
    """Every check of the part, its task and its split."""
    case = Case(learner, part, task.resolve(part), split, seed=seed)
    return [instance.find(case) for instance in all_checks("data")]


def all_checks(about: About | None = None) -> list[Check]:
    """An instance of each check, those of learners first; with `about`, of learners or of data alone."""
    return [kind() for kind in _kinds() if about in (None, kind.about)]


@cache
def _kinds() -> list[type[Check]]:
    kinds: list[type[Check]] = [find_class("checks", name) for name in names("checks")]
    return sorted(kinds, key=lambda kind: kind.about != "learner")


@contextmanager
def _one_thread() -> Iterator[None]:
    """Inside, torch uses one thread, as in an evaluation, where each thread answers episodes of its own."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
