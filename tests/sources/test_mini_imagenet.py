"""mini-ImageNet in both of its layouts, with the published classes."""

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.mini_imagenet import load
from fairshot.specs.data import find_split
from fairshot.splits.mini_imagenet import RAVI_NOVEL, RAVI_VAL
from tests.conftest import data_file

NAMES = [*RAVI_VAL, *RAVI_NOVEL, *(f"n9{number:07d}" for number in range(64))]


def picture(number: int) -> Image.Image:
    return Image.fromarray(np.full((6, 8, 3), number % 256, dtype=np.uint8))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRSHOT_DATA", str(tmp_path))
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "mini_imagenet"


def test_class_folders_and_the_flat_folder_hold_the_same_images(home: Path) -> None:
    for number, name in enumerate(NAMES):
        (home / name).mkdir(parents=True)
        for image in range(2):
            picture(number + image).save(home / name / f"{name}{image:08d}.png")
    folders = find_split("mini_imagenet", "ravi", recipe="4")
    assert [len(part.classes) for part in (folders.base, folders.val, folders.novel)] == [64, 16, 20]
    assert folders.novel.name == "mini_imagenet/ravi/novel"
    (home / "images").mkdir()
    for file in sorted(home.glob("n*/*.png")):
        file.rename(home / "images" / file.name)
        if not any(file.parent.iterdir()):
            file.parent.rmdir()
    flat = find_split("mini_imagenet", "ravi", recipe="4")
    for part in ("base", "val", "novel"):
        one, other = folders.part(part), flat.part(part)
        assert one.class_names == other.class_names
        assert (one.class_ids == other.class_ids).all()
        assert (one.read(slice(None)) == other.read(slice(None))).all()


def test_what_is_missing_is_said(home: Path) -> None:
    with pytest.raises(
        FairshotError, match=r"^mini_imagenet is not here: no .*mini_imagenet; put its images there as "
    ):
        load()
    (home / "n01532829").mkdir(parents=True)
    picture(0).save(home / "n01532829" / "a.png")
    with pytest.raises(FairshotError, match=r"holds 1 classes, mini-ImageNet has 100: put all of them there$"):
        load()


@pytest.mark.parametrize(("part", "names"), [("val", RAVI_VAL), ("test", RAVI_NOVEL)])
def test_the_classes_are_what_other_tools_ship(part: str, names: tuple[str, ...]) -> None:
    with data_file(f"standard_splits/mini_imagenet_{part}.csv").open() as file:
        assert sorted({row["class_name"] for row in csv.DictReader(file)}) == sorted(names)
