"""The verb `evaluate`: learners answer the episodes of tasks, and every answer is kept."""

import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

import fairshot
from fairshot.evaluation.learner_seeds import by_learner, refuse_seeds, seeds_of
from fairshot.evaluation.shots import Answered, family_of, shot_curves
from fairshot.evaluation.stopping_notes import stopping_notes
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier, name_clusters
from fairshot.learners.seen import warnings_of
from fairshot.learners.wrapper import as_clusterer
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.metric import Clustering, Judged, Metric, Share
from fairshot.results.folder import joint_key, keep_records, refuse_other_results, scores_path
from fairshot.results.schema import Result, Row, SourceName
from fairshot.runtime.assignment import count_pairs
from fairshot.runtime.backends.backend import Backend, Progress, ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.statistics.answers import Answers, Layout, drawable_layout, tabulate
from fairshot.statistics.confusion_groups import confusable_warning
from fairshot.statistics.estimate import Estimate, Spread, refuse
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.populations import MOST, estimate_all
from fairshot.statistics.intervals.runs import mean_of_runs, over_runs, over_runs_and_classes
from fairshot.statistics.scores import NO_SCORES, Scores, join_scores, load_scores
from fairshot.statistics.sequential import FIRST_LOOK, at_any_time, halfwidth, inflation, next_look
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.task import BLOCK, TaskDistribution, require_queries

STEP_BYTES = 1 << 24  # features gathered at a time: what fits the cache is several times faster than what does not
LARGEST_PORTION = {"threads": BLOCK, "auto": 64, "local": 64, "serial": BLOCK}  # episodes handed out at a time
SAVE_SECONDS = 5  # an interrupted command loses at most this much


@dataclass(frozen=True)
class Answering:
    """One learner before episodes: some of them in, their scores out."""

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
        portions = (episodes[start : start + step] for start in range(0, len(episodes), step))
        return join_scores([self._scores(portion) for portion in portions])

    def step(self, episodes: Episodes) -> int:
        """How many such episodes are best answered at a time; their images have been embedded."""
        images = episodes.support_ids.shape[1] + episodes.query_ids.shape[1]
        return max(1, STEP_BYTES // (images * self.features.width * 4))

    def judge(self, episodes: Episodes) -> Judged:
        """Logits beside the truth."""
        batch = self.features.batch(episodes)
        truth = torch.from_numpy(np.ascontiguousarray(episodes.query_labels))
        with torch.inference_mode():
            if not self.metric.needs_clusters:
                return Judged(self.learner.classify(batch), truth, batch.way)
            found = as_clusterer(self.learner).cluster(batch.unlabelled, batch.sizes)
            counts = count_pairs(found.assigned.numpy(), episodes.support_labels, (found.query.shape[2], batch.width))
            clustering = Clustering(counts, found.count.numpy(), batch.way.numpy())
            return Judged(name_clusters(found, batch), truth, batch.way, clustering)

    def _scores(self, episodes: Episodes) -> Scores:
        judged = self.judge(episodes)
        return Scores(self.metric.score(judged), judged.correct, judged.known)


def answer(part: Source, learner: Classifier, task: TaskDistribution, *, episodes: int, seed: int = 0) -> Scores:
    """The scores of one learner on one task, and no more: what sampling and scoring alone amount to."""
    row = _Row("", Answering(Features(part, learner), learner, Accuracy()), task, seed, range(episodes))
    with _threads_restored():
        return row.answer(NO_SCORES, None, "auto", lambda what, done, whole, mean: None)


def evaluate(  # noqa: PLR0913 all but the first three are keywords with defaults
    part: Source,
    learners: Mapping[str, Classifier],
    tasks: Sequence[TaskDistribution],
    *,
    episodes: int = 1000,
    until: float | None = None,
    runs: str | None = None,
    learner_seeds: int | None = None,
    seed: int = 0,
    metric: Metric | None = None,
    allow_seen: bool = False,
    backend: Backend = "auto",
    out: Path | None = None,
    stamp: Callable[[Result], Result] = lambda result: result,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Result:
    """Every learner on every task, on the same episodes; with `out`, scores are kept there, resumed and extended.

    With `until`, a task ends as soon as the sampler's interval of every learner is that narrow to either side, with
    `episodes` at most. With `runs`, the learners are training runs of one method, whose mean gets that name. With
    `learner_seeds`, a learner that draws random numbers answers with so many seeds, and its row is their mean. `stamp`
    adds to the result, before it is kept, what only the caller knows. A learner that was trained on something in the
    part is refused, unless that is allowed; then the result says so.
    """
    _refuse_nonsense(episodes, until, runs, learners)
    refuse_seeds(learner_seeds, runs)
    source = SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name)
    refuse_other_results(out, source, seed)
    warned = {name: warnings_of(name, one, part, allow=allow_seen) for name, one in learners.items()}
    metric, tasks = metric or Accuracy(), [task.settle(part) for task in tasks]
    _refuse_unjudged(metric, learners, tasks)
    answering = {name: Answering(Features(part, learner), learner, metric) for name, learner in learners.items()}
    found: list[tuple[Row, np.ndarray]] = []
    by_shot: dict[str, list[Answered]] = {name: [] for name in learners}
    for task in tasks:
        first = range(min(episodes, task.length(part) or episodes))
        asked = [
            _Row(name, replace(judge, learner=own), task, seed, first)
            for name, judge in answering.items()
            for own in seeds_of(judge.learner, learner_seeds)
        ]
        each = [row for row in asked if row.unable is None]
        unable = {row.name: row for row in asked if row.unable is not None}
        found += [(row.not_applicable(), np.empty(0)) for row in unable.values()]
        if runs and len(each) < len(asked):
            raise FairshotError(
                f"{task.label} has no mean of all runs: {next(row.unable for row in asked if row.unable)}"
            )
        if not each:
            continue
        with _threads_restored():
            answered = _answer_all(each, until, lambda row, known: row.answer(known, out, backend, progress))
        looked = until is not None and task.seeded
        reports = [row.report(scores, looked) for row, scores in zip(each, answered, strict=True)]
        told = list(zip(reports, [scores.values for scores in answered], strict=True))
        found += told if learner_seeds is None else by_learner(each, reports, answered, _mean_row)
        for row, own in zip(reports, answered, strict=True):
            if not (learner_seeds and learners[row.learner].random):  # a curve is drawn of single answers
                by_shot[row.learner].append(Answered(row, task, own))
        if runs:
            found.append(_mean_row(runs, each, reports, answered))
    found.sort(key=lambda pair: [*learners, runs].index(pair[0].learner))
    warned = {name: [*own, *answering[name].features.tell_scale(name)] for name, own in warned.items()}
    warned |= {runs: [warning for own in warned.values() for warning in own]} if runs else {}
    rows = [row.model_copy(update={"warnings": [*warned[row.learner], *row.warnings]}) for row, _ in found]
    scores = [values for _, values in found]
    notes = [*part.notes, *stopping_notes(rows, until)]
    higher = metric.higher_is_better
    curves = [c for own in by_shot.values() for c in shot_curves(part, own, seed=seed, higher_is_better=higher)]
    key = joint_key(rows)
    result = stamp(Result(seed=seed, source=source, rows=rows, shots=curves, notes=notes, episodes_key=key))
    if out:
        keep_records(out, result, scores, {task.key(part, seed): (task, part) for task in tasks})
    return result


def _refuse_nonsense(episodes: int, until: float | None, runs: str | None, learners: Mapping[str, Classifier]) -> None:
    if episodes < 1:
        raise FairshotError(f"{episodes} episodes were asked for: ask for at least 1")
    if until is not None and not 0 < until < 1:
        raise FairshotError(f"a half-width of {100 * until:g} points makes no sense: ask for one above 0, such as 0.5")
    if runs is not None and len(learners) < 2:
        raise FairshotError("one run tells nothing about others: give the learners of at least two runs")
    if runs in learners:
        raise FairshotError(f"'{runs}' is one of the learners: give their mean another name with --runs")


def _refuse_unjudged(metric: Metric, learners: Mapping[str, Classifier], tasks: Sequence[TaskDistribution]) -> None:
    """Tasks and learners must have what the metric judges."""
    if metric.needs_unknown and not all(getattr(task, "unknown", 0) for task in tasks):
        raise FairshotError(
            f"{metric.name} judges how known classes are told from unknown ones, and there are none: add --unknown 5"
        )
    if metric.needs_clusters:
        for learner in learners.values():
            as_clusterer(learner)
        return
    for task in tasks:
        require_queries(task, metric.name)


def _answer_all(rows: "list[_Row]", until: float | None, answer: "Callable[[_Row, Scores], Scores]") -> list[Scores]:
    """The same number of episodes for all: those asked for, or as many as it takes."""
    most = rows[0].episodes.stop
    count = most if until is None else min(FIRST_LOOK, most)
    known = [NO_SCORES for _ in rows]
    while True:
        asked = [replace(row, episodes=range(count)) for row in rows]
        known = [answer(row, scores) for row, scores in zip(asked, known, strict=True)]
        values = [scores.values for scores in known]
        if until is None or count >= most or max(map(halfwidth, values)) <= until:
            return known
        count = next_look(values, until, most)


def _mean_row(
    name: str, rows: "Sequence[_Row]", reports: Sequence[Row], scores: Sequence[Scores]
) -> tuple[Row, np.ndarray]:
    """The mean of several training runs, with intervals for other runs too."""
    values = np.stack([each.values for each in scores])
    mean, sequential, per_query = values.mean(axis=0), reports[0].sequential, all(row.per_query for row in rows)
    tables = [row.answers(each, per_query) for row, each in zip(rows, scores, strict=True)]
    together = mean_of_runs(tables)
    estimates = rows[0].estimates(together, mean, sequential)
    spreads = {"runs": over_runs(values)}
    if "classes" in estimates:
        spreads["runs and classes"] = over_runs_and_classes(tables)
    for population, spread in spreads.items():
        if isinstance(spread, Spread) and sequential:
            spread = replace(spread, sampling=inflation(mean) * spread.sampling)
        estimates[population] = (
            refuse(float(mean.mean()), population, spread)
            if isinstance(spread, str)
            else spread.estimate(worst=rows[0].worst(together))
        )
    keys = [row.scores_key for row in reports]
    row = reports[0].model_copy(
        update={
            "learner": name,
            "settings": {"runs": [row.learner for row in reports]},
            "scores_key": fingerprint(keys),
            "runs": keys,
            "per_query": per_query,
            "scores": None if reports[0].scores is None else mean.tolist(),
            **_told(estimates, together.layout),
        }
    )
    return row, mean


def _told(estimates: Mapping[str, Estimate], layout: Layout) -> dict[str, Any]:
    """What a row says of its estimates."""
    return {
        "value": estimates["episodes"].value,
        "intervals": {name: estimate.interval for name, estimate in estimates.items()},
        "headline": headline(estimates, len(np.unique(layout.parents))),
        "notes": [f"{name}: {estimate.reason}" for name, estimate in estimates.items() if estimate.reason],
    }


def _use_one_thread() -> None:
    torch.set_num_threads(1)


@contextmanager
def _threads_restored() -> Iterator[None]:
    threads = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def one_thread() -> Iterator[None]:
    """Few episodes at a time are answered faster without threads, and in a time that does not hang on their number."""
    with _threads_restored():
        _use_one_thread()
        yield


@dataclass(frozen=True)
class _Row:
    """One learner on the first episodes of one task."""

    name: str
    answering: Answering
    task: TaskDistribution
    seed: int
    episodes: range

    @property
    def part(self) -> Source:
        return self.answering.features.source

    @property
    def per_query(self) -> bool:
        """Whether each query is answered and judged by itself."""
        return isinstance(self.answering.metric, Share) and not self.answering.learner.transductive

    @cached_property
    def key(self) -> str:
        """Names the scores: equal keys, equal scores, but for how many episodes there are."""
        metric = self.answering.metric
        return fingerprint(
            fairshot.__version__,
            self.name,
            self.answering.identity,
            metric.name,
            asdict(metric),
            self.task.key(self.part, self.seed),
            self.part.fingerprint,
        )

    @cached_property
    def unable(self) -> str | None:
        """Why the learner cannot serve the first episodes of the task; None if it can."""
        if type(self.answering.learner).unable is Classifier.unable:
            return None
        ways = np.unique(self.task.sample(self.part, self.episodes[:BLOCK], self.seed).ways).tolist()
        reasons = [reason for way in ways if (reason := self.answering.learner.unable(way))]
        return reasons[0] if reasons else None

    def not_applicable(self) -> Row:
        """The row of a learner that cannot serve the task."""
        return self._row(0, value=None, intervals={}, notes=[f"N/A: {self.unable}"])

    def answer(self, known: Scores, out: Path | None, backend: Backend, progress: Progress) -> Scores:
        """The scores, as far as possible those known or kept in `out`, which are completed."""
        kept = scores_path(out, self.key) if out else None
        parts = [load_scores(kept) if kept and kept.exists() else known]
        missing = range(len(parts[0]), self.episodes.stop)
        backend = "threads" if backend == "auto" and self.answering.learner.threads else backend
        size = max(1, min(LARGEST_PORTION[backend], len(missing) // (4 * (os.cpu_count() or 1))))
        portions = self._portions(missing, size)
        if backend in ("auto", "local"):
            for _ in self._portions(missing, BLOCK):
                pass  # embeds every image now, so that other processes find it done
        done, total, saved = len(parts[0]), float(parts[0].values.sum()), time.monotonic()
        answers = ordered_map(
            self.answering, portions, count=-(-len(missing) // size), backend=backend, prepare=_use_one_thread
        )
        for answer in answers:
            parts.append(answer)
            done, total = done + len(answer), total + float(answer.values.sum())
            progress(f"{self.name}, {self.task.label}", done, self.episodes.stop, total / done)
            if kept and (done == self.episodes.stop or time.monotonic() - saved > SAVE_SECONDS):
                parts, saved = [join_scores(parts)], time.monotonic()
                parts[0].save(kept)
        return join_scores(parts)[: self.episodes.stop]

    def _portions(self, episodes: range, size: int) -> Iterator[Episodes]:
        """Sampled block by block, embedded, and handed out in portions."""
        start = episodes.start
        while start < episodes.stop:
            stop = min((start // BLOCK + 1) * BLOCK, episodes.stop)  # never across blocks: padding is that of the block
            block = self.task.sample(self.part, range(start, stop), self.seed)
            start = stop
            self.answering.features.require(block)
            for first in range(0, len(block), size):
                yield block[first : first + size]

    def report(self, scores: Scores, sequential: bool) -> Row:
        """The row of the result."""
        answers = self.answers(scores, self.per_query)
        told = _told(self.estimates(answers, scores.values, sequential), answers.layout)
        kept = None if self.task.seeded else scores.values.tolist()
        row = self._row(len(scores), **told)
        update = {"scores_key": self.key, "sequential": sequential, "scores": kept}
        warnings = confusable_warning(answers, self.part.class_names) if row.headline == "classes" else []
        return row.model_copy(update=update | {"warnings": warnings})

    def _row(self, episodes: int, *, value: float | None, **told: Any) -> Row:
        return Row(
            learner=self.name,
            settings=dict(self.answering.learner.settings),
            task=self.task.label,
            family=family_of(self.task),
            counterpart=self.task.counterpart,
            shot=getattr(self.task, "shot", None),
            part=self.part.name,
            metric=self.answering.metric.name,
            episodes=episodes,
            episodes_key=self.task.key(self.part, self.seed),
            higher_is_better=self.answering.metric.higher_is_better,
            per_query=self.per_query,
            value=value,
            **told,
        )

    def estimates(self, answers: Answers, scores: np.ndarray, sequential: bool) -> dict[str, Estimate]:
        """The mean of all scores with an interval for each population that the task can speak about."""
        sequential = sequential and len(scores) > 1
        usual = (at_any_time if sequential else over_episodes)(scores, difference=not self.answering.metric.fraction)
        if not self.task.seeded:  # a fixed list was not drawn: it tells nothing about other images and classes
            return {"episodes": usual}
        if self.task.closed:  # episodes that share no image vary as fresh images do
            reason = "images of one group are in different episodes"
            alike = answers.layout.grouped
            images = refuse(usual.value, "images", reason) if alike else replace(usual, population="images")
            return {"episodes": usual, "images": images}
        fraction = self.answering.metric.fraction
        return estimate_all(answers, scores, difference=not fraction, sequential=sequential, worst=self.worst(answers))

    def worst(self, answers: Answers) -> float | None:
        """The score of a class whose queries are answered by chance."""
        return self.answering.metric.of_hopeless(float((1 / answers.way).mean()))

    def answers(self, scores: Scores, per_query: bool) -> Answers:
        """What was answered in the first episodes, as many as intervals need."""
        counted = range(min(len(scores), MOST))
        sampled = self.task.sample(self.part, counted, self.seed)
        first, metric = scores[: counted.stop], self.answering.metric
        if isinstance(metric, Share):
            first = replace(first, correct=metric.marked(first.correct))
        return tabulate(drawable_layout(self.task, self.part), sampled, first, per_query=per_query)
