"""Who is best in the distribution of training, and who beyond it: accuracies with ranks, one benchmark a column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.folder import joint_key
from fairshot.results.schema import Result, Row
from fairshot.results.study_rows import RankRow
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.ranks import rank_bounds
from fairshot.studies.kinds.trained_table import TrainedStudy
from fairshot.studies.study import Conditions
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.task import TaskDistribution

Side = Literal["in", "out"]
# Whom an interval should be for, the first that can be had: other classes, or other makers and images of the same.
POPULATIONS = {"in": ("values", "images", "episodes"), "out": ("classes", "images", "episodes")}


@dataclass(frozen=True)
class Column:
    """One benchmark: a part whose tasks are like those of training, or not."""

    label: str
    side: Side
    what: str
    task: TaskDistribution
    courses: Mapping[str, str]
    """By learner."""
    recipe: str | None = None
    published: Mapping[str, float] = field(default_factory=dict)
    stands_for: str = ""
    """What it was published for, where that is another benchmark."""


@dataclass(frozen=True)
class RankTable(TrainedStudy):
    """Learners (rows) on benchmarks (columns)."""

    learners: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner that has a course, on every benchmark."""
        return {(name, column.label) for column in self.columns for name in column.courses}

    def published_for(self, learner: str, task: str, metric: str) -> float | None:
        """For the benchmark, or the one that it stands for."""
        return next(column.published.get(learner) for column in self.columns if column.label == task)

    def run(self, conditions: Conditions) -> Result:
        """Column by column; all learners answer the same episodes."""
        short, trainings = self.short(conditions), self.trainings
        training = trainings.run(conditions, short=short)
        rows, results = list[Row](), list[Result]()
        for column in self.columns:
            learners = {
                name: find_learner(str(trainings.folder(course, conditions, short=short)))
                for name, course in column.courses.items()
            }
            evaluation = evaluate(
                find_part(column.what, recipe=column.recipe),
                learners,
                [column.task],
                episodes=min(self.episodes, conditions.limit or self.episodes),
                seed=self.seed,
                backend=conditions.backend,
                progress=conditions.progress,
            )
            rows += _ranked(column, evaluation.rows, evaluation.compare() if len(learners) > 1 else [])
            results.append(evaluation.result)
        update = {"rows": rows, "training": training, "episodes_key": joint_key(rows)}
        return conditions.stamp(results[0].model_copy(update={**update, "shots": [], "notes": []}))

    def tables(self, result: Result) -> list[Table]:
        """Ranks, and accuracies beside what was published for the benchmark or the one that it stands for."""
        rows = {(row.learner, row.task): row for row in result.rows if isinstance(row, RankRow)}
        return [self._rank_table(rows), self._accuracy_table(rows)]

    def _rank_table(self, rows: Mapping[tuple[str, str], RankRow]) -> Table:
        lines: list[list[Cell]] = [
            [name, *(_rank(rows.get((name, column.label))) for column in self.columns)] for name in self.learners
        ]
        note = "The place of each learner, in brackets the places that cannot be distinguished from it."
        heads = [f"{column.label} ({column.side})" for column in self.columns]
        return Table(title="ranks", columns=plain_columns("learner", *heads), rows=lines, notes=[note])

    def _accuracy_table(self, rows: Mapping[tuple[str, str], RankRow]) -> Table:
        heads, lines = ["learner"], [list[Cell]([name]) for name in self.learners]
        for column in self.columns:
            heads.append(f"{column.label} ({column.side})")
            heads += [f"published, {column.stands_for}"] if column.published else []
            for name, line in zip(self.learners, lines, strict=True):
                line.append(_accuracy(rows.get((name, column.label))))
                if column.published:
                    line.append(_share(column.published.get(name)))
        return Table(title="accuracies", columns=plain_columns(*heads), rows=lines)


def _rank(row: RankRow | None) -> Cell:
    if row is None:
        return None
    low, high = (None, None) if row.rank is None else row.ranks
    return Quantity(value=row.rank, unit="count", low=low, high=high)


def _accuracy(row: RankRow | None) -> Cell:
    return None if row is None else Quantity(value=row.value, unit="share")


def _share(value: float | None) -> Cell:
    return None if value is None else Quantity(value=value, unit="share")


def _ranked(column: Column, rows: Sequence[Row], compared: Sequence[Comparison]) -> list[RankRow]:
    """With the place of each learner, and the places that it could have for all that is known."""
    order = sorted((row for row in rows if row.value is not None), key=lambda row: -row.number)
    place = {row.learner: number for number, row in enumerate(order)}
    claims = np.zeros((len(order), len(order)), dtype=bool)
    for each in compared:
        ends = next(
            (ends for name in POPULATIONS[column.side] if (ends := _interval(each, name)) is not None), (-1.0, 1.0)
        )
        if ends[0] > 0 or ends[1] < 0:
            winner, loser = (each.first, each.second) if ends[0] > 0 else (each.second, each.first)
            claims[place[winner], place[loser]] = True
    bounds = {row.learner: (int(low), int(high)) for row, low, high in zip(order, *rank_bounds(claims), strict=True)}
    ranked = []
    for row in rows:
        fields = row.model_dump(exclude={"kind", "task", "published"}) | {
            "task": column.label,
            "episodes_of": row.task,
            "side": column.side,
            "rank": None if row.value is None else order.index(row) + 1,
            "ranks": bounds.get(row.learner, (1, len(order))),
            "published": column.published.get(row.learner),
            "stands_for": column.stands_for,
        }
        ranked.append(RankRow.model_validate(fields))
    return ranked


def _interval(compared: Comparison, population: str) -> tuple[float, float] | None:
    own = compared.differences.get(population)
    return None if own is None else own.estimate.interval
