"""The verb `check`: does the truth reach a learner's answers in a way it should not?"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from fairshot.checks.check import Case, Check
from fairshot.checks.finding import Finding
from fairshot.checks.global_random import restored
from fairshot.learners.learner import Classifier
from fairshot.resolve import find_class, names
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import Split
from fairshot.tasks.task import TaskDistribution, require_queries
from fairshot.tasks.uniform import Uniform


def check(
    learner: Classifier,
    part: Source,
    *,
    task: TaskDistribution | None = None,
    split: Split | None = None,
    episodes: int = 12,
    seed: int = 0,
    progress: Callable[[str], None] = lambda name: None,
) -> list[Finding]:
    """Every check of the learner, then every check of the part, its task and its split."""
    if episodes < 1:
        raise FairshotError(f"{episodes} episodes were asked for: ask for at least 1")
    task = (task or Uniform(way=5, shot=2, query=3)).settle(part)
    require_queries(task, "a check")
    case = Case(learner, part, task, split, episodes, seed)
    findings = []
    with restored(), _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # under wrong labels a solver may well complain
        assert len(case.logits)  # what cannot be answered as in an evaluation is an error, not a finding
        for instance in all_checks():
            progress(instance.name)
            findings.append(instance.find(case))
    return findings


def data_findings(
    learner: Classifier, part: Source, task: TaskDistribution, split: Split | None, seed: int = 0
) -> list[Finding]:
    """Every check of the part, its task and its split."""
    case = Case(learner, part, task.settle(part), split, seed=seed)
    return [instance.find(case) for instance in all_checks() if instance.about == "data"]


def all_checks() -> list[Check]:
    """An instance of each, those of learners first."""
    found: list[Check] = [find_class("checks", name)() for name in names("checks")]
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
