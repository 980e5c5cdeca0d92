"""mini-ImageNet out of ILSVRC's files: which images are its own, and which of its base classes are left."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.splits.ilsvrc import load
from fairshot.splits.mini_imagenet import RAVI_NOVEL, RAVI_VAL
from fairshot.splits.wordnet import load_graph
from tests.conftest import data_file

OTHERS = sorted(load_graph().leaves - {*RAVI_VAL, *RAVI_NOVEL})
CLASSES = {"train": OTHERS[:64], "val": list(RAVI_VAL), "test": list(RAVI_NOVEL)}
NUMBERS = [9, 10, 100, 2, 33, 1000, 7]  # in another order as words than as numbers
PLACES = [1, 4, 5]  # those of 2, 10 and 33
CHOSEN = {2, 10, 33}


def write_lists(folder: Path, *, official: bool = True) -> None:
    """The three lists, as Ravi and Larochelle publish them or with ILSVRC's own names."""
    folder.mkdir(exist_ok=True)
    for file, names in CLASSES.items():
        with (folder / f"{file}.csv").open("w", newline="") as target:
            table = csv.writer(target)
            table.writerow(["filename", "label"] if official else ["class_name", "image_name"])
            for name in names:
                for place in PLACES:
                    own = f"{name}_{sorted(NUMBERS)[place - 1]}.JPEG"
                    table.writerow([f"{name}{place:08d}.jpg", name] if official else [name, own])


def photographs() -> Source:
    """Seven images of each class of mini-ImageNet and of ten others, in the order of their names as words."""
    names = sorted([*(name for part in CLASSES.values() for name in part), *OTHERS[64:74]])
    return Source.create(
        "ilsvrc",
        np.arange(7 * len(names), dtype=np.float32)[:, None],
        np.repeat(np.arange(len(names)), 7),
        class_names=tuple(names),
        attributes={"number": np.tile(sorted(NUMBERS, key=str), len(names))},
    )


@pytest.mark.parametrize("official", [True, False])
def test_its_own_images_and_what_it_left(official: bool, data_folder: Path) -> None:
    write_lists(data_folder / "mini_imagenet", official=official)
    split = load("mini-mod", photographs())
    assert split.name == "ilsvrc/mini-mod"
    for part, names in (("base", "train"), ("base_heldout", "train"), ("val", "val"), ("novel", "test")):
        found = split.part(part)
        assert found.name == f"ilsvrc/mini-mod/{part}"
        assert sorted(found.class_names[number] for number in found.classes) == sorted(CLASSES[names])
        wanted = set(NUMBERS) - CHOSEN if part == "base_heldout" else CHOSEN
        assert set(found.attributes["number"].tolist()) == wanted
        assert set(found.members.counts.tolist()) == {len(wanted)}
    assert split.novel.notes == ("the lists have 3 to 3 images of a class, mini-ImageNet 600",)


def test_the_official_layout_brings_it_at_84_pixels(data_folder: Path) -> None:
    write_lists(data_folder / "mini_imagenet")
    for name in [name for part in CLASSES.values() for name in part]:
        folder = data_folder / "ilsvrc" / "train" / name
        folder.mkdir(parents=True)
        for number in NUMBERS:
            Image.new("RGB", (4, 5), (number % 256, 0, 0)).save(folder / f"{name}_{number}.JPEG")
    split = find_split("ilsvrc", "mini-mod")
    assert split.base.store.shape[1:] == (3, 84, 84)
    assert [len(part) for part in (split.base, split.base_heldout, split.val, split.novel)] == [192, 256, 48, 60]
    assert set(split.base.attributes["number"].tolist()) == CHOSEN


def refusal(source: Source) -> str:
    with pytest.raises(FairshotError) as caught:
        load("mini-mod", source)
    return str(caught.value)


def test_what_is_missing_is_said(data_folder: Path) -> None:
    home, source = data_folder / "mini_imagenet", photographs()
    assert refusal(source).startswith(
        f"which images are mini-ImageNet's is not known here: no train.csv in {home}; put train.csv, val.csv and test.csv "
        "of Ravi and Larochelle there, from https://"
    )
    write_lists(home)
    missing = source.select(source.class_ids != source.class_names.index(RAVI_VAL[0]))
    assert refusal(missing).startswith(f"{RAVI_VAL[0]}00000001.jpg of mini-ImageNet is not among the 0 images of ")
    few = source.select(source.attributes["number"] < 10)
    assert refusal(few) == (
        f"{OTHERS[0]}00000004.jpg of mini-ImageNet is not among the 3 images of {OTHERS[0]} in ilsvrc: put all of ILSVRC's "
        "training images there under their own names, such as n01532829_20457.JPEG"
    )
    write_lists(home, official=False)
    assert refusal(few).startswith(f"{OTHERS[0]}_10.JPEG of mini-ImageNet is not among the 3 images of {OTHERS[0]} in ")
    (home / "val.csv").write_text("filename,label\ncat.jpg,cat\n")
    assert refusal(source).startswith(f"{home / 'val.csv'} lists 'cat.jpg', which names no image of ImageNet: take ")
    (home / "val.csv").write_text("a,b\n1,2\n")
    assert refusal(source).startswith(f"{home / 'val.csv'} has no column filename, it begins with a, b: take the one ")
    (home / "val.csv").write_text(f"filename,label\n{RAVI_VAL[0]}00000001.jpg,{RAVI_VAL[0]}\n")
    assert refusal(source) == (
        "mini-mod: (64, 1, 20) classes in train.csv, val.csv and test.csv, published (64, 16, 20)"
    )
    (home / "val.csv").write_text("filename,label\nn9999999900000001.jpg,n99999999\n")
    assert refusal(source) == "ilsvrc lacks class n99999999 of mini-ImageNet: put all of ILSVRC's classes there"


def test_lists_that_other_tools_ship_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {part: data_file(f"standard_splits/mini_imagenet_{part}.csv") for part in CLASSES}
    (tmp_path / "mini_imagenet").mkdir()
    listed: dict[str, set[int]] = {}
    for part, path in lists.items():
        (tmp_path / "mini_imagenet" / f"{part}.csv").write_bytes(path.read_bytes())
        for row in csv.DictReader(path.read_text().splitlines()):
            listed.setdefault(row["class_name"], set()).add(int(row["image_name"].partition("_")[2].partition(".")[0]))
    monkeypatch.setenv("FAIRSHOT_DATA", str(tmp_path))
    names = sorted(listed)
    extra = [sorted(listed[name] | set(range(10**6, 10**6 + 700))) for name in names]
    numbers = np.array([number for own in extra for number in own])
    source = Source.create(
        "ilsvrc",
        np.zeros((len(numbers), 1), dtype=np.float32),
        np.repeat(np.arange(100), [len(own) for own in extra]),
        class_names=tuple(names),
        attributes={"number": numbers},
    )
    split = load("mini-mod", source)
    assert [set(part.members.counts.tolist()) for part in (split.base, split.val, split.novel)] == [{600}] * 3
    assert len(split.base) == 64 * 600
    assert set(split.base_heldout.members.counts.tolist()) == {700}
    assert split.base.notes == ()
