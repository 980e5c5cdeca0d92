"""A table that also tells how long each learner takes for an episode."""

import time
from dataclasses import dataclass

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.schema import Result, Row
from fairshot.specs.data import find_part
from fairshot.specs.metrics import find_metric
from fairshot.studies.kinds.trained_table import TrainedTable
from fairshot.studies.study import Conditions


@dataclass(frozen=True)
class Costs(TrainedTable):
    """Learners that are asked one after the other; all but the training before counts, so embedding too."""

    def run(self, conditions: Conditions) -> Result:
        """Scores are not kept: what is found again takes no time."""
        learners, training = self.prepare(conditions)
        part, rows = find_part(self.what, recipe=self.recipe), list[Row]()
        count = min(self.episodes, conditions.limit or self.episodes)
        for name, learner in learners.items():
            started = time.monotonic()
            evaluation = evaluate(
                part,
                {name: learner},
                self.tasks,
                episodes=count,
                seed=self.seed,
                metric=find_metric(self.metric),
                backend=conditions.backend,
                progress=conditions.progress,
            )
            seconds = (time.monotonic() - started) / (count * len(self.tasks))
            rows += [row.model_copy(update={"seconds": round(seconds, 3)}) for row in evaluation.rows]
        return conditions.stamp(self.beside_published(evaluation.result.model_copy(update={"rows": rows}), training))
