from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources import image_file
from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import drawings


@pytest.mark.parametrize("part", [784, 3 * 784, 1 << 24])
def test_bitmaps_are_read_category_by_category(part: int, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_file, "PART", part)
    monkeypatch.setenv("FAIRSHOT_CACHE", str(data_folder.parent / "cache"))
    expected = drawings(data_folder)
    source = find_source("quickdraw")
    assert source.class_names == ("police car", "swan")
    assert source.class_ids.tolist() == [0] * 5 + [1] * 6
    assert (source.store.reshape(-1, 784) == np.concatenate(list(expected.values()))).all()


def test_the_first_drawings_of_each_can_be_enough(data_folder: Path) -> None:
    expected = drawings(data_folder)
    source = find_source("quickdraw:images=2")
    assert (source.store.reshape(-1, 784) == np.concatenate([table[:2] for table in expected.values()])).all()


def test_a_file_that_is_no_bitmap_is_named(data_folder: Path) -> None:
    drawings(data_folder)
    file = data_folder / "quickdraw" / "numpy_bitmap" / "swan.npy"
    np.save(file, np.zeros((3, 28, 28)))
    with pytest.raises(FairshotError, match=r"swan.npy holds float64 of \(3, 28, 28\): expected bytes, 784 a drawing$"):
        find_source("quickdraw")
    file.write_bytes(b"no array")
    with pytest.raises(FairshotError, match=r"swan.npy is no complete numpy file: fetch it again$"):
        find_source("quickdraw")
    for each in file.parent.iterdir():
        each.unlink()
    with pytest.raises(FairshotError, match=r"holds no CATEGORY.npy"):
        find_source("quickdraw")


def test_the_copy_at_hand() -> None:
    data_file("wild/quickdraw345x100_28.npz")
    source = find_source("quickdraw:copy=wild")
    assert source.store.shape == (34_500, 1, 28, 28)
    sizes = [
        len(find_part(f"quickdraw:copy=wild/meta-dataset/{part}", recipe="raw").classes)
        for part in ("base", "val", "novel")
    ]
    assert sizes == [241, 52, 52]
