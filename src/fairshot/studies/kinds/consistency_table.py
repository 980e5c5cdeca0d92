"""Tables of CSCC: the unsupervised accuracy of clusterers, the accuracy of classifiers, and their ratio."""

from dataclasses import dataclass

from fairshot.evaluation.consistency import Pair, refuse_pairs, with_ratios
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.learner import Classifier
from fairshot.results.schema import Result, Row
from fairshot.specs.data import find_part
from fairshot.specs.metrics import find_metric
from fairshot.studies.kinds.trained_table import TrainedTable
from fairshot.studies.study import Conditions


@dataclass(frozen=True)
class Consistency(TrainedTable):
    """Learners in pairs, a clusterer and its classifier; and clusterers whose clusters are judged as well."""

    pairs: tuple[Pair, ...] = ()
    clustering: tuple[str, ...] = ()

    def run(self, conditions: Conditions) -> Result:
        """Ratios first, then the accuracies behind them."""
        learners, training = self.prepare(conditions)
        refuse_pairs(self.pairs, learners)
        found = evaluate(
            find_part(self.what, recipe=self.recipe),
            learners,
            self.tasks,
            episodes=min(self.episodes, conditions.limit or self.episodes),
            seed=self.seed,
            backend=conditions.backend,
            out=conditions.out,
            progress=conditions.progress,
        )
        found = with_ratios(found, self.pairs)
        rows = [*found.rows, *self._clusterings(learners, conditions)]
        return conditions.stamp(self.beside_published(found.result.model_copy(update={"rows": rows}), training))

    def _clusterings(self, learners: dict[str, Classifier], conditions: Conditions) -> list[Row]:
        if not self.clustering:
            return []
        return evaluate(
            find_part(self.what, recipe=self.recipe),
            {name: learners[name] for name in self.clustering},
            self.tasks,
            episodes=min(self.episodes, conditions.limit or self.episodes),
            seed=self.seed,
            metric=find_metric("clustering"),
            backend=conditions.backend,
            out=conditions.out,
            progress=conditions.progress,
        ).rows
