"""What `import fairshot as fs` gives: complete, quick, and enough for every job."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

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
        (lambda: fs.evaluate(5, "prototypes"), "cannot read an int as data: give (X, y)"),
        (lambda: fs.evaluate(vectors(), []), "no learner was given: name at least one, such as 'prototypes'"),
        (lambda: fs.evaluate(vectors(), "prototype"), "unknown learner 'prototype': did you mean 'prototypes'?"),
        (lambda: fs.evaluate(vectors(), "prototypes", [3]), "a task is an int: give a name such as 'uniform'"),
        (
            lambda: fs.evaluate(vectors(), "prototypes", metric=3),
            "the metric is an int: give a name such as 'accuracy'",
        ),
        (lambda: fs.compare(5), "cannot compare an int: give evaluations, or folders they were saved to"),
        (lambda: fs.load("nowhere"), "there is nothing at nowhere"),
        (
            lambda: fs.evaluate(vectors(), "prototypes", fs.tasks.Uniform(way=5, shot=1, query=3), way=3),
            "way was given, and 5-way 1-shot 3-query has its own: leave it out",
        ),
        (
            lambda: fs.evaluate(vectors(), ["a=ridge", "a=prototypes"]),
            "two learners are called a: give them names of their own, as in 'other=prototypes'",
        ),
    ],
)
def test_errors_are_as_clear_as_on_the_command_line(call, message: str) -> None:
    with pytest.raises(fs.FairshotError) as error:
        call()
    assert str(error.value).startswith(message)


X, Y = vectors()

MISTAKES = {
    "way is '5': give a whole number or a list of whole numbers": lambda: fs.evaluate((X, Y), way="5"),
    "way is an empty list: give a whole number, or several": lambda: fs.evaluate((X, Y), way=[]),
    "shot is 1.5: give a whole number or a list of whole numbers": lambda: fs.evaluate((X, Y), shot=1.5),
    "query is None: give a whole number": lambda: fs.evaluate((X, Y), query=None),
    "episodes is '100': give a whole number": lambda: fs.evaluate((X, Y), episodes="100"),
    "seed is '0': give a whole number": lambda: fs.evaluate((X, Y), seed="0"),
    "dirichlet is '2': give a number or None": lambda: fs.evaluate((X, Y), dirichlet="2"),
    "until is a list: give a number or None": lambda: fs.evaluate((X, Y), until=[0.1]),
    "unknown is 1.5: give a whole number": lambda: fs.evaluate((X, Y), unknown=1.5),
    "disjoint is 5: give text or None": lambda: fs.evaluate((X, Y), disjoint=5),
    "backend is 'gpu': give 'auto', 'serial', 'threads', 'local' or 'ray'": lambda: fs.evaluate((X, Y), backend="gpu"),
    "out is 5: give a path, a Store or None": lambda: fs.evaluate((X, Y), out=5),
    "out is empty: give a path, a Store or None": lambda: fs.evaluate((X, Y), out=""),
    "no task was given: name at least one, such as 'uniform'": lambda: fs.evaluate((X, Y), tasks=[]),
    "no learner was given: name at least one, such as 'prototypes'": lambda: fs.evaluate((X, Y), {}),
    "way is '5': give a whole number": lambda: fs.tasks.Uniform("5"),
    "Uniform takes way, shot, query in this order: give all else by name": lambda: fs.tasks.Uniform(5, 1, 15, 1),
    "X has rows of different lengths: give every row the same length": lambda: fs.evaluate(([[1, 2], [3]], [0, 1])),
    "y has rows of different lengths: give every row the same length": lambda: fs.evaluate((X, [[1], [2, 3]])),
    "X has shape (96, 0), without a feature: give a column for each feature": lambda: fs.evaluate((X[:, :0], Y)),
    "X has 9 rows and y has shape (96,): give one label per row": lambda: fs.evaluate((X[:9], Y)),
    "parents has shape (): give one per class or one per row": lambda: fs.sources.from_arrays(X, Y, parents=5),
    "groups has shape () and y 96: give one group per row": lambda: fs.sources.from_arrays(X, Y, groups=5),
    "attributes is 5: give a mapping or None": lambda: fs.sources.from_arrays(X, Y, attributes=5),
    "'omniglot' names no split: write SOURCE/SPLIT, such as omniglot/lake, or folder:PATH": lambda: fs.split(
        "omniglot"
    ),
    "unknown split of array 'lake': there are: all-novel, by-ATTRIBUTE, parents, random": lambda: fs.split(
        (X, Y), "lake"
    ),
    "the recipe 28 is for images, and array holds feature vectors: leave it out": (
        lambda: fs.evaluate((X, Y), recipe="28")
    ),
    "a part of a tuple needs a split: add one, such as split='random'": lambda: fs.evaluate((X, Y), part="novel"),
    "study is 5: give a Study or text": lambda: fs.run(5),
    "limit is '2': give a whole number or None": lambda: fs.run("lake_runs", limit="2"),
    "preset is 5: give text or a Plan": lambda: fs.train("prototypes", "glyphs/random", preset=5),
    "changes is 5: give text or a mapping": lambda: fs.train("prototypes", "glyphs/random", changes=5),
    "recipe is 1.6: give text, a whole number or None": lambda: fs.predict(X[:5], (X, Y), recipe=1.6),
    "what is to be labelled has rows of different lengths: give every row the same length": (
        lambda: fs.predict([[1], [2, 3]], (X, Y))
    ),
    "path is 5: give a path": lambda: fs.load(5),
    "path is empty: give a path": lambda: fs.load(""),
    "count is 'x': give a whole number": lambda: fs.generate("warped", np.zeros((1, 9, 9)), count="x"),
    "X has shape (0, 6), without a row: give a row for each item": lambda: fs.predict(X[:0], (X, Y)),
    "groups is for data given by name, and this is a tuple: leave it out": lambda: fs.evaluate((X, Y), groups=""),
    "a learner is called '': give it a name, as in {'mine': ...}": lambda: fs.evaluate((X, Y), {"": "ridge"}),
    "a learner is called 5: give it a name, as in {'mine': ...}": lambda: fs.evaluate((X, Y), {5: "ridge"}),
    "Ridge predicts a quantity, and labels are none: give a classifier": lambda: fs.evaluate((X, Y), Ridge()),
    "trained prototypes reads images, and array holds feature vectors: choose a learner that reads both, such as "
    "prototypes": lambda: fs.evaluate((X, Y), "prototypes@omniglot-lake"),
    "two arrays are to be labelled: give the images alone, without labels": lambda: fs.predict((X, Y), (X, Y)),
    "query is 0: it must be at least 1": lambda: fs.audit((X, Y), query=0),
    "ridge is the learner and its own rival: name two": lambda: fs.audit((X, Y), learner="ridge", rival="ridge"),
    "images is 'x': give a whole number or a number": lambda: fs.split((X, Y)).hold_out("x"),
    "a task is the class Uniform: give a name such as 'uniform', or an object such as fairshot.tasks.Uniform(way=5, "
    "shot=1, query=15)": lambda: fs.evaluate((X, Y), tasks=fs.tasks.Uniform),
    "task is 5: give a Uniform or None": lambda: fs.audit((X, Y), task=5),
    "way is 2, and array has 1 class: lower way": lambda: fs.evaluate((X[:12], Y[:12]), way=2, query=3),
    "function drew an array of shape (): for 1 exemplars it should be (exemplar, 20, channel, height, width)": (
        lambda: fs.generate(lambda exemplars, count, seed: None, np.zeros((1, 9, 9)))
    ),
    "nothing was given to compare: give evaluations, or folders they were saved to": lambda: fs.compare([]),
}


@pytest.mark.parametrize(("message", "call"), MISTAKES.items(), ids=list(MISTAKES))
def test_a_wrong_argument_is_one_line(message: str, call) -> None:
    with pytest.raises(fs.FairshotError) as error:
        call()
    assert str(error.value) == message


def test_a_result_refuses_what_it_cannot_do() -> None:
    evaluation = fs.evaluate((X, Y), ["prototypes", "ridge"], query=3, episodes=20)
    assert "ridge" in evaluation
    assert "rigde" not in evaluation
    assert ("ridge", 1) in evaluation
    assert ("ridge", 5) not in evaluation
    assert evaluation.rows[0] in evaluation
    refused = {
        "path is None: give a path": lambda: evaluation.report(None),
        "x.pdf is not named like a page in HTML: let it end in .html or .htm": lambda: evaluation.report("x.pdf"),
        "folder is 5: give a path": lambda: evaluation.save(5),
        "row is 'ridge': give a Row": lambda: evaluation.scores("ridge"),
        "unknown learner 'rigde': did you mean 'ridge'?": lambda: evaluation.consistency("rigde", "prototypes"),
        "width is '80': give a whole number or None": lambda: evaluation.to_text("80"),
        "rows are found by their learner, and this is 0: say e['ridge']": lambda: evaluation[0],
        "unknown learner 'redge': did you mean 'ridge'?": lambda: evaluation.compare(only=[("prototypes", "redge")]),
        "only has 'ridge': give pairs of learners, such as ('ridge', 'prototypes')": (
            lambda: evaluation.compare(only=["ridge", "prototypes"])
        ),
        "there is no curve to draw: evaluate with at least 3 numbers of shots, such as shot=[1, 2, 5]": evaluation.plot,
    }
    for message, call in refused.items():
        with pytest.raises(fs.FairshotError) as error:
            call()
        assert str(error.value) == message


def test_data_in_hand_has_the_splits_and_recipes_of_data_by_name() -> None:
    by_rule = fs.data((X, Y), split="random-7")
    assert by_rule.fingerprint == fs.split((X, Y), "random-7").novel.fingerprint
    assert fs.split(fs.sources.from_arrays(X, Y)).novel.name == "array/random/novel"
    assert (
        fs.evaluate((X, Y), split="random", part="base", way=2, query=3, episodes=5).source.name == "array/random/base"
    )
    images = np.random.default_rng(0).integers(0, 256, (96, 20, 20), dtype=np.uint8)
    assert fs.data((images, Y), recipe="16").read(np.arange(2)).shape[1:] == (1, 16, 16)
    trained = fs.evaluate((images, Y), "prototypes@omniglot-lake", query=3, episodes=5)
    assert trained.source.recipe == "omniglot-eval", "images get the recipe that a trained learner is used to"


def test_what_is_looked_at_is_short(tmp_path: Path) -> None:
    split = fs.split((X, Y))
    evaluation = fs.evaluate((X, Y), ["prototypes", "ridge"], query=3, episodes=20)
    shown = {
        "<Source array: 96 vectors of 8 classes, recipe raw>": fs.data((X, Y)),
        "<Split array/random: base 5 classes, base_heldout 0 classes, val 1 class, novel 2 classes>": split,
        "<Evaluation: 2 learners, 1 task on array; print it to see it>": evaluation,
        "<Comparisons: 1 pair of 2 learners; print it to see it>": evaluation.compare(),
        "<Predictions: 5 images by ridge; print it to see it>": fs.predict(X[:5], (X, Y), "ridge"),
    }
    assert [repr(value) for value in shown.values()] == list(shown)
    row, pair = evaluation["ridge"], evaluation.compare()[0]
    assert repr(row) == f"<Row: ridge, 5-way 1-shot 3-query: accuracy {row.value:.4f}>"
    assert repr(pair) == f"<Comparison: prototypes - ridge, 5-way 1-shot 3-query: {pair.value:+.4f}>"


def test_comparisons_come_back_as_they_were_saved(tmp_path: Path) -> None:
    found = fs.evaluate((X, Y), ["prototypes", "ridge", "neighbours"], query=3, episodes=50).compare()
    loaded = fs.load(found.save(tmp_path / "pairs.json"))
    assert str(loaded) == str(found)
    assert loaded.pairs == found.pairs
    with pytest.raises(fs.FairshotError) as error:
        found.save(tmp_path / "pairs.csv")
    assert str(error.value) == f"{tmp_path / 'pairs.csv'} is not named like a file in JSON: let it end in .json"


def test_the_columns_of_an_evaluation_do_not_depend_on_its_intervals() -> None:
    few, many = (fs.evaluate((X, Y), query=3, episodes=episodes) for episodes in (5, 2000))
    assert few.rows[0].intervals["classes"] is None
    assert many.rows[0].intervals["classes"] is not None
    assert few.to_csv().splitlines()[0] == many.to_csv().splitlines()[0]
    assert list(few.to_frame().columns) == few.to_csv().splitlines()[0].split(",")


def test_a_curve_is_drawn(tmp_path: Path) -> None:
    evaluation = fs.evaluate((X, Y), shot=[1, 2, 4], query=3, episodes=20)
    assert evaluation.plot(tmp_path / "curve.svg").to_dict()
    assert "<svg" in (tmp_path / "curve.svg").read_text()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (5, "there is no exemplar 5: give a number from 0 to 1, or one of the names row-0, row-1"),
        ("row-7", "unknown exemplar 'row-7': did you mean 'row-1'?"),
    ],
)
def test_drawings_are_found_by_number_and_by_name(wrong: object, message: str) -> None:
    drawn = fs.generate("warped", np.random.default_rng(0).random((2, 20, 20)), count=3)
    assert repr(drawn) == "<Variations: 6 drawings by warped: 3 after each of 2 exemplars>"
    alone = replace(drawn, images=drawn.images[:1, :1], names=drawn.names[:1], exemplars=drawn.exemplars[:1])
    assert alone.summary() == "1 drawing by warped: 1 after one exemplar."
    assert len(drawn) == len(list(drawn)) == 2
    assert np.array_equal(drawn[0], drawn["row-0"])
    with pytest.raises(fs.FairshotError) as error:
        _ = drawn[wrong]
    assert str(error.value) == message


def test_a_recipe_may_be_a_number_of_pixels() -> None:
    images = np.random.default_rng(0).integers(0, 256, (40, 12, 12), dtype=np.uint8), np.repeat(np.arange(5), 8)
    for recipe in (6, np.int64(6), "6"):
        assert fs.evaluate(images, query=3, episodes=5, recipe=recipe).result.source.recipe == "6"
    assert fs.predict(images[0][:2], images, recipe=6).recipe == "6"
