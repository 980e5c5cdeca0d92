"""The verb `check`: does the truth reach a learner's answers in a way it should not?"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import torch

from fairshot.checks.check import Case, Check
from fairshot.checks.finding import Finding
from fairshot.checks.global_random import restored
from fairshot.checks.other_place import start_other_process
from fairshot.learners.learner import Classifier
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.registry import find_class, names
from fairshot.specs.tasks import find_tasks
from fairshot.splits.split import Split
from fairshot.tasks.task import TaskDistribution, require_queries

EPISODES = 8  # answered: as large as those of an evaluation, but few
USUAL: dict[str, Any] = {"task": ["uniform"], "way": 5, "shot": 1, "query": 15, "disjoint": None, "skip_small": False}
"""The task of an evaluation for which nothing else is asked."""
LEAST = {"way": 2, "query": 1}  # of a smaller one, where a part is too small


def check(
    learner: Classifier,
    part: Source,
    *,
    task: TaskDistribution | None = None,
    split: Split | None = None,
    episodes: int = EPISODES,
    seed: int = 0,
    progress: Callable[[str], None] = lambda name: None,
) -> list[Finding]:
    """Every check of the learner, then every check of the part, its task and its split.

    Without a task it is the usual one of an evaluation, or as much of it as the part allows.
    """
    if episodes < 1:
        raise FairshotError(f"{episodes} episodes were asked for: ask for at least 1")
    task = (task or usual_task(part)).settle(part)
    require_queries(task, "a check")
    case = Case(learner, part, task, split, episodes, seed)
    start_other_process()
    findings = []
    with restored(), _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # under wrong labels a solver may well complain
        _ = case.snapshot, case.unasked  # before the first answer: what a learner keeps from it is no part of a copy
        assert len(case.logits)  # what cannot be answered as in an evaluation is an error, not a finding
        for instance in all_checks():
            progress(instance.name)
            findings.append(instance.find(case))
    return findings


def usual_task(part: Source, options: Mapping[str, Any] | None = None) -> TaskDistribution:
    """The task of an evaluation with these options; where they leave way or query open, as large as the part allows.

    A part that is too small for what was asked for gives the smallest, whose episodes cannot be drawn.
    """
    whole = _evaluated(part, options or {})
    open_ = {name: LEAST[name] for name in LEAST if hasattr(whole, name) and (options or {}).get(name) is None}
    sizes = [range(getattr(whole, name), least - 1, -1) for name, least in open_.items()]
    for values in product(*sizes):  # first with fewer queries, then with fewer classes
        task = replace(whole, **dict(zip(open_, values, strict=True)))
        with suppress(FairshotError):
            task.sample(part, range(1), 0)
            break
    return task


def shortfall(part: Source, task: TaskDistribution, options: Mapping[str, Any] | None = None) -> str:
    """That a task is smaller than that of an evaluation, if it is; else nothing."""
    whole = _evaluated(part, options or {})
    return "" if task == whole else f"{part.name} is too small for {whole.label}"


def _evaluated(part: Source, options: Mapping[str, Any]) -> TaskDistribution:
    asked = {**USUAL, **{name: value for name, value in options.items() if value is not None}}
    return find_tasks(part, {**asked, "way": [asked["way"]], "shot": [asked["shot"]]})[0]


def data_findings(
    learner: Classifier, part: Source, task: TaskDistribution, split: Split | None, seed: int = 0
) -> list[Finding]:
    """Every check of the part, its task and its split."""
    case = Case(learner, part, task.settle(part), split, seed=seed)
    return [instance.find(case) for instance in all_checks() if instance.about == "data"]


def all_checks() -> list[Check]:
    """An instance of each, those of learners first."""
    return [kind() for kind in _kinds()]


@cache
def _kinds() -> list[type[Check]]:
    found: list[type[Check]] = [find_class("checks", name) for name in names("checks")]
    return sorted(found, key=lambda one: one.about != "learner")


@contextmanager
def _one_thread() -> Iterator[None]:
    """As in an evaluation, where each of the threads answers episodes of its own."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
