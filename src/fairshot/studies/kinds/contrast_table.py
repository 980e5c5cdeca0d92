"""Tables whose point is a difference: the same learners under several metrics, and chosen ones against each other."""

from collections.abc import Iterable
from dataclasses import dataclass

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.folder import joint_key
from fairshot.results.schema import Result, Row
from fairshot.specs.data import find_part
from fairshot.specs.metrics import find_metric
from fairshot.statistics.comparison import Comparison
from fairshot.studies.kinds.trained_table import TrainedTable
from fairshot.studies.study import Conditions


@dataclass(frozen=True)
class Contrasts(TrainedTable):
    """Learners, and pairs of them whose differences are asked for; classifiers have no clusters to be judged."""

    metrics: tuple[str, ...] = ("clustering", "accuracy")
    contrasts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        strangers = {name for pair in self.contrasts for name in pair} - set(self.learners)
        if strangers:
            raise ValueError(f"no such learners in the table: {sorted(strangers)}")

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner and every pair on every task."""
        pairs = {(f"{first} minus {second}", task.label) for first, second in self.contrasts for task in self.tasks}
        return super().cells | pairs

    def run(self, conditions: Conditions) -> Result:
        """Metric by metric, on the same episodes."""
        learners, training = self.prepare(conditions)
        part, found = find_part(self.what, recipe=self.recipe), []
        for name in self.metrics:
            metric = find_metric(name)
            able = {spec: each for spec, each in learners.items() if each.clusters or not metric.needs_clusters}
            evaluation = evaluate(
                part,
                able,
                self.tasks,
                episodes=min(self.episodes, conditions.limit or self.episodes),
                seed=self.seed,
                metric=metric,
                backend=conditions.backend,
                out=conditions.out and conditions.out / name,
                progress=conditions.progress,
            )
            there = [pair for pair in self.contrasts if set(pair) <= set(evaluation.learners)]
            found += [*evaluation.rows, *self._differences(evaluation.rows, evaluation.compare(only=there))]
        told = self.beside_published(evaluation.result.model_copy(update={"rows": found, "shots": []}), training)
        return conditions.stamp(told.model_copy(update={"episodes_key": joint_key(found)}))

    def _differences(self, rows: list[Row], compared: Iterable[Comparison]) -> list[Row]:
        """What the pairs differ by, first minus second."""
        both = {(each.first, each.second, each.task): (each, 1) for each in compared}
        both |= {(each.second, each.first, each.task): (each, -1) for each in compared}
        found = []
        for first, second in self.contrasts:
            for row in (row for row in rows if row.learner == first):
                if (first, second, row.task) in both:
                    found.append(_difference(row, second, *both[first, second, row.task]))
        return found


def _difference(row: Row, second: str, compared: Comparison, sign: int) -> Row:
    intervals = {}
    for population, difference in compared.differences.items():
        ends = difference.estimate.interval
        intervals[population] = (
            None if ends is None else (min(sign * e + 0.0 for e in ends), max(sign * e + 0.0 for e in ends))
        )
    reasons = [f"{name}: {each.estimate.reason}" for name, each in compared.differences.items() if each.estimate.reason]
    return row.model_copy(
        update={
            "learner": f"{row.learner} minus {second}",
            "metric": f"{row.metric}, difference",
            "settings": {},
            "value": sign * compared.value + 0.0,
            "intervals": intervals,
            "notes": reasons,
            "scores_key": "",
            "scores": None,
            "difference": True,
        }
    )
