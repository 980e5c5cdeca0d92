"""Data from somebody's own Python file."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_part, find_source

FILE = """
import numpy as np
from fairshot.sources.array import from_arrays

rng = np.random.default_rng(0)
X, y = rng.normal(size=(12, 3)), np.repeat(["a", "b", "c"], 4)
PAIR = (X, y)
MAPPING = {"X": X, "y": y}
SOURCE = from_arrays(X, y, name="mine")
IMAGES = (rng.integers(0, 256, (6, 8, 8), dtype=np.uint8), [0, 0, 1, 1, 2, 2])

def pair():
    print("not part of any result")
    return X, y

def frame():
    import pandas
    return pandas.DataFrame(X).assign(label=y)

def needs(argument):
    return X, y

def wrong():
    return X, y[:3]
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(FILE)
    return str(tmp_path / "mine.py")


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


def test_every_form_is_the_same_source(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    sources = {name: find_source(f"{mine}:{name}") for name in ("PAIR", "MAPPING", "SOURCE", "pair", "frame")}
    assert {source.fingerprint for source in sources.values()} == {sources["PAIR"].fingerprint}
    assert [source.name for source in sources.values()] == ["PAIR", "MAPPING", "mine", "pair", "frame"]
    assert capsys.readouterr().out == ""


def test_images_go_through_a_recipe(mine: str) -> None:
    assert find_part(f"{mine}:IMAGES", recipe="4").store.shape == (6, 1, 4, 4)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "needs",
            "{}:needs cannot be called without arguments (TypeError: needs() missing 1 required positional argument: 'argument')",
        ),
        ("wrong", "{}:wrong: X has 12 rows and y has shape (3,): give one label per row"),
        (
            "X",
            "{}:X: cannot read an array as data: give (X, y), a mapping with X and y, a data frame with a column label, or a Source",
        ),
        ("piar", "unknown name in {} 'piar': did you mean 'pair'?"),
    ],
)
def test_what_is_no_data_is_refused(mine: str, name: str, message: str) -> None:
    assert refusal(lambda: find_source(f"{mine}:{name}")) == message.format(mine)


def test_a_recipe_for_feature_vectors_is_refused(mine: str) -> None:
    assert refusal(lambda: find_part(f"{mine}:PAIR", recipe="28")) == (
        f"the recipe 28 is for images, and {mine}:PAIR holds feature vectors: leave it out"
    )


def test_the_example_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text()
    shown = re.search(
        r"<!-- file mine.py -->\n```python\n(.*?)```.*?<!-- run -->\n    fairshot (.*?)\n", page, re.DOTALL
    )
    assert shown is not None
    assert len(shown[1].splitlines()) <= 11
    (tmp_path / "mine.py").write_text(shown[1])
    monkeypatch.chdir(tmp_path)
    assert main(shown[2].split()) == 0
    assert "two_moons" in capsys.readouterr().out
