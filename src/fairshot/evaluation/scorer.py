"""A Scorer: one learner before episodes; some of them in, their scores out."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from fairshot.learners.answers import answer_tasks
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, TaskBatch, name_clusters
from fairshot.learners.wrapper import as_clusterer
from fairshot.metrics.metric import Clustering, Judged, Metric
from fairshot.runtime.assignment import count_pairs
from fairshot.statistics.scores import Scores, join_scores
from fairshot.tasks.episodes import Episodes

STEP_BYTES = 1 << 23  # features gathered at a time: what fits the cache is several times faster than what does not


@dataclass(frozen=True)
class Scorer:
    """A learner, the features it sees, and the metric it is judged by."""

    features: Features
    learner: Classifier
    metric: Metric

    @cached_property
    def identity(self) -> str:
        """Names the learner; one that cannot be named gets a name of its own each time, so no kept score is found."""
        return self.learner.identity or uuid.uuid4().hex

    def __call__(self, episodes: Episodes) -> Scores:
        """Lets the learner answer and compares with the truth."""
        step = self.step(episodes)
        starts, batches = range(0, len(episodes), step), self.features.batches(episodes, step)
        return join_scores(
            [self._scores(episodes[start : start + step], batch) for start, batch in zip(starts, batches, strict=True)]
        )

    def step(self, episodes: Episodes) -> int:
        """How many such episodes are best answered at a time; their images have been embedded."""
        images = episodes.support_ids.shape[1] + episodes.query_ids.shape[1]
        return max(1, STEP_BYTES // (images * self.features.width * 4))

    def judge(self, episodes: Episodes) -> Judged:
        """Logits beside the truth."""
        return self._judge(episodes, self.features.batch(episodes))

    def _judge(self, episodes: Episodes, batch: TaskBatch) -> Judged:
        truth = torch.from_numpy(np.ascontiguousarray(episodes.query_labels))
        with torch.inference_mode():
            if not self.metric.needs_clusters:
                return Judged(answer_tasks(self.learner, batch), truth, batch.way)
            clusters = as_clusterer(self.learner).cluster(batch.unlabelled, batch.sizes)
            shape = (clusters.query.shape[2], batch.width)
            counts = count_pairs(clusters.assigned.numpy(), episodes.support_labels, shape)
            clustering = Clustering(counts, clusters.count.numpy(), batch.way.numpy())
            return Judged(name_clusters(clusters, batch), truth, batch.way, clustering)

    def _scores(self, episodes: Episodes, batch: TaskBatch) -> Scores:
        judged = self._judge(episodes, batch)
        return Scores(self.metric.score(judged), judged.correct, judged.known)


def use_one_thread() -> None:
    """Torch on one thread from now on."""
    torch.set_num_threads(1)


@contextmanager
def threads_restored() -> Iterator[None]:
    """Whatever happens to the number of torch's threads inside, it is as before afterwards."""
    threads = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def one_thread() -> Iterator[None]:
    """Few episodes at a time are answered faster without threads, and in a time that does not hang on their number."""
    with threads_restored():
        use_one_thread()
        yield
