"""Splits in files: class lists over any source, refused in one line where they are wrong, and written back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.data import find_part, find_source, find_split
from fairshot.splits.any_source import load
from fairshot.splits.definition import define
from fairshot.splits.files import export_split, read_split
from fairshot.splits.omniglot import SPLITS
from fairshot.splits.split import PARTS, Split, split_classes

BIRDS = ("crow", "gull", "owl", "robin", "swift", "tit")


def birds(images: int = 4) -> Source:
    labels = np.repeat(BIRDS, images)
    writer = np.tile(np.arange(images), len(BIRDS))
    return from_arrays(np.arange(len(labels))[:, None], labels, name="birds", attributes={"writer": writer})


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


def write(path: Path, said: Any) -> str:
    path.write_text(said if isinstance(said, str) else json.dumps(said))
    return str(path)


def prints(split: Split) -> list[str]:
    return [getattr(split, part).fingerprint for part in PARTS]


def classes(split: Split) -> list[list[str]]:
    return [[getattr(split, part).class_names[c] for c in getattr(split, part).classes] for part in PARTS]


def test_json_and_csv_of_the_same_lists_are_the_same_split(tmp_path: Path) -> None:
    lists = {"base": ["crow", "owl", "tit"], "val": ["gull"], "novel": ["swift", "robin"]}
    rows = [f"{name},{part}" for part, names in lists.items() for name in reversed(names)]
    as_json = read_split(write(tmp_path / "mine.json", lists)).split(birds())
    as_csv = read_split(write(tmp_path / "mine.csv", "\n".join(["class,part", *rows]))).split(birds())
    assert classes(as_json) == [["crow", "owl", "tit"], [], ["gull"], ["robin", "swift"]]
    assert prints(as_json) == prints(as_csv)
    assert as_json.name == as_csv.name
    assert as_json.name.startswith("birds/mine-")
    assert len(as_json.name) == len("birds/mine-") + 8
    assert as_json.novel.name == f"{as_json.name}/novel"
    assert as_json.novel.notes == ()


def test_two_files_of_one_name_differ_in_the_name_of_the_split() -> None:
    names = [
        define({"name": "mine", "base": base, "novel": ["tit"]}, name="x", where="f").split(birds()).name
        for base in (["crow"], ["owl"], ["crow"])
    ]
    assert names[0] == names[2] != names[1]
    assert all(name.startswith("birds/mine-") for name in names)


def test_classes_that_no_part_names_are_noted(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.json", {"base": ["crow"], "novel": ["tit", "owl"]})
    split = read_split(path).split(birds())
    assert split.novel.notes == (f"3 of 6 classes are in no part of {path}, such as 'gull'",)
    assert refusal(lambda: split.part("val")) == f"{split.name} has no val part: it has base, novel"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"base": ["crow"], "novel": ["tot"]}, "unknown class of birds 'tot': did you mean 'tit'?"),
        ({"base": ["crow", "crow"]}, "{} names the class 'crow' twice in base: name it once"),
        (
            {"base": ["crow"], "novel": ["tit", "crow"]},
            "{} names the class 'crow' in base and in novel: a class belongs to one part",
        ),
        ({}, "{} names no class: give lists of class names under base, val and novel"),
        ({"base": [], "novel": []}, "{} names no class: give lists of class names under base, val and novel"),
        (
            {"train": ["crow"]},
            "unknown entry of {} 'train': there are: apart, base, base_heldout, images, name, novel, recipe, root, source, val",
        ),
        ({"novell": ["crow"]}, "unknown entry of {} 'novell': did you mean 'novel'?"),
        ({"base": "crow"}, "base of {} is no list: give the names of its classes in a list"),
        ({"base": ["crow", 1.5]}, "base of {} holds what is no name: give the names of its classes in a list"),
        ({"base": ["crow"], "name": 3}, "name, apart, recipe and root of {} are words: write them in quotes"),
        (["crow"], '{} holds no lists: write {{"base": [...], "val": [...], "novel": [...]}}'),
        (
            {"base": ["crow"], "base_heldout": [4]},
            "{} holds out image 4, which is no image of a base class: leave it out",
        ),
        (
            {"base": ["crow"], "base_heldout": "some"},
            "base_heldout of {} is no list of numbers: give the numbers of images as the source counts them, from 0",
        ),
        (
            {"base": ["crow"], "images": {"all": [1]}},
            "images of {} belong to base, val or novel: give a list of numbers for each of these",
        ),
        (
            {"base": ["crow"], "base_heldout": [1], "root": "0" * 32},
            "{} numbers the images of other data than birds: give the data it was made of, or leave base_heldout, images and root out of it",
        ),
        ({"base": [0], "apart": "drawer"}, "unknown attribute of birds 'drawer': did you mean 'writer'?"),
        ({"base": [0], "novel": [9], "apart": "writer"}, "unknown writer of birds '9': there are: 0, 1, 2, 3"),
    ],
)
def test_wrong_lists_are_refused_in_one_line(tmp_path: Path, said: Any, message: str) -> None:
    path = write(tmp_path / "mine.json", said)
    assert refusal(lambda: read_split(path).split(birds())) == message.format(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,part\ncrow,base\n", "{} has the columns name, part: it needs class and part"),
        ("", "{} has the columns (none): it needs class and part"),
        ("class,part\ncrow,base\ntit,nowel\n", "unknown part in line 3 of {} 'nowel': did you mean 'novel'?"),
        ("class,part\ncrow\n", "unknown part in line 2 of {} '': there are: base, novel, val"),
    ],
)
def test_wrong_tables_are_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "mine.csv", text)
    assert refusal(lambda: read_split(path)) == message.format(path)


def test_files_that_are_not_there_or_no_json_are_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "no.json")
    assert refusal(lambda: read_split(path)) == (
        f"there is no file {path}: give a .json file with class lists, or a .csv file with class and part"
    )
    path = write(tmp_path / "a.json", "{")
    assert refusal(lambda: read_split(path)).startswith(f"cannot read {path} as JSON (Expecting property name")


def test_names_that_repeat_are_told_apart_by_their_parents() -> None:
    source = from_arrays(
        np.zeros((4, 1)), [0, 1, 2, 3], class_names=["a", "b", "a", "c"], parents=["p", "p", "q", "q"], name="toy"
    )
    assert refusal(lambda: define({"base": ["a"]}, name="x", where="mine").split(source)) == (
        "'a' in mine is the name of 2 classes of toy: write p/a or q/a"
    )
    split = define({"base": ["p/a", "b"], "novel": ["q/a", "q/c"]}, name="x", where="mine").split(source)
    assert [getattr(split, part).classes.tolist() for part in PARTS] == [[0, 1], [], [], [2, 3]]


def test_the_last_word_of_a_name_is_enough_where_it_is_the_only_one() -> None:
    source = from_arrays(np.zeros((3, 1)), ["p/a", "p/b", "q/a"], name="toy")
    assert define({"base": ["b"]}, name="x", where="mine").split(source).base.classes.tolist() == [1]
    assert refusal(lambda: define({"base": ["a"]}, name="x", where="mine").split(source)).startswith(
        "'a' in mine is the name of 2 classes of toy"
    )


def test_images_may_be_held_out_by_number_or_by_count() -> None:
    said = {"base": ["crow", "gull"], "novel": ["tit"]}
    listed = define({**said, "base_heldout": [1, 5]}, name="mine", where="mine").split(birds())
    assert listed.base_heldout.image_ids.tolist() == [1, 5]
    assert listed.base.image_ids.tolist() == [0, 2, 3, 4, 6, 7]
    drawn = define({**said, "base_heldout": 1}, name="mine", where="mine").split(birds())
    assert drawn.base_heldout.members.counts.tolist() == [1, 1]
    share = define({**said, "base_heldout": 0.5}, name="mine", where="mine").split(birds())
    assert share.base_heldout.members.counts.tolist() == [2, 2]
    assert len({split.name for split in (listed, drawn, share)}) == 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from(["base", "val", "novel", ""]), min_size=6, max_size=6), st.booleans(), st.booleans())
def test_what_is_written_is_read_back(tmp_path: Path, parts: list[str], hold_out: bool, whole: bool) -> None:
    source = birds()
    ids = {part: np.flatnonzero(np.array(parts) == part) for part in ("base", "val", "novel")}
    if not any(parts):
        return
    split = split_classes("mine", source, **ids)
    split = split.hold_out(1) if hold_out and len(ids["base"]) else split
    export_split(split, tmp_path / "mine.json", source=source if whole else None)
    back = read_split(str(tmp_path / "mine.json")).split(source)
    assert prints(back) == prints(split)
    export_split(back, tmp_path / "again.json", source=source)
    assert read_split(str(tmp_path / "again.json")).split(source).name == back.name or not whole


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_class_lists_alone_are_written_to_either_kind_of_file(tmp_path: Path, ending: str) -> None:
    split = load("random-3", birds())
    export_split(split, tmp_path / f"mine.{ending}")
    assert prints(read_split(str(tmp_path / f"mine.{ending}")).split(birds())) == prints(split)


def test_makers_apart_are_written_and_read_back(tmp_path: Path) -> None:
    split = load("by-writer-1", birds())
    export_split(split, tmp_path / "mine.json")
    said = json.loads((tmp_path / "mine.json").read_text())
    assert sorted(said) == ["apart", "base", "name", "novel", "recipe", "source", "val"]
    back = read_split(str(tmp_path / "mine.json")).split(birds())
    assert prints(back) == prints(split)
    assert back.apart == "writer"
    assert refusal(lambda: export_split(split, tmp_path / "mine.csv")) == (
        "birds/by-writer-1 is more than lists of classes: write it to a .json file"
    )


def test_parts_of_classes_are_written_and_read_back(tmp_path: Path) -> None:
    source = birds()
    masks = {part: np.zeros(24, dtype=bool) for part in PARTS}
    masks["base"][[0, 1, 9]], masks["base_heldout"][2], masks["novel"][[12, 20]] = True, True, True
    split = Split("birds/odd", **{part: source.select(mask) for part, mask in masks.items()})
    for whole in (None, source):
        export_split(split, tmp_path / "odd.json", source=whole)
        assert prints(read_split(str(tmp_path / "odd.json")).split(source)) == prints(split)
    other = from_arrays(np.zeros((24, 1)), np.repeat(BIRDS, 4), name="others")
    assert refusal(lambda: read_split(str(tmp_path / "odd.json")).split(other)).endswith(
        "numbers the images of other data than others: give the data it was made of, or leave base_heldout, images and root out of it"
    )


@pytest.mark.parametrize("path", ["mine.txt", "mine", "file/mine.json"])
def test_a_place_that_no_split_can_be_written_to_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()
    assert refusal(lambda: export_split(load("random", birds()), tmp_path / path)) == (
        f"cannot write a split to {tmp_path / path}: name a .json or .csv file in a folder you can write to"
    )


def test_a_split_of_a_folder_is_written_and_read_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    for number in range(24):
        path = tmp_path / "photos" / f"{'land' if number % 2 else 'sea'}" / BIRDS[number % 6] / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.full((4, 4), number, np.uint8)).save(path)
    what = f"folder:{tmp_path / 'photos'}"
    split = find_split(what, "random+1", recipe="8")
    export_split(split, tmp_path / "mine.json", source=find_source(what))
    back = find_split(what, str(tmp_path / "mine.json"))
    assert prints(back) == prints(split)
    assert back.novel.recipe.name == "8"
    part = find_part(what, split=str(tmp_path / "mine.json"), part="base_heldout")
    assert part.fingerprint == split.base_heldout.fingerprint


@pytest.fixture(scope="module")
def omniglot() -> Source:
    try:
        return find_source("omniglot")
    except FairshotError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", sorted(SPLITS))
def test_published_splits_are_written_and_read_back(omniglot: Source, name: str, tmp_path: Path) -> None:
    split = find_split("omniglot", name)
    export_split(split, tmp_path / "mine.json")
    back = find_split("omniglot", str(tmp_path / "mine.json"))
    assert prints(back) == prints(split)
    assert [getattr(back, part).origin for part in PARTS] == [getattr(split, part).origin for part in PARTS]
    assert back.name.startswith(f"omniglot/{name}-")
