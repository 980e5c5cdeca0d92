"""How much does the best snapshot on test classes owe to luck? Every snapshot of several courses is a candidate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.evaluation.evaluate import evaluate
from fairshot.evaluation.scorer import Scorer
from fairshot.evaluation.selection import selection
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.metrics.accuracy import Accuracy
from fairshot.results.choice_rows import InflationRow
from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Result
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.studies.kinds.snapshot_selection import NOVEL, VAL, parts_of, snapshots_in
from fairshot.studies.kinds.trained_table import TrainedStudy
from fairshot.studies.study import Conditions
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.task import ClassTask

ALL = "all of them"
TASK = "best on novel classes"


@dataclass(frozen=True)
class Winners(TrainedStudy):
    """The best snapshot of each course, and the best of all."""

    split: str
    task: ClassTask
    labels: Mapping[str, str]
    """By course, what it is called."""
    images: int = 1 << 20
    """Of each class, at most."""
    divisions: int = 3
    """How often novel classes are cut into halves, to see what choosing on one gives on the other."""

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every course, and all of them."""
        return {(label, TASK) for label in (*self.labels.values(), ALL)}

    def run(self, conditions: Conditions) -> Result:
        """Every snapshot on val and novel classes, and on halves of the novel ones."""
        short, trainings = self.short(conditions), self.trainings
        training = trainings.run(conditions, short=short)
        parts = parts_of(find_split(self.split), self.images, self.seed)
        evaluations: dict[str, dict[str, Evaluation]] = {}
        halves: dict[str, Float[np.ndarray, "snapshot division side"]] = {}
        for course, label in self.labels.items():
            paths = snapshots_in(trainings.folder(course, conditions, short=short))
            learners = {f"{label}, {number}": find_learner(str(path)) for number, path in enumerate(paths, 1)}
            evaluations[label] = {name: self._evaluate(parts[name], learners, conditions) for name in (VAL, NOVEL)}
            halves[label] = self._on_halves(parts[NOVEL], learners, conditions)
        groups = {label: [label] for label in self.labels.values()} | {ALL: list(self.labels.values())}
        rows = [
            self._row(name, [evaluations[one] for one in own], np.concatenate([halves[one] for one in own]))
            for name, own in groups.items()
        ]
        first = evaluations[next(iter(evaluations))][NOVEL].result
        update = {"rows": rows, "training": training, "shots": [], "notes": []}
        return conditions.stamp(first.model_copy(update=update))

    def _count(self, conditions: Conditions) -> int:
        return min(self.episodes, conditions.limit or self.episodes)

    def _evaluate(self, part: Source, learners: Mapping[str, Classifier], conditions: Conditions) -> Evaluation:
        return evaluate(
            part,
            dict(learners),
            [self.task],
            episodes=self._count(conditions),
            seed=self.seed,
            backend=conditions.backend,
            progress=conditions.progress,
        )

    def _on_halves(
        self, part: Source, learners: Mapping[str, Classifier], conditions: Conditions
    ) -> Float[np.ndarray, "snapshot division side"]:
        """The mean accuracy of every snapshot on either half of the classes, for each way of cutting them."""
        cuts = [halves_of(part, self.seed, division) for division in range(self.divisions)]
        count = self._count(conditions)
        drawn = [[self.task.sample(half, range(count), self.seed) for half in cut] for cut in cuts]
        means = np.zeros((len(learners), self.divisions, 2))
        for number, (name, learner) in enumerate(learners.items()):
            scorer = Scorer(Features(part, learner), learner, Accuracy())  # each image is embedded once for all halves
            for division, side in np.ndindex(self.divisions, 2):
                episodes = drawn[division][side]
                scorer.features.require(episodes)
                means[number, division, side] = float(scorer(episodes).values.mean())
            conditions.progress(f"{name}: halves", number + 1, len(learners), float(means[number].mean()))
        return means

    def _row(
        self, name: str, evaluations: Sequence[Mapping[str, Evaluation]], halves: Float[np.ndarray, "one division side"]
    ) -> InflationRow:
        novel, val = ([each[part] for each in evaluations] for part in (NOVEL, VAL))
        found = selection(novel, val=val, over="classes")[0]
        by_rule = {choice.rule: choice for choice in found.honest}
        row = novel[0].rows[0]
        return InflationRow(
            learner=name,
            task=TASK,
            part=NOVEL,
            metric="accuracy",
            episodes=row.episodes,
            episodes_key=row.episodes_key,
            value=found.value,
            intervals={found.population: (found.low, found.high)},
            headline=found.population,
            candidates=found.candidates,
            best=found.best,
            reported=found.reported.value,
            reported_interval=found.reported.interval,
            honest=by_rule["cross-fitted"].estimate.value,
            half=by_rule["one half"].estimate.value,
            halves=judged_on_other_half(halves),
            chosen_by_val=by_rule["val"].chosen,
            val=by_rule["val"].estimate.value,
            val_interval=by_rule["val"].estimate.interval,
            mean=found.mean,
        )

    def tables(self, result: Result) -> list[Table]:
        """What is printed, what is honest, and by how much they differ."""
        rows = [row for row in result.rows if isinstance(row, InflationRow)]
        return [_table(rows)] if rows else []


def halves_of(part: Source, seed: int, division: int) -> list[Source]:
    """The classes of a part cut into halves."""
    classes = part.classes
    order = Stream(seed, "halves", division).permutations(np.array([len(classes)]))[0]
    return [part.select(np.isin(part.class_ids, classes[places])) for places in np.array_split(order, 2)]


def judged_on_other_half(means: Float[np.ndarray, "one division side"]) -> float:
    """What the best on one half scores on the other, both ways round and over all divisions."""
    divisions = np.arange(means.shape[1])
    scores = [means[means[:, :, side].argmax(axis=0), divisions, 1 - side] for side in (0, 1)]
    return float(np.mean(scores))


def _table(rows: Sequence[InflationRow]) -> Table:
    lines: list[list[Cell]] = []
    for row in rows:
        low, high = row.intervals[row.headline] or (None, None)
        lines.append(
            [
                row.learner,
                row.candidates,
                _share(row.reported, row.reported_interval),
                _share(row.honest),
                Quantity(value=row.value, unit="points", digits=2, low=low, high=high, population=row.headline),
                _share(row.val, row.val_interval),
                _share(row.half),
                _share(row.halves),
                _share(row.mean),
            ]
        )
    heads = ("candidates", "best on test", "cross-fitted", "too well by", "best on val")
    others = ("one half", "halves drawn", "mean")
    notes = [
        f"Accuracy on novel classes, intervals for other {rows[0].headline}. Best on test: as usually printed. "
        "Cross-fitted: chosen on four fifths of the classes and judged on the others. Too well by: how much of the "
        "lead over the mean of all candidates is luck. Best on val: the test score of what validation classes choose. "
        "One half: chosen on one half of the novel classes, judged on the other, by formula; halves drawn: the same, "
        "halves of the classes being drawn and evaluated one by one."
    ]
    return Table(title="inflation", columns=plain_columns("snapshots of", *heads, *others), rows=lines, notes=notes)


def _share(value: float, interval: tuple[float, float] | None = None) -> Quantity:
    low, high = interval or (None, None)
    return Quantity(value=value, unit="share", low=low, high=high)
