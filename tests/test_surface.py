"""What `import fairshot as fs` gives: complete, quick, and enough for every job."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import fairshot as fs
from fairshot.specs.registry import class_name, names
from tests.paths import ROOT


def vectors(classes: int = 8, images: int = 12) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(classes), images)
    return rng.normal(size=(classes, 6))[labels] + rng.normal(size=(len(labels), 6)), labels


@pytest.mark.parametrize(
    "package", ["", ".generators", ".learners", ".metrics", ".scoring", ".sources", ".splits", ".tasks"]
)
def test_every_name_is_there_and_nothing_else_is_promised(package: str) -> None:
    module = __import__(f"fairshot{package}", fromlist=["__all__"])
    assert module.__all__ == sorted(set(module.__all__)) == dir(module)
    for name in module.__all__:
        assert getattr(module, name) is not None, name
    with pytest.raises(AttributeError, match="has no 'nonsense'; it has: "):
        _ = module.nonsense


def test_every_task_can_be_made_from_the_surface() -> None:
    assert {class_name(name) for name in names("tasks")} <= set(fs.tasks.__all__)


def test_the_import_is_quick_and_loads_neither_torch_nor_pandas() -> None:
    code = (
        "import sys, time; began = time.process_time(); import fairshot; "
        "print(time.process_time() - began, sorted({'torch', 'pandas', 'numpy', 'altair'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    seconds, modules = answer.split(maxsplit=1)
    assert float(seconds) < 0.1
    assert modules.strip() == "[]"


def test_pages_use_nothing_deeper_than_the_surface() -> None:
    allowed = {
        f"fairshot.{name}" for name in ("generators", "learners", "metrics", "scoring", "sources", "splits", "tasks")
    }
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for line in page.read_text().splitlines():
            if line.startswith(("from fairshot", "import fairshot")):
                assert line == "import fairshot as fs" or line.split()[1] in allowed, f"{page.name}: {line}"


def test_learners_are_given_as_whatever_they_are() -> None:
    def nearest(support: np.ndarray, labels: np.ndarray, query: np.ndarray) -> np.ndarray:
        return labels[((query[:, None] - support[None]) ** 2).sum(-1).argmin(1)]

    given = {
        "regression": LogisticRegression(),
        "function": nearest,
        "name": "neighbours",
        "object": fs.learners.find("ridge"),
    }
    evaluation = fs.evaluate(vectors(), given, fs.tasks.Uniform(3, 1, 5), episodes=30)
    assert evaluation.learners == list(given)
    assert evaluation["function"].value == evaluation["name"].value
    assert fs.evaluate(vectors(), nearest, episodes=5, query=3).learners == ["nearest"]
    assert fs.evaluate(vectors(), ["Ours=neighbours:k=1"], episodes=5, query=3).learners == ["Ours"]


def test_an_evaluation_is_indexed_compared_printed_saved_and_loaded(tmp_path: Path) -> None:
    evaluation = fs.evaluate(vectors(), ["prototypes", "ridge"], way=3, shot=[1, 2, 4], query=5, episodes=200)
    assert evaluation["ridge", 2].task == "3-way 2-shot 5-query"
    assert evaluation["ridge", 2].interval("episodes") == evaluation["ridge", 2].intervals["episodes"]
    with pytest.raises(fs.FairshotError, match="several rows match ridge: add or correct the shot"):
        _ = evaluation["ridge"]
    with pytest.raises(fs.FairshotError, match="unknown learner 'rigde': did you mean 'ridge'"):
        _ = evaluation["rigde", 1]
    pair = evaluation.compare()["ridge", "prototypes", "3-way 1-shot 5-query"]
    assert pair.value == pytest.approx(evaluation["prototypes", 1].value - evaluation["ridge", 1].value)
    evaluation.save(tmp_path / "kept")
    loaded = fs.load(tmp_path / "kept")
    assert str(loaded) == str(evaluation)
    assert str(loaded.compare()) == str(evaluation.compare()) == str(fs.compare(tmp_path / "kept"))
    assert len(evaluation.to_frame()) == 6
    page = evaluation.report(tmp_path / "page.html").read_text()
    assert "<svg" in page
    assert max(map(len, str(evaluation).splitlines())) <= 80


def test_a_failing_learner_is_named_and_the_others_go_on() -> None:
    def broken(support: np.ndarray, labels: np.ndarray, query: np.ndarray) -> np.ndarray:
        raise ValueError("no labels today")

    evaluation = fs.evaluate(vectors(), {"broken": broken, "fine": "prototypes"}, query=3, episodes=20)
    assert evaluation["broken"].value is None
    assert "no labels today" in evaluation["broken"].notes[0]
    assert evaluation["fine"].value is not None
    with pytest.raises(fs.FairshotError, match="no labels today"):
        fs.evaluate(vectors(), {"broken": broken}, query=3, episodes=20)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.evaluate(5, "prototypes"), "cannot read a int as data: give (X, y)"),
        (lambda: fs.evaluate(vectors(), []), "no learner was given: name at least one, such as 'prototypes'"),
        (lambda: fs.evaluate(vectors(), "prototype"), "unknown learner 'prototype': did you mean 'prototypes'?"),
        (lambda: fs.evaluate(vectors(), "prototypes", [3]), "a task is a int: give a name such as 'uniform'"),
        (lambda: fs.evaluate(vectors(), "prototypes", metric=3), "the metric is a int: give a name such as 'accuracy'"),
        (lambda: fs.compare(5), "cannot compare a int: give evaluations, or folders they are kept in"),
        (lambda: fs.load("nowhere"), "there is nothing at nowhere"),
    ],
)
def test_errors_are_as_clear_as_on_the_command_line(call, message: str) -> None:
    with pytest.raises(fs.FairshotError) as error:
        call()
    assert str(error.value).startswith(message)
