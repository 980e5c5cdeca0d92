"""tieredImageNet in its layouts, with the published classes."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.sources.tiered_imagenet import load
from fairshot.specs.data import find_split
from fairshot.splits.tiered_imagenet import PARTS
from fairshot.splits.tiered_imagenet import load as split
from fairshot.splits.wordnet import load_graph
from tests.conftest import data_file

FOLDERS = {"base": "train", "val": "val", "novel": "test"}


@pytest.fixture
def home(data_folder: Path) -> Path:
    """Six photographs of each base class and two of any other, in the parts they belong to."""
    for part, names in PARTS.items():
        for number, name in enumerate(names):
            (data_folder / "tiered_imagenet" / FOLDERS[part] / name).mkdir(parents=True)
            for take in range(6 if part == "base" else 2):
                pixels = np.full((3, 4, 3), (number + 50 * take) % 256, dtype=np.uint8)
                Image.fromarray(pixels).save(
                    data_folder / "tiered_imagenet" / FOLDERS[part] / name / f"{name}_{take}.png"
                )
    return data_folder / "tiered_imagenet"


def names(part: Source) -> set[str]:
    return {part.class_names[number] for number in part.classes}


def test_any_layout_holds_the_same_images_and_splits(home: Path) -> None:
    parted = find_split("tiered_imagenet", "ren", recipe="2")
    assert {part: names(parted.part(part)) for part in PARTS} == {part: set(found) for part, found in PARTS.items()}
    assert parted.novel.name == "tiered_imagenet/ren/novel"
    assert parted.base.parent_names == ("tiered_imagenet",)
    held = find_split("tiered_imagenet", "mod", recipe="2")
    assert set(held.base_heldout.members.counts.tolist()) == {1}  # a fifth of 6, rounded down
    assert set(held.base.members.counts.tolist()) == {5}
    assert names(held.base) == names(held.base_heldout) == set(PARTS["base"])
    (home / "images").mkdir()
    for folder in sorted(home.glob("t*/n*")) + sorted(home.glob("v*/n*")):
        folder.rename(home / "images" / folder.name)
    flat = find_split("tiered_imagenet", "ren", recipe="2")
    for part in PARTS:
        one, other = parted.part(part), flat.part(part)
        assert one.origin == other.origin
        assert (one.read(slice(None)) == other.read(slice(None))).all()


def test_what_is_missing_or_twice_there_is_said(data_folder: Path) -> None:
    home = data_folder / "tiered_imagenet"
    with pytest.raises(FairshotError) as caught:
        load()
    assert str(caught.value) == (
        f"tiered_imagenet is not here: no {home}; put its images there as WNID/IMAGE.jpg or train/WNID/IMAGE.jpg (val "
        "and test likewise), or let FAIRSHOT_DATA list the folder that holds tiered_imagenet/"
    )
    for part in ("train", "val"):
        (home / part / "n01530575").mkdir(parents=True)
        Image.new("RGB", (4, 4)).save(home / part / "n01530575" / f"{part}.png")
    with pytest.raises(
        FairshotError, match=r"^n01530575 lies in .*train.* and in .*val.*: a class belongs into one folder$"
    ):
        load()
    (home / "val" / "n01530575").rename(home / "val" / "n01531178")
    with pytest.raises(
        FairshotError, match=r"holds 2 classes, tieredImageNet has 608: put all of them there, in folders "
    ):
        load()


def test_the_lists_are_disjoint_classes_of_ilsvrc() -> None:
    assert [len(PARTS[part]) for part in ("base", "val", "novel")] == [351, 97, 160]
    every = [name for found in PARTS.values() for name in found]
    assert len(set(every)) == len(every) == 608
    assert set(every) <= load_graph().leaves


@pytest.mark.parametrize("part", PARTS)
def test_the_lists_are_what_other_tools_ship(part: str) -> None:
    theirs = json.loads(data_file(f"standard_splits/tiered_imagenet_{FOLDERS[part]}.json").read_text())
    assert sorted(theirs["class_names"]) == sorted(PARTS[part])


def test_a_fifth_is_rounded_down_and_drawn_by_the_published_seed() -> None:
    every = sorted(name for found in PARTS.values() for name in found)
    # Every eleventh class has as many images as the real ones, with every remainder by 5; so few of them are enough.
    counts = np.where(np.arange(608) % 11, 8 + np.arange(608) % 7, 732 + np.arange(608))
    assert set(counts[counts > 100] % 5) == set(range(5))
    source = Source.create(
        "tiered_imagenet",
        np.zeros((counts.sum(), 1), dtype=np.float32),
        np.repeat(np.arange(608), counts),
        class_names=tuple(every),
    )
    held = split("mod", source)
    assert held.name == "tiered_imagenet/mod"
    base = [number for number, name in enumerate(every) if name in PARTS["base"]]
    assert held.base_heldout.members.counts.tolist() == [int(0.2 * count) for count in counts[base]]
    again = split("ren", source).hold_out(0.2, seed=12)
    np.testing.assert_array_equal(held.base_heldout.image_ids, again.base_heldout.image_ids)
