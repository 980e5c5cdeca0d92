"""Tables of CSCC: the unsupervised accuracy of clusterers, the accuracy of classifiers, and their ratio."""

from dataclasses import dataclass

from fairshot.cscc import Pair, cscc
from fairshot.resolve import find_part
from fairshot.runtime.result import Result
from fairshot.studies.study import Conditions
from fairshot.studies.trained import TrainedTable


@dataclass(frozen=True)
class Consistency(TrainedTable):
    """Learners in pairs, a clusterer and its classifier."""

    pairs: tuple[Pair, ...] = ()

    def run(self, conditions: Conditions) -> Result:
        """Ratios first, then the accuracies behind them."""
        learners, training = self.prepare(conditions)
        found = cscc(
            find_part(self.what, recipe=self.recipe), learners, self.pairs, self.tasks,
            episodes=min(self.episodes, conditions.limit or self.episodes), seed=self.seed,
            backend=conditions.backend, out=conditions.out, progress=conditions.progress,
        )  # fmt: skip
        return conditions.stamp(self.beside_published(found, training))
