"""Each of several sources by itself: what it gives is what one call for each would give."""

from pathlib import Path

import numpy as np
import pytest

import fairshot as fs
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source

HOW = {"way": 3, "query": 2, "episodes": 20}


def make_source(name: str, seed: int) -> Source:
    rng, labels = np.random.default_rng(seed), np.repeat(np.arange(6), 8)
    return fs.sources.from_arrays(rng.normal(size=(6, 4))[labels] + rng.normal(size=(48, 4)), labels, name=name)


SOURCES = [make_source("first", 0), make_source("second", 1)]


def test_each_source_gets_what_a_call_of_its_own_gives() -> None:
    each = fs.evaluate_each(SOURCES, ["prototypes", "ridge"], **HOW)
    assert list(each) == ["first", "second"]
    for source in SOURCES:
        alone = fs.evaluate(source, ["prototypes", "ridge"], **HOW)
        assert each[source.name].rows == alone.rows
    assert each["second"]["ridge"].part == "second"
    joined = fs.evaluate(SOURCES, ["prototypes"], **HOW)
    assert joined["prototypes"].value != each["first"]["prototypes"].value


def test_it_shows_itself_whole() -> None:
    each = fs.evaluate_each(SOURCES, ["prototypes", "ridge"], **HOW)
    text = str(each)
    assert "first" in text
    assert "second" in text
    frame = each.to_frame()
    assert list(frame["part"]) == ["first", "first", "second", "second"]
    assert frame["value"].tolist() == [row.value for one in each.values() for row in one.rows]
    assert len(each.to_csv().splitlines()) == 5
    assert repr(each) == "<Evaluations: 2 sources; print it to see it>"


def test_each_is_kept_in_a_folder_of_its_own(tmp_path: Path) -> None:
    what = "glyphs:alphabets=5,characters=6,drawers=5"
    names = [f"{what}/parents/novel", f"{what}/parents/val"]
    each = fs.evaluate_each("+".join(names), out=tmp_path / "a", recipe="16", **HOW)
    folders = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert folders == [name.replace("/", "-") for name in names]
    again = fs.load(tmp_path / "a" / folders[0])
    assert again.rows == each[names[0]].rows
    each.save(tmp_path / "b")
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == folders


def test_what_is_not_several_or_there_twice_is_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        fs.evaluate_each(SOURCES[0], **HOW)
    assert str(caught.value) == (
        "this is one source: give a list of several, or names with + between them, or call evaluate"
    )
    with pytest.raises(FairshotError, match="first is there twice: name each source once"):
        fs.evaluate_each([SOURCES[0], SOURCES[0]], **HOW)
    with pytest.raises(FairshotError, match="unknown source 'third'"):
        fs.evaluate_each(SOURCES, **HOW)["third"]
