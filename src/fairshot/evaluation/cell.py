"""A Cell: one learner on the first episodes of one task, from its scores to the row of a result."""

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

import fairshot
from fairshot.evaluation.scorer import Scorer, use_one_thread
from fairshot.learners.learner import Classifier
from fairshot.metrics.metric import Share
from fairshot.results.records import Store
from fairshot.results.schema import Row
from fairshot.runtime.backends.backend import APART, Backend, Progress, ordered_map
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.statistics.answers import Answers, Layout, drawable_layout, tabulate
from fairshot.statistics.confusion_groups import confusable_warning
from fairshot.statistics.estimate import Estimate, refuse
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.populations import MOST, estimate_all
from fairshot.statistics.scores import GrowingScores, Scores
from fairshot.statistics.sequential import at_any_time
from fairshot.tasks.block_memory import BlockMemory
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.task import BLOCK, TaskDistribution

PORTION = 64  # episodes that another process gets at a time, of a learner that answers them one by one
SAVE_SECONDS = 5  # an interrupted command loses at most this much


@dataclass(frozen=True)
class Cell:
    """One learner on the first episodes of one task."""

    name: str
    scorer: Scorer
    task: TaskDistribution
    seed: int
    episodes: range
    blocks: BlockMemory = field(default_factory=BlockMemory, repr=False, compare=False)
    """What was drawn so far, for all cells of one task."""

    @property
    def part(self) -> Source:
        """What is evaluated on."""
        return self.scorer.features.source

    @property
    def per_query(self) -> bool:
        """Whether each query is answered and judged by itself."""
        return isinstance(self.scorer.metric, Share) and not self.scorer.learner.transductive

    @cached_property
    def key(self) -> str:
        """Names the scores: equal keys, equal scores, but for how many episodes there are."""
        metric = self.scorer.metric
        return fingerprint(
            fairshot.__version__,
            self.name,
            self.scorer.identity,
            metric.name,
            asdict(metric),
            self.task.key(self.part, self.seed),
            self.part.fingerprint,
        )

    @cached_property
    def unable(self) -> str | None:
        """Why the learner cannot serve the first episodes of the task; None if it can."""
        if type(self.scorer.learner).unable is Classifier.unable:
            return None
        ways = np.unique(self._sample(self.episodes[:BLOCK]).ways).tolist()
        reasons = [reason for way in ways if (reason := self.scorer.learner.unable(way))]
        return reasons[0] if reasons else None

    def answer(self, known: Scores, store: Store | None, backend: Backend, progress: Progress) -> Scores:
        """The scores, as far as possible those known or kept in the store, which are completed."""
        kept = store.find_scores(self.key) if store else None
        answered = GrowingScores(known if kept is None else kept)
        missing = range(len(answered), self.episodes.stop)
        backend = "threads" if backend == "auto" and self.scorer.learner.threads else backend
        elsewhere = backend in ("auto", *APART)
        largest = PORTION if elsewhere and not self.scorer.learner.threads else BLOCK
        size = max(1, min(largest, len(missing) // (4 * (os.cpu_count() or 1))))
        if elsewhere:
            for _ in self.portions(missing, BLOCK):
                pass  # embeds every image now, so that other processes find it done
        saved = time.monotonic()
        portions, count = self.portions(missing, size), -(-len(missing) // size)
        for answer in ordered_map(self.scorer, portions, count=count, backend=backend, prepare=use_one_thread):
            answered.add(answer)
            done, mean = len(answered), answered.total / len(answered)
            progress(f"{self.name}, {self.task.label}", done, self.episodes.stop, mean)
            if store and (done == self.episodes.stop or time.monotonic() - saved > SAVE_SECONDS):
                saved = time.monotonic()
                store.keep_scores(self.key, answered.join())
        return answered.join()[: self.episodes.stop]

    def portions(self, episodes: range, size: int) -> Iterator[Episodes]:
        """Sampled block by block, embedded, and handed out in portions."""
        start = episodes.start
        while start < episodes.stop:
            stop = min((start // BLOCK + 1) * BLOCK, episodes.stop)  # never across blocks: padding is that of the block
            block = self._sample(range(start, stop))
            start = stop
            self.scorer.features.require(block)
            for first in range(0, len(block), size):
                yield block[first : first + size]

    def _sample(self, episodes: range) -> Episodes:
        return self.blocks.sample(self.task, self.part, episodes, self.seed)

    def row(self, scores: Scores, sequential: bool) -> Row:
        """The row of the result."""
        answers = self.answers(scores, self.per_query)
        estimates = self.estimates(answers, scores.values, sequential)
        row = self._row(len(scores), **estimate_fields(estimates, answers.layout))
        fixed_scores = None if self.task.seeded else scores.values.tolist()
        warnings = confusable_warning(answers, self.part.class_names) if row.headline == "classes" else []
        update = {"scores_key": self.key, "sequential": sequential, "scores": fixed_scores, "warnings": warnings}
        return row.model_copy(update=update)

    def row_without_value(self, reason: str) -> Row:
        """The row of a learner that cannot serve the task, or that failed."""
        return self._row(0, value=None, intervals={}, notes=[reason])

    def _row(self, episodes: int, *, value: float | None, **fields: Any) -> Row:
        return Row(
            learner=self.name,
            settings=dict(self.scorer.learner.settings),
            task=self.task.label,
            family=self.task.family,
            counterpart=self.task.counterpart,
            shot=getattr(self.task, "shot", None),
            part=self.part.name,
            metric=self.scorer.metric.name,
            episodes=episodes,
            episodes_key=self.task.key(self.part, self.seed),
            higher_is_better=self.scorer.metric.higher_is_better,
            per_query=self.per_query,
            value=value,
            **fields,
        )

    def estimates(self, answers: Answers, scores: np.ndarray, sequential: bool) -> dict[str, Estimate]:
        """The mean of all scores with an interval for each population that the task can speak about."""
        sequential = sequential and len(scores) > 1
        fraction = self.scorer.metric.fraction
        usual = (at_any_time if sequential else over_episodes)(scores, difference=not fraction)
        if not self.task.seeded:  # a fixed list was not drawn: it tells nothing about other images and classes
            return {"episodes": usual}
        if self.task.closed:  # episodes that share no image vary as fresh images do
            reason = "images of one group are in different episodes"
            grouped = answers.layout.grouped
            images = refuse(usual.value, "images", reason) if grouped else replace(usual, population="images")
            return {"episodes": usual, "images": images}
        return estimate_all(answers, scores, difference=not fraction, sequential=sequential, worst=self.worst(answers))

    def worst(self, answers: Answers) -> float | None:
        """The score of a class whose queries are answered by chance."""
        return self.scorer.metric.of_hopeless(float((1 / answers.way).mean()))

    def answers(self, scores: Scores, per_query: bool) -> Answers:
        """What was answered in the first episodes, as many as intervals need."""
        counted = range(min(len(scores), MOST))
        sampled = self._sample(counted)
        first, metric = scores[: counted.stop], self.scorer.metric
        if isinstance(metric, Share):
            first = replace(first, correct=metric.marked(first.correct))
        return tabulate(drawable_layout(self.task, self.part), sampled, first, per_query=per_query)


def estimate_fields(estimates: Mapping[str, Estimate], layout: Layout) -> dict[str, Any]:
    """What a row says of its estimates."""
    return {
        "value": estimates["episodes"].value,
        "intervals": {name: estimate.interval for name, estimate in estimates.items()},
        "headline": headline(estimates, len(np.unique(layout.parents))),
        "notes": [f"{name}: {estimate.reason}" for name, estimate in estimates.items() if estimate.reason],
    }
