"""Who is best in the distribution of training, and who beyond it: accuracies with ranks, one benchmark a column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.folder import joint_key
from fairshot.results.schema import Facts, Result, Row
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.statistics.comparison import Comparison
from fairshot.studies.kinds.trained_table import TrainedStudy
from fairshot.studies.study import Conditions
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
        update = {"rows": rows, "training": training, "episodes_key": joint_key(rows), "facts": [self._facts(rows)]}
        return conditions.stamp(results[0].model_copy(update={**update, "shots": [], "notes": []}))

    def _facts(self, rows: Sequence[Row]) -> Facts:
        """Ranks before accuracies; what was published for the benchmark, or the one it stands for, beside."""
        found = {(row.learner, row.task): row for row in rows}
        text: list[list[str]] = []
        for name in self.learners:
            cells = [name]
            for column in self.columns:
                row = found.get((name, column.label))
                cells.append("" if row is None else _cell(row))
                if column.published:
                    cells.append(f"{100 * column.published[name]:.1f}" if name in column.published else "")
            text.append(cells)
        heads = ["learner"]
        for column in self.columns:
            heads.append(f"{column.label} ({column.side})")
            heads += [f"published, {column.stands_for}"] if column.published else []
        note = "Rank, in brackets the ranks that cannot be told apart from it, and accuracy in %."
        return Facts(title="ranks", columns=heads, rows=text, note=note)


def _cell(row: Row) -> str:
    told = row.model_extra or {}
    if row.value is None:
        return "N/A"
    low, high = told["ranks"]
    return f"{told['rank']} [{low}-{high}] {100 * row.value:.1f}"


def _ranked(column: Column, rows: Sequence[Row], compared: Sequence[Comparison]) -> list[Row]:
    """With the place of each learner, and the places that it could have for all that is known."""
    order = sorted((row for row in rows if row.value is not None), key=lambda row: -row.number)
    better, worse = ({row.learner: 0 for row in rows} for _ in range(2))
    for each in compared:
        ends = next(
            (ends for name in POPULATIONS[column.side] if (ends := _interval(each, name)) is not None), (-1.0, 1.0)
        )
        if ends[0] > 0 or ends[1] < 0:
            winner, loser = (each.first, each.second) if ends[0] > 0 else (each.second, each.first)
            better[loser] += 1
            worse[winner] += 1
    found = []
    for row in rows:
        rank = None if row.value is None else order.index(row) + 1
        ranks = (1 + better[row.learner], len(order) - worse[row.learner])
        update = {
            "task": column.label, "episodes_of": row.task, "side": column.side, "rank": rank, "ranks": ranks,
            "published": column.published.get(row.learner), "stands_for": column.stands_for,
        }  # fmt: skip
        found.append(row.model_copy(update=update))
    return found


def _interval(compared: Comparison, population: str) -> tuple[float, float] | None:
    own = compared.differences.get(population)
    return None if own is None else own.estimate.interval
