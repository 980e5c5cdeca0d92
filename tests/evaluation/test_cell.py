"""A learner that cannot serve a task gets N/A with a reason; the others are not disturbed."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from jaxtyping import Float
from torch import Tensor

from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.learner import TaskBatch
from fairshot.results.schema import read_result
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.uniform import Uniform

REASON = "its output layer was learned for 5-way episodes"


@dataclass(frozen=True)
class FiveWay(Prototypes):
    """Serves five classes and no other number."""

    def unable(self, way: int) -> str | None:
        return None if way == 5 else REASON

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        assert (batch.way == 5).all()
        return super().classify(batch)


def test_the_row_says_why_and_other_rows_are_as_always(
    vectors: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learners = {"five": FiveWay(), "ridge": find_learner("ridge"), "neighbours": find_learner("neighbours")}
    tasks = [Uniform(way=5, shot=1, query=3), Uniform(way=7, shot=1, query=3)]
    result = evaluate(vectors, learners, tasks, episodes=30, out=tmp_path)
    alone = evaluate(vectors, {"ridge": learners["ridge"]}, tasks, episodes=30)
    rows = {(row.learner, row.task): row for row in result.rows}
    missing = rows["five", tasks[1].label]
    assert (missing.value, missing.intervals, missing.episodes, missing.notes) == (None, {}, 0, [f"N/A: {REASON}"])
    assert [rows["ridge", task.label].value for task in tasks] == [row.value for row in alone.rows]
    assert rows["five", tasks[0].label].value is not None
    assert read_result(tmp_path / "result.json").rows == result.rows
    assert {(c.first, c.second, c.task) for c in compare([tmp_path])} == {
        ("five", "ridge", tasks[0].label),
        ("five", "neighbours", tasks[0].label),
        ("ridge", "neighbours", tasks[0].label),
        ("ridge", "neighbours", tasks[1].label),
    }
    print(result)
    shown = capsys.readouterr().out
    assert "N/A" in shown
    assert f"five, {tasks[1].label}: N/A: {REASON}." in " ".join(shown.split())


def test_a_variable_way_is_looked_at_before(vectors: Source) -> None:
    task = MetaDataset()
    row = evaluate(vectors, {"five": FiveWay()}, [task], episodes=5).rows[0]
    assert (row.value, row.notes) == (None, [f"N/A: {REASON}"])


def test_there_is_no_mean_of_runs_one_of_which_is_missing(vectors: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"a": FiveWay(), "b": FiveWay()}, [Uniform(way=7, shot=1, query=3)], episodes=5, runs="mean")
    assert str(caught.value) == f"7-way 1-shot 3-query has no mean of all runs: {REASON}"
