"""The verb `evaluate`: learners answer the episodes of tasks, and every answer is kept."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool

import fairshot
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.metric import Metric, correctness
from fairshot.runtime.backend import Backend, ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprint import fingerprint
from fairshot.runtime.result import Result, Row, SourceName
from fairshot.sources.source import Source
from fairshot.statistics.estimate import over_episodes
from fairshot.statistics.scores import NO_SCORES, Scores, join_scores, load_scores
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import BLOCK, TaskDistribution

STEP_BYTES = 1 << 24  # features gathered at a time: what fits a core's cache is several times faster than what does not
SLOW_CHUNK = 64  # episodes a portion for learners that take tasks one by one, so that several processes share them
SAVE_SECONDS = 15  # an interrupted command loses at most this much

Progress = Callable[[str, int, int, float], None]
"""Called with what is being done, episodes done, episodes in all, and the running mean."""


@dataclass(frozen=True)
class Answering:
    """One learner before the episodes of one task: a portion of episodes in, their scores out."""

    features: Features
    learner: Classifier
    task: TaskDistribution
    metric: Metric
    seed: int

    def __call__(self, portion: range) -> Scores:
        """Samples these episodes, lets the learner answer them, and compares with the truth."""
        episodes = self.task.sample(self.features.source, portion, self.seed)
        self.features.require(episodes)
        asked = episodes.query_labels != PAD
        correct = np.concatenate([self._correct(episodes[step]) for step in self._steps(episodes)]) & asked
        return Scores(self.metric.score(correct, asked), correct, asked)

    def embed_ahead(self, portions: Sequence[range]) -> None:
        """Embeds what these portions need, so that other processes find it done."""
        for portion in portions:
            self.features.require(self.task.sample(self.features.source, portion, self.seed))

    def _correct(self, episodes: Episodes) -> Bool[np.ndarray, "episode query"]:
        batch = self.features.batch(episodes)
        with torch.inference_mode():
            logits = self.learner.classify(batch)
        if torch.isnan(logits).any():
            raise FairshotError("the learner answered NaN: a classifier returns a number for each query and class")
        return correctness(logits, torch.from_numpy(np.ascontiguousarray(episodes.query_labels)), batch.way).numpy()

    def _steps(self, episodes: Episodes) -> Iterator[slice]:
        images = episodes.support_ids.shape[1] + episodes.query_ids.shape[1]
        size = max(1, STEP_BYTES // (images * self.features.width * 4))
        return (slice(start, start + size) for start in range(0, len(episodes), size))


def evaluate(
    part: Source,
    learners: Mapping[str, Classifier],
    tasks: Sequence[TaskDistribution],
    *,
    episodes: int = 1000,
    seed: int = 0,
    metric: Metric | None = None,
    backend: Backend = "serial",
    out: Path | None = None,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Result:
    """Every learner on every task, on the same episodes; with `out`, scores are kept there, resumed and extended."""
    metric = metric or Accuracy()
    if episodes < 1:
        raise FairshotError(f"{episodes} episodes were asked for: ask for at least 1")
    rows = []
    for name, learner in learners.items():
        features = Features(part, learner)
        for task in tasks:
            answering = Answering(features, learner, task, metric, seed)
            count = min(episodes, task.length or episodes)
            kept = out and out / "scores" / f"{row_key(name, answering)}.npz"
            what = f"{name}, {task.label}"
            scores = _answer_all(answering, count, kept, backend, lambda done, mean: progress(what, done, count, mean))  # noqa: B023
            rows.append(_row(name, answering, scores))
    keys = [row.episodes_key for row in rows]
    return Result(
        seed=seed,
        source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
        episodes_key=keys[0] if len(set(keys)) == 1 else fingerprint(sorted(set(keys))),
        rows=rows,
        notes=list(part.notes),
    )


def row_key(name: str, answering: Answering) -> str:
    """Names the scores of one row: equal keys, equal scores, but for how many episodes there are."""
    part = answering.features.source
    return fingerprint(
        fairshot.__version__, name, dict(answering.learner.settings), answering.task.key(part, answering.seed), part.fingerprint,
        answering.metric.name,
    )  # fmt: skip


def _answer_all(
    answering: Answering, count: int, kept: Path | None, backend: Backend, progress: Callable[[int, float], None]
) -> Scores:
    parts = [load_scores(kept) if kept and kept.exists() else NO_SCORES]
    portions = list(_portions(range(len(parts[0]), count), answering.learner))
    if backend != "serial":
        answering.embed_ahead(portions)
    saved, done, total = time.monotonic(), len(parts[0]), float(parts[0].values.sum())
    for answer in ordered_map(answering, portions, backend):
        parts.append(answer)
        done, total = done + len(answer), total + float(answer.values.sum())
        progress(done, total / done)
        if kept and (done == count or time.monotonic() - saved > SAVE_SECONDS):
            parts, saved = [join_scores(parts)], time.monotonic()
            parts[0].save(kept)
    return join_scores(parts)[:count]


def _portions(episodes: range, learner: Classifier) -> Iterator[range]:
    size = BLOCK if learner.vectorised else SLOW_CHUNK
    start = episodes.start
    while start < episodes.stop:
        stop = min((start // size + 1) * size, episodes.stop)
        yield range(start, stop)
        start = stop


def _row(name: str, answering: Answering, scores: Scores) -> Row:
    estimate = over_episodes(scores.values)
    certain = len(scores) > 1
    return Row(
        learner=name,
        settings=dict(answering.learner.settings),
        task=answering.task.label,
        part=answering.features.source.name,
        metric=answering.metric.name,
        episodes=len(scores),
        episodes_key=answering.task.key(answering.features.source, answering.seed),
        value=estimate.value,
        intervals={"episodes": (estimate.low, estimate.high) if certain else None},
        scores=scores.values.tolist() if answering.task.length else None,
        notes=[] if certain else ["one episode gives no interval"],
    )
