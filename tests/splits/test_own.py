"""Splits from somebody's own Python file."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_part, find_split
from fairshot.splits.own import open_own_split

FILE = """
import numpy as np
from dataclasses import replace
from fairshot.splits.any_source import split_at_random
from fairshot.splits.split import split_classes

def data():
    y = np.repeat(np.arange(8), 5)
    return np.random.default_rng(0).normal(size=(40, 3)), y

def lists(source):
    print("not part of any result")
    return {"base": source.class_names[:4], "val": [4], "novel": source.class_names[5:]}

FIXED = {"base": ["0", "1"], "novel": ["2", "3"]}

def made(source):
    return split_at_random(source, seed=2, name="anything")

def fails(source):
    return source.nothing

def number(source):
    return 3

def other(source):
    return split_at_random(replace(source, content="0"), seed=2)
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(FILE)
    return str(tmp_path / "mine.py")


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


def test_a_function_may_give_class_lists(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    split = find_split(f"{mine}:data", f"{mine}:lists")
    assert split.name.startswith("data/mine.lists-")
    assert [part.classes.tolist() for part in (split.base, split.val, split.novel)] == [[0, 1, 2, 3], [4], [5, 6, 7]]
    assert capsys.readouterr().out == ""


def test_a_mapping_may_stand_for_itself_and_images_be_held_out(mine: str) -> None:
    split = find_split(f"{mine}:data", f"{mine}:FIXED+2")
    assert split.base_heldout.members.counts.tolist() == [2, 2]
    assert split.novel.classes.tolist() == [2, 3]


def test_a_function_may_give_a_split(mine: str) -> None:
    part = find_part(f"{mine}:data", split=f"{mine}:made", part="val")
    assert part.name.startswith("data/mine.made-")
    assert part.name.endswith("/val")
    assert len(part.classes) == 2 or len(part.classes) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fails", "{}:fails makes no split of data (AttributeError: 'Source' object has no attribute 'nothing')"),
        (
            "number",
            "{}:number gives an int for data: return a Split, or a mapping with lists of class names under base, val and novel",
        ),
        ("other", "mine.other gives parts of other data than data: select them from the source it gets"),
        ("litsts", "unknown name in {} 'litsts': did you mean 'lists'?"),
    ],
)
def test_what_gives_no_split_is_refused(mine: str, name: str, message: str) -> None:
    assert refusal(lambda: find_split(f"{mine}:data", f"{mine}:{name}")) == message.format(mine)


@pytest.mark.parametrize("spec", ["random", "random-7", "lake+6", "by-drawer", "parents", "mine.jsonl"])
def test_names_are_no_files(spec: str) -> None:
    assert open_own_split(spec) is None


def test_the_example_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "splits.md").read_text()
    shown = re.search(
        r"<!-- file mine.py -->\n```python\n(.*?)```.*?<!-- run -->\n    fairshot (.*?)\n", page, re.DOTALL
    )
    assert shown is not None
    assert len(shown[1].splitlines()) <= 11
    (tmp_path / "mine.py").write_text(shown[1])
    monkeypatch.chdir(tmp_path)
    assert main(shown[2].split()) == 0
    assert "by_length" in capsys.readouterr().out
