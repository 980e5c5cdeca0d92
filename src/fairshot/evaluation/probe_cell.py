"""A ProbeCell: one learner with one number of shots; draws in, rows of a result out."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from fairshot.evaluation.probe_scorer import ProbeScorer
from fairshot.evaluation.scorer import threads_restored, use_one_thread
from fairshot.results.schema import Row
from fairshot.runtime.backends.backend import Backend, Progress, ordered_map
from fairshot.sources.pool_and_test import GROUP, PoolAndTest
from fairshot.sources.source import Source
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.probe_populations import estimate_probe
from fairshot.statistics.probe_answers import ProbeAnswers, ProbeLayout
from fairshot.tasks.support_draws import SupportDraws

PORTION = 16  # draws answered at a time, so that progress can be seen


def layout_of(data: PoolAndTest) -> ProbeLayout:
    """The pool as it stands, and the test images class by class."""
    pool, test = data.pool, data.test
    order = test_order(test)
    return ProbeLayout(
        pool_class=np.searchsorted(pool.classes, pool.class_ids),
        pool_group=pool.attributes.get(GROUP, np.arange(len(pool))),
        test_class=np.searchsorted(pool.classes, test.class_ids[order]),
        test_group=test.attributes.get(GROUP, np.arange(len(test)))[order],
        parents=np.unique(pool.parent_ids, return_inverse=True)[1],
    )


def test_order(test: Source) -> np.ndarray:
    """The rows of the test images class by class."""
    return np.argsort(test.class_ids, kind="stable")


@dataclass(frozen=True, eq=False)
class ProbeCell:
    """One learner after draws of one number of shots."""

    name: str
    scorer: ProbeScorer
    draws: SupportDraws

    @property
    def family(self) -> str:
        """What rows of different shots have in common."""
        return f"{self.scorer.layout.classes}-way probe"

    @property
    def task(self) -> str:
        """Classes and shots."""
        return f"{self.scorer.layout.classes}-way {self.draws.shot}-shot probe"

    def answer(self, backend: Backend, progress: Progress) -> list[ProbeAnswers]:
        """The answers to all test images after every draw, once for each metric."""
        learner, ids = self.scorer.learner, self.draws.image_ids
        if backend == "auto" and learner.threads:
            backend = "threads"
        size = max(1, min(PORTION, len(ids) // (2 * (os.cpu_count() or 1))))
        portions = [ids[start : start + size] for start in range(0, len(ids), size)]
        parts, done, right = [], 0, 0.0
        with threads_restored(), threadpool_limits(1, user_api="blas"):
            for part in ordered_map(
                self.scorer, portions, count=len(portions), backend=backend, prepare=use_one_thread
            ):
                parts.append(part)
                done, right = done + len(part.correct), right + float(part.correct.mean(axis=1).sum())
                progress(f"{self.name}, {self.task}", done, len(ids), right / done)
        return self.scorer.answers(ids, parts)

    def row(self, answers: ProbeAnswers, part: str, warnings: list[str]) -> Row:
        """The row of the result."""
        learner = self.scorer.learner
        estimates = estimate_probe(answers, whole=learner.transductive)
        return Row(
            learner=self.name,
            settings=dict(learner.settings),
            task=self.task,
            family=self.family,
            shot=self.draws.shot,
            part=part,
            metric=answers.metric,
            episodes=len(self.draws),
            episodes_key=self.draws.key,
            per_query=not learner.transductive,
            warnings=warnings,
            **estimate_fields(estimates, answers.layout),
        )


def estimate_fields(estimates: dict[str, Estimate], layout: ProbeLayout) -> dict[str, Any]:
    """What a row says of its estimates."""
    return {
        "value": estimates["episodes"].value,
        "intervals": {name: estimate.interval for name, estimate in estimates.items()},
        "headline": headline(estimates, len(np.unique(layout.parents))),
        "notes": [f"{name}: {estimate.reason}" for name, estimate in estimates.items() if estimate.reason],
    }
