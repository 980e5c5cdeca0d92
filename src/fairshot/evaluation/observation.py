"""An Observation: what a learner answered in some episodes, how sure it was, and how long it took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.evaluation.diagnosis import Times
from fairshot.evaluation.scorer import Scorer, one_thread
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.brier import Brier
from fairshot.metrics.ece import Ece
from fairshot.runtime.backends.backend import Backend, Progress, ordered_map
from fairshot.sources.source import Source
from fairshot.statistics.scores import Scores, join_scores
from fairshot.tasks.episodes import PAD, Episodes, join
from fairshot.tasks.task import BLOCK, TaskDistribution

PORTION = 64  # episodes between two reports of progress
SLOW_PORTION = 8  # of learners that take one task at a time


class Stopwatch:
    """Seconds spent on embedding images and on answering episodes."""

    def __init__(self) -> None:
        self.embedding_seconds, self.answering_seconds, self.images = 0.0, 0.0, 0

    def times(self, episodes: int) -> Times:
        """What an image and an episode took on average."""
        return Times(
            image_seconds=self.embedding_seconds / max(self.images, 1),
            images=self.images,
            episode_seconds=self.answering_seconds / episodes,
        )

    @contextmanager
    def embedding(self, features: Features) -> Iterator[None]:
        """Counts the time inside and the images that are embedded there; nothing where there are none."""
        started, before = time.perf_counter(), features.embedded
        yield
        if features.embedded > before:
            self.embedding_seconds += time.perf_counter() - started
            self.images += features.embedded - before


@dataclass(frozen=True, kw_only=True, eq=False)
class Observation:
    """Episodes, what the learner answered, and how sure it was of each answer."""

    episodes: Episodes
    scores: Scores
    chosen: Int[np.ndarray, "episode query"]
    sure: Float[np.ndarray, "episode query"]
    ece: Float[np.ndarray, " episode"]
    brier: Float[np.ndarray, " episode"]


@dataclass(frozen=True)
class Observer:
    """Some episodes in; what the learner answered, and the seconds it took, out."""

    scorer: Scorer

    def __call__(self, episodes: Episodes) -> tuple[Observation, float]:
        """Lets the learner answer in one thread."""
        with one_thread():
            started = time.perf_counter()
            judged = self.scorer.judge(episodes)
            seconds = time.perf_counter() - started
        scores = Scores(Accuracy().score(judged), judged.correct, judged.known)  # raises on NaN, before anything else
        chosen = np.where(judged.known, judged.present.argmax(2).numpy(), PAD)
        sure = np.where(judged.known, judged.probabilities.max(axis=2), 0.0)
        return Observation(
            episodes=episodes,
            scores=scores,
            chosen=chosen,
            sure=sure,
            ece=Ece().score(judged),
            brier=Brier().score(judged),
        ), seconds


def answered_labels(part: Source, learner: Classifier, episodes: Episodes) -> Int[np.ndarray, "episode query"]:
    """The label that each query of some episodes is given."""
    scorer = Scorer(Features(part, learner), learner, Accuracy())
    scorer.features.require(episodes)
    return Observer(scorer)(episodes)[0].chosen


def observe(
    scorer: Scorer, task: TaskDistribution, episodes: range, *, seed: int, stopwatch: Stopwatch, progress: Progress
) -> Observation:
    """Block by block, as `evaluate` does it: padding is that of the block. Slow learners are spread over processes."""
    slow = not scorer.learner.threads
    portions = _portions(scorer, task, episodes, seed=seed, stopwatch=stopwatch)
    observations, done, right = list[Observation](), 0, 0.0
    backend: Backend = "auto" if slow else "serial"
    for observation, seconds in ordered_map(Observer(scorer), portions, count=len(portions), backend=backend):
        observations.append(observation)
        stopwatch.answering_seconds += seconds
        done, right = done + len(observation.episodes), right + float(observation.scores.values.sum())
        progress("", done, episodes.stop, right / done)
    return _join(observations)


def _portions(
    scorer: Scorer, task: TaskDistribution, episodes: range, *, seed: int, stopwatch: Stopwatch
) -> list[Episodes]:
    """The episodes as they are handed out, with all their images embedded."""
    features, slow = scorer.features, not scorer.learner.threads
    starts = range(0, episodes.stop, BLOCK)
    blocks = [task.sample(features.source, range(at, min(at + BLOCK, episodes.stop)), seed) for at in starts]
    for block in blocks:
        with stopwatch.embedding(features):
            features.require(block)
    sizes = [SLOW_PORTION if slow else min(PORTION, scorer.step(block)) for block in blocks]
    return [
        block[at : at + size] for block, size in zip(blocks, sizes, strict=True) for at in range(0, len(block), size)
    ]


def _join(parts: list[Observation]) -> Observation:
    """All episodes in one table, with padding where some have fewer queries."""
    episodes = join([part.episodes for part in parts])
    width = episodes.query_ids.shape[1]
    chosen, sure = (
        np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=fill) for table in tables])
        for tables, fill in (([part.chosen for part in parts], PAD), ([part.sure for part in parts], 0.0))
    )
    scores = join_scores([part.scores for part in parts])
    ece, brier = (np.concatenate(values) for values in zip(*((part.ece, part.brier) for part in parts), strict=True))
    return Observation(episodes=episodes, scores=scores, chosen=chosen, sure=sure, ece=ece, brier=brier)
