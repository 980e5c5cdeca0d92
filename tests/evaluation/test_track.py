"""Results go into tools that keep experiments: stand-ins with their calls remember what they were given."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fairshot as fs
from fairshot.results.evaluation import Evaluation


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    X = np.random.default_rng(0).normal(size=(40, 4)) + np.repeat(np.eye(4), 10, axis=0)
    return fs.evaluate((X, np.repeat(np.arange(4), 10)), {"mine: [x]": "prototypes"}, way=3, query=3, episodes=20)


class File(io.StringIO):
    def __init__(self, files: dict[str, Any], name: str) -> None:
        super().__init__()
        self.files, self.name = files, name

    def close(self) -> None:
        self.files[self.name] = json.loads(self.getvalue())
        super().close()


def fake_mlflow(kept: dict[str, Any]) -> ModuleType:
    module = ModuleType("mlflow")

    @contextlib.contextmanager
    def start_run(run_name: str | None) -> Iterator[Any]:
        yield SimpleNamespace(info=SimpleNamespace(run_id="7"))

    calls = {
        "set_experiment": lambda name: kept.update(project=name),
        "start_run": start_run,
        "log_params": lambda values: kept.update(settings=values),
        "log_metrics": lambda values: kept.update(metrics=values),
        "log_dict": lambda value, file: kept.update({file: value}),
    }
    module.__dict__.update(calls)
    return module


def fake_wandb(kept: dict[str, Any]) -> ModuleType:
    module = ModuleType("wandb")
    summary = SimpleNamespace(update=lambda values: kept.update(metrics=values))
    run = SimpleNamespace(id="7", summary=summary, log_artifact=lambda _: None, finish=lambda: kept.update(ended=True))

    def init(project: str, name: str | None, config: dict[str, Any]) -> Any:
        kept.update(project=project, settings=config)
        return run

    artifact = SimpleNamespace(new_file=lambda name, mode: File(kept, name))
    module.__dict__.update(init=init, Artifact=lambda name, type: artifact)
    return module


@pytest.mark.parametrize(("tool", "fake"), [("mlflow", fake_mlflow), ("wandb", fake_wandb)])
def test_values_intervals_settings_and_the_whole_result_are_kept(
    tool: str, fake: Any, evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, Any] = {}
    monkeypatch.setitem(sys.modules, tool, fake(kept))
    assert fs.track(evaluation, tool, project="p") == "7"
    assert kept["project"] == "p"
    assert kept["metrics"]["mine_ _x_/3-way 1-shot 3-query/accuracy"] == evaluation.rows[0].value
    assert kept["settings"]["fingerprint"] == evaluation.source.fingerprint
    assert kept["result.json"]["rows"][0]["learner"] == "mine: [x]"
    assert tool == "mlflow" or kept["ended"]


def test_what_cannot_be_done_is_one_line(evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(fs.FairshotError, match=r"^mlflow is not installed: pip install 'fairshot\[mlflow\]'$"):
        fs.track(evaluation)
    with pytest.raises(fs.FairshotError, match="unknown tool 'mlfow': did you mean 'mlflow'"):
        fs.track(evaluation, "mlfow")
    with pytest.raises(fs.FairshotError, match=r"^cannot track a list: give an evaluation, a study or scores"):
        fs.track([1])


def test_a_polars_frame_has_the_same_columns(evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch) -> None:
    polars = ModuleType("polars")
    polars.__dict__["DataFrame"] = lambda columns, strict: columns
    monkeypatch.setitem(sys.modules, "polars", polars)
    columns = evaluation.to_frame("polars")
    assert list(columns) == list(evaluation.to_frame().columns)
    assert columns["learner"] == ["mine: [x]"]
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(fs.FairshotError, match=r"^a data frame was asked for, and polars is not installed"):
        evaluation.to_frame("polars")
