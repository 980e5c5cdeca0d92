"""The verb `evaluate`: learners answer the episodes of tasks, and every answer is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from fairshot.evaluation.cell import Cell
from fairshot.evaluation.learner_seeds import by_learner, refuse_seeds, seeds_of
from fairshot.evaluation.observation import answered_labels
from fairshot.evaluation.run_means import mean_row
from fairshot.evaluation.scorer import Scorer, threads_restored
from fairshot.evaluation.share import Share, find_share, plan_of
from fairshot.evaluation.shots import Answered, shot_curves
from fairshot.evaluation.stopping_notes import stopping_notes
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.seen import warnings_of
from fairshot.learners.wrapper import as_clusterer
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.metric import Metric
from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import as_store, joint_key
from fairshot.results.records import EpisodeList, MemoryRecords, Store
from fairshot.results.schema import Result, Row, SourceName
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.data import as_part
from fairshot.specs.encoders import put_encoders, sight_notes
from fairshot.specs.learners import as_learners
from fairshot.specs.metrics import as_metric
from fairshot.specs.tasks import Counts, Shape, as_tasks
from fairshot.statistics.scores import NO_SCORES, Scores
from fairshot.statistics.sequential import FIRST_LOOK, halfwidth, next_look
from fairshot.tables.words import asked_points
from fairshot.tasks.block_memory import BlockMemory
from fairshot.tasks.task import TaskDistribution, require_queries

MOST_EPISODES = 10**10  # their scores alone would fill 80 GB


def evaluate(  # noqa: PLR0913 all but the first three are keywords with defaults
    data: Any,
    learners: Any = "prototypes",
    tasks: Any = None,
    *,
    way: Counts = 5,
    shot: Counts = 1,
    query: int = 15,
    disjoint: str | None = None,
    skip_small: bool = False,
    dirichlet: float | None = None,
    unknown: int = 0,
    metric: Any = None,
    episodes: int = 1000,
    until: float | None = None,
    runs: str | None = None,
    learner_seeds: int | None = None,
    seed: int = 0,
    split: str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    encoder: Any = None,
    groups: str | None = None,
    skip_bad: bool = False,
    allow_seen: bool = False,
    backend: Backend = "auto",
    out: Path | str | Store | None = None,
    shard: str | None = None,
    command: Sequence[str] = (),
    progress: Progress = lambda what, done, whole, mean: None,
) -> Evaluation:
    """Every learner on every task, on the same episodes; wherever something is named, an object or its spec will do.

    With `out`, a folder or another store, scores are kept there, resumed and extended. With `until`, a share such as
    0.005 for half a point, a task ends as soon as the usual interval of every learner is that narrow to either side.
    With `runs`, the learners are training runs of one method, whose mean gets that name; `learner_seeds`: a random
    learner's row is its mean over seeds. With `encoder`, learners without weights see vectors. Learners that saw
    something of the data are refused, unless `allow_seen`. `shard="3/40"` keeps that share; "gather" joins them all.
    """
    refuse_seeds(learner_seeds, runs)
    named = as_learners(put_encoders(learners, encoder, data, recipe))
    where: dict[str, Any] = {"split": split, "part": part, "recipe": recipe, "groups": groups, "skip_bad": skip_bad}
    source, _ = as_part(data, **where, learners=list(named.values()))
    sides: dict[str, Any] = {"disjoint": disjoint, "skip_small": skip_small, "dirichlet": dirichlet}
    shape = Shape(way=way, shot=shot, query=query, unknown=unknown, **sides)
    how: dict[str, Any] = {"episodes": episodes, "until": until, "seed": seed, "runs": runs, "backend": backend}
    how |= {"learner_seeds": learner_seeds, "store": as_store(out), "progress": progress}
    job = _Job(source, named, as_metric(metric), **how)
    job.prepare(as_tasks(source, tasks, shape), allow_seen)
    return job.run(command) if shard is None else job.run_share(shard, out, command)


def answer(part: Source, learner: Classifier, task: TaskDistribution, *, episodes: int, seed: int = 0) -> Scores:
    """The scores of one learner on one task, and no more: what sampling and scoring alone amount to."""
    cell = Cell("", Scorer(Features(part, learner), learner, Accuracy()), task, seed, range(episodes))
    with threads_restored():
        return cell.answer(NO_SCORES, None, "auto", lambda what, done, whole, mean: None)


@dataclass(kw_only=True)
class _Job:
    """One call of `evaluate` under way: what was asked, and what was found so far."""

    part: Source = field(kw_only=False)
    learners: Mapping[str, Classifier] = field(kw_only=False)
    metric: Metric = field(kw_only=False)
    episodes: int
    until: float | None
    runs: str | None
    learner_seeds: int | None
    seed: int
    backend: Backend
    store: Store | None
    progress: Progress
    tasks: list[TaskDistribution] = field(default_factory=list)
    warnings: dict[str, list[str]] = field(default_factory=dict)
    scorers: dict[str, Scorer] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    answered: dict[str, list[Answered]] = field(default_factory=dict)
    scores: dict[str, Scores] = field(default_factory=dict)

    @property
    def source_name(self) -> SourceName:
        return SourceName(
            name=self.part.name,
            fingerprint=self.part.fingerprint,
            recipe=self.part.recipe.name,
            classes=len(self.part.classes),
            images=len(self.part),
        )

    def prepare(self, tasks: list[TaskDistribution], allow_seen: bool) -> None:
        """Everything that can be refused is refused here, before the first answer."""
        _refuse_nonsense(self.episodes, self.until, self.runs, self.learners)
        self.tasks = tasks
        if self.store:
            self.store.refuse_other(self.source_name, self.seed)
        self.warnings = {
            name: warnings_of(name, learner, self.part, allow=allow_seen) for name, learner in self.learners.items()
        }
        _refuse_unjudged(self.metric, self.learners, tasks)
        for task in tasks[1:]:  # too few images for the last of them must be said now; the first says so by itself
            task.sample(self.part, range(1), self.seed)
        self.scorers = {
            name: Scorer(Features(self.part, learner), learner, self.metric) for name, learner in self.learners.items()
        }
        self.answered = {name: [] for name in self.learners}

    def run(self, command: Sequence[str]) -> Evaluation:
        """All tasks, one after the other."""
        for task in self.tasks:
            self._run_task(task)
        result = self._result(command)
        lists = {task.key(self.part, self.seed): EpisodeList(task, self.part, self.seed) for task in self.tasks}
        ask = {name: partial(answered_labels, self.part, learner) for name, learner in self.learners.items()}
        records = MemoryRecords(self.scores, lists, ask)
        if self.store:
            self.store.keep(result, records)
        return Evaluation(result, records)

    def run_share(self, shard: str, out: Any, command: Sequence[str]) -> Evaluation:
        """The share of one shard, whose rows have no values yet; or what all shards have answered."""
        if self.until is not None:
            raise FairshotError("how many episodes until asks for shows only while they are answered: leave out shard")
        cells = [cell for task in self.tasks for cell in self._asked(task) if cell.unable is None]
        share = find_share(shard, out, plan_of(shard, cells, self.source_name, self.seed, command))
        if not isinstance(share, Share):
            self.store = share
            return self.run(share.plan.command)
        with threads_restored():
            told = [share.answer(cell, self.backend, self.progress) for cell in cells]
        self.rows = [cell.row_without_value(words) for cell, words in zip(cells, told, strict=True)]
        self.runs = None  # a mean of what is not known yet
        result = self._result(share.plan.command)
        return Evaluation(result.model_copy(update={"notes": [*result.notes, share.note]}), MemoryRecords())

    def _asked(self, task: TaskDistribution) -> list[Cell]:
        first = range(min(self.episodes, task.length(self.part) or self.episodes))
        blocks = BlockMemory()
        return [
            Cell(name, replace(scorer, learner=learner), task, self.seed, first, blocks)
            for name, scorer in self.scorers.items()
            for learner in seeds_of(scorer.learner, self.learner_seeds)
        ]

    def _run_task(self, task: TaskDistribution) -> None:
        asked = self._asked(task)
        unable = {cell.name: cell for cell in asked if cell.unable is not None}
        self.rows += [cell.row_without_value(f"N/A: {cell.unable}") for cell in unable.values()]
        able = [cell for cell in asked if cell.unable is None]
        if self.runs and unable:
            reason = next(cell.unable for cell in unable.values())
            raise FairshotError(f"{task.label} has no mean of all runs: {reason}")
        cells, scores = self._answer_all(able)
        if cells:
            self._add_rows(task, cells, scores)

    def _answer_all(self, cells: list[Cell]) -> tuple[list[Cell], list[Scores]]:
        """The same number of episodes for all: those asked for, or as many as it takes. Who fails is left out."""
        if not cells:
            return [], []
        most = cells[0].episodes.stop
        count = most if self.until is None else min(FIRST_LOOK, most)
        known = [NO_SCORES for _ in cells]
        with threads_restored():
            while True:
                cells, known = self._answer_some(cells, known, count)
                values = [scores.values for scores in known]
                if self.until is None or count >= most or max(map(halfwidth, values)) <= self.until:
                    return cells, known
                count = next_look(values, self.until, most)

    def _answer_some(self, cells: list[Cell], known: list[Scores], count: int) -> tuple[list[Cell], list[Scores]]:
        answered: list[tuple[Cell, Scores]] = []
        for cell, scores in zip(cells, known, strict=True):
            asked = replace(cell, episodes=range(count))
            try:
                answered.append((asked, asked.answer(scores, self.store, self.backend, self.progress)))
            except Exception as error:
                if len(self.learners) == 1 or self.runs or self.learner_seeds:
                    raise
                self._leave_out(cell, error)
        return [cell for cell, _ in answered], [scores for _, scores in answered]

    def _leave_out(self, cell: Cell, error: Exception) -> None:
        """A learner that fails is named, and the others go on; where all fail, the last one's error is raised."""
        self.rows.append(cell.row_without_value(f"failed: {_one_line(error)}"))
        failed = {row.learner for row in self.rows if row.value is None}
        if failed == set(self.learners):
            raise error

    def _add_rows(self, task: TaskDistribution, cells: list[Cell], scores: list[Scores]) -> None:
        sequential = self.until is not None and task.seeded
        rows = [cell.row(cell_scores, sequential) for cell, cell_scores in zip(cells, scores, strict=True)]
        self.scores |= {row.scores_key: cell_scores for row, cell_scores in zip(rows, scores, strict=True)}
        self.rows += rows if self.learner_seeds is None else by_learner(cells, rows, scores)
        for row, cell_scores in zip(rows, scores, strict=True):
            if not (self.learner_seeds and self.learners[row.learner].random):  # a curve is drawn of single answers
                self.answered[row.learner].append(Answered(row, task, cell_scores))
        if self.runs:
            self.rows.append(mean_row(self.runs, cells, rows, scores))

    def _result(self, command: Sequence[str]) -> Result:
        order = [*self.learners, self.runs]
        rows = sorted(self.rows, key=lambda row: order.index(row.learner))
        warnings = {name: [*own, *self.scorers[name].features.tell_scale(name)] for name, own in self.warnings.items()}
        if self.runs:
            warnings[self.runs] = [warning for own in warnings.values() for warning in own]
        rows = [row.model_copy(update={"warnings": [*warnings[row.learner], *row.warnings]}) for row in rows]
        higher = self.metric.higher_is_better
        curves = [
            curve
            for answered in self.answered.values()
            for curve in shot_curves(self.part, answered, seed=self.seed, higher_is_better=higher)
        ]
        return Result(
            seed=self.seed,
            source=self.source_name,
            rows=rows,
            shots=curves,
            notes=[*self.part.notes, *sight_notes(self.learners, self.part), *stopping_notes(rows, self.until)],
            episodes_key=joint_key(rows),
            command=list(command),
        )


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, FairshotError) else f"{type(error).__name__}: {text}"


def _refuse_nonsense(episodes: int, until: float | None, runs: str | None, learners: Mapping[str, Classifier]) -> None:
    if not 1 <= episodes <= MOST_EPISODES:
        limit = "at least 1" if episodes < 1 else f"at most {MOST_EPISODES:,}"
        raise FairshotError(f"{episodes} episodes were asked for: ask for {limit}")
    if until is not None and not 0 < until < 1:
        raise FairshotError(
            f"a half-width of {asked_points(until)} points makes no sense: ask for one between 0 and 100, such as 0.5"
        )
    if runs is not None and len(learners) < 2:
        raise FairshotError("one run tells nothing about others: give the learners of at least two runs")
    if runs in learners:
        raise FairshotError(f"'{runs}' is one of the learners: give their mean another name with runs")


def _refuse_unjudged(metric: Metric, learners: Mapping[str, Classifier], tasks: Sequence[TaskDistribution]) -> None:
    """Tasks and learners must have what the metric judges."""
    if metric.needs_unknown and not all(getattr(task, "unknown", 0) for task in tasks):
        raise FairshotError(
            f"{metric.name} measures how well known classes are distinguished from unknown ones, and there are none: "
            "let unknown be 5"
        )
    if metric.needs_clusters:
        for learner in learners.values():
            as_clusterer(learner)
        return
    for task in tasks:
        require_queries(task, metric.name)
