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
from fairshot.results.schema import Facts, Result, Row
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.selection import losses
from fairshot.studies.kinds.snapshot_selection import BASE, FOLDS, NOVEL, VAL, parts_of
from fairshot.studies.kinds.trained_table import TrainedStudy
from fairshot.studies.study import Conditions
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
        parts = parts_of(find_split(*self.split.split("/"), recipe=self.recipe), self.images, self.seed)
        rows, traded, lost, results = list[Row](), list[list[str]](), list[list[str]](), list[Result]()
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
            traded += _traded(list(learners), truth, compared)
            folds = [self._folds(parts[NOVEL], learner, min(count, FOLD_EPISODES)) for learner in learners.values()]
            lost += _lost(choice.label, list(choice.variants), truth, np.array(folds))
        facts = [_trades(traded), _losses(lost)]
        update = {"rows": rows, "training": training, "facts": facts, "episodes_key": joint_key(rows), "shots": []}
        return conditions.stamp(results[0].model_copy(update=update))

    def _folds(self, part: Source, learner: Classifier, count: int) -> float:
        """The mean accuracy by cross-validation on the supports of novel tasks."""
        episodes = support_folds(self.task.sample(part, range(count), self.seed))
        answering = Scorer(Features(part, learner), learner, Accuracy())
        answering.features.require(episodes)
        return float(answering(episodes).values.mean())


def _traded(
    names: Sequence[str], truth: Mapping[str, np.ndarray], compared: Mapping[str, Sequence[Comparison]]
) -> list[list[str]]:
    """For each variant its accuracies, and by how much it differs from the first."""
    rows = []
    for number, name in enumerate(names):
        cells = [name]
        for quantity in (BASE, NOVEL):
            cells.append(f"{100 * truth[quantity][number].mean():.1f}")
            cells.append(_difference(names[0], name, compared[quantity], INTERVALS[quantity]) if number else "")
        rows.append(cells)
    return rows


def _difference(first: str, name: str, compared: Sequence[Comparison], populations: Sequence[str]) -> str:
    """The variant minus the first, with the interval for the population that counts, if it can be had."""
    own = next(each for each in compared if {each.first, each.second} == {first, name})
    sign = 1 if own.first == name else -1
    for population in populations:
        ends = own.differences[population].estimate.interval if population in own.differences else None
        if ends is not None:
            low, high = sorted(100 * sign * end + 0.0 for end in ends)
            return f"{100 * sign * own.value:+.1f} [{low:.1f}, {high:.1f}] over {population}"
    return f"{100 * sign * own.value:+.1f} [none]"


def _lost(
    label: str, variants: Sequence[str], truth: Mapping[str, np.ndarray], folds: np.ndarray
) -> list[list[str]]:  # fmt: skip
    rules = {quantity: truth[quantity].mean(axis=1) for quantity in (BASE, VAL)} | {FOLDS: folds}
    return [
        [
            label, rule, variants[loss.chosen], variants[loss.best], f"{100 * loss.plain:.2f}",
            f"{100 * loss.crossed:.2f}",
        ]
        for rule, loss in losses(rules, truth[NOVEL]).items()
    ]  # fmt: skip


def _trades(rows: list[list[str]]) -> Facts:
    columns = ["variant", BASE, "against the first", NOVEL, "against the first "]
    return Facts(title="trades", columns=columns, rows=rows, note="Accuracy in %, paired differences in points.")


def _losses(rows: list[list[str]]) -> Facts:
    columns = ["choice", "rule", "takes", "the best is", "loses", "loses, cross-fitted"]
    note = f"Points of {NOVEL}; {FOLDS} looks at {FOLD_EPISODES} supports of novel tasks."
    return Facts(title="losses", columns=columns, rows=rows, note=note)
