"""Does a choice that helps on novel classes cost accuracy on the base classes? Variants of one learner, both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairshot.evaluation.evaluate import evaluate
from fairshot.evaluation.scorer import Scorer
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.metrics.accuracy import Accuracy
from fairshot.results.folder import joint_key
from fairshot.results.schema import Result, Row
from fairshot.results.study_rows import ChoiceLoss, ChoiceResult, VariantDifference
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.selection import losses
from fairshot.studies.kinds.snapshot_selection import BASE, FOLDS, NOVEL, VAL, lost_points, parts_of
from fairshot.studies.kinds.trained_table import TrainedStudy
from fairshot.studies.study import Conditions
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.folds import support_folds
from fairshot.tasks.task import ClassTask

INTERVALS = {BASE: ("images", "episodes"), VAL: ("classes", "episodes"), NOVEL: ("classes", "episodes")}
FOLD_EPISODES = 100  # supports are many small tasks, and some learners adapt a network to each


@dataclass(frozen=True)
class Choice:
    """One thing that can be chosen: what it is called, and a course for each way of choosing it."""

    label: str
    variants: Mapping[str, str]
    episodes: int | None = None
    """Fewer than others get, where each takes its time."""


@dataclass(frozen=True)
class Trades(TrainedStudy):
    """Every variant on held-out images of base classes, on val and on novel classes."""

    split: str
    task: ClassTask
    choices: tuple[Choice, ...]
    images: int = 1 << 20
    """Of each class, at most."""
    recipe: str | None = None

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every variant on every part."""
        return {
            (f"{choice.label}: {variant}", quantity)
            for choice in self.choices
            for variant in choice.variants
            for quantity in INTERVALS
        }

    def run(self, conditions: Conditions) -> Result:
        """What each choice is worth on either side, and what rules that cannot see novel classes would choose."""
        short, trainings = self.short(conditions), self.trainings
        training = trainings.run(conditions, short=short)
        parts = parts_of(find_split(self.split, recipe=self.recipe), self.images, self.seed)
        rows, differences, lost = list[Row](), list[VariantDifference](), list[ChoiceLoss]()
        results = list[Result]()
        for choice in self.choices:
            learners = {
                f"{choice.label}: {variant}": find_learner(str(trainings.folder(course, conditions, short=short)))
                for variant, course in choice.variants.items()
            }
            count = min(choice.episodes or self.episodes, conditions.limit or self.episodes)
            truth, compared = dict[str, np.ndarray](), dict[str, Sequence[Comparison]]()
            for quantity, part in parts.items():
                evaluation = evaluate(
                    part,
                    learners,
                    [self.task],
                    episodes=count,
                    seed=self.seed,
                    backend=conditions.backend,
                    progress=conditions.progress,
                )
                scores = [evaluation.scores(row)[0].values for row in evaluation.rows]
                truth[quantity], compared[quantity] = np.stack(scores), evaluation.compare()
                rows += [row.model_copy(update={"task": quantity}) for row in evaluation.rows]
                results.append(evaluation.result)
            differences += _differences(list(learners), compared)
            folds = [self._folds(parts[NOVEL], learner, min(count, FOLD_EPISODES)) for learner in learners.values()]
            lost += _lost(choice.label, list(choice.variants), truth, np.array(folds))
        update = {"rows": rows, "training": training, "episodes_key": joint_key(rows), "shots": []}
        fields = dict(results[0].model_copy(update=update)) | {"kind": "choices"}
        return conditions.stamp(ChoiceResult.model_validate(fields | {"losses": lost, "differences": differences}))

    def tables(self, result: Result) -> list[Table]:
        """What each choice is worth on either side, and what rules that cannot see novel classes would lose."""
        assert isinstance(result, ChoiceResult)
        return [_trade_table(result), _loss_table(result.losses)]

    def _folds(self, part: Source, learner: Classifier, count: int) -> float:
        """The mean accuracy by cross-validation on the supports of novel tasks."""
        episodes = support_folds(self.task.sample(part, range(count), self.seed))
        answering = Scorer(Features(part, learner), learner, Accuracy())
        answering.features.require(episodes)
        return float(answering(episodes).values.mean())


def _differences(names: Sequence[str], compared: Mapping[str, Sequence[Comparison]]) -> list[VariantDifference]:
    """By how much every variant differs from the first, on base and on novel classes."""
    return [
        _difference(names[0], name, quantity, compared[quantity]) for name in names[1:] for quantity in (BASE, NOVEL)
    ]


def _difference(first: str, name: str, quantity: str, compared: Sequence[Comparison]) -> VariantDifference:
    """The variant minus the first, with the interval for the population that counts, if there is one."""
    both = next(pair for pair in compared if {pair.first, pair.second} == {first, name})
    sign = 1 if both.first == name else -1
    fields = {"learner": name, "against": first, "task": quantity, "value": sign * both.value + 0.0}
    for population in INTERVALS[quantity]:
        ends = both.differences[population].estimate.interval if population in both.differences else None
        if ends is not None:
            interval = tuple(sorted(sign * end + 0.0 for end in ends))
            return VariantDifference.model_validate(fields | {"interval": interval, "population": population})
    return VariantDifference.model_validate(fields | {"interval": None})


def _lost(label: str, variants: Sequence[str], truth: Mapping[str, np.ndarray], folds: np.ndarray) -> list[ChoiceLoss]:
    rules = {quantity: truth[quantity].mean(axis=1) for quantity in (BASE, VAL)} | {FOLDS: folds}
    return [
        ChoiceLoss(
            choice=label,
            rule=rule,
            chosen=variants[loss.chosen],
            best=variants[loss.best],
            plain=loss.plain,
            crossed=loss.crossed,
        )
        for rule, loss in losses(rules, truth[NOVEL]).items()
    ]


def _trade_table(result: ChoiceResult) -> Table:
    values = {(row.learner, row.task): row.value for row in result.rows}
    differences = {(difference.learner, difference.task): difference for difference in result.differences}
    rows = list[list[Cell]]()
    for name in dict.fromkeys(row.learner for row in result.rows):
        line: list[Cell] = [name]
        for quantity in (BASE, NOVEL):
            accuracy = Quantity(value=values[name, quantity], unit="share")
            line += [accuracy, *_difference_cells(differences.get((name, quantity)))]
        rows.append(line)
    against = ("against the first", "interval over")
    columns = plain_columns("variant", BASE, *against, NOVEL, *against)
    return Table(title="trades", columns=columns, rows=rows, notes=["Paired differences, on the same episodes."])


def _difference_cells(difference: VariantDifference | None) -> list[Cell]:
    if difference is None:
        return [None, None]
    low, high = difference.interval or (None, None)
    why = "" if difference.interval else "no population has one"
    return [Quantity(value=difference.value, unit="points", low=low, high=high, why=why), difference.population or None]


def _loss_table(found: Sequence[ChoiceLoss]) -> Table:
    rows: list[list[Cell]] = [[loss.choice, loss.rule, loss.chosen, loss.best, *lost_points(loss)] for loss in found]
    columns = plain_columns("choice", "rule", "takes", "the best is", "loses", "loses, cross-fitted")
    note = f"Points of {NOVEL}; {FOLDS} looks at {FOLD_EPISODES} supports of novel tasks."
    return Table(title="losses", columns=columns, rows=rows, notes=[note])
