import json
import sys
from pathlib import Path

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.hdf5_classes import CHECKSUMS, checksums
from fairshot.specs.data import find_source
from tests.sources.records import expected, write_hdf5

h5py = pytest.importorskip("h5py", reason="needs h5py: pip install 'fairshot[hdf5]'", exc_type=ImportError)


def test_classes_are_read_back_to_the_same_pixels_and_labels(data_folder: Path) -> None:
    write_hdf5(data_folder / "dtd" / "hdf5", h5py)
    source = find_source("dtd")
    assert source.class_names == ("banded", "waffled", "zigzagged")
    assert source.class_ids.tolist() == [0, 0, 1, 1, 1, 2]
    assert all((image == other).all() for image, other in zip(source.store, expected(), strict=True))


def test_a_flipped_byte_is_found_once_the_hashes_are_noted(data_folder: Path) -> None:
    folder = write_hdf5(data_folder / "dtd" / "hdf5", h5py)
    (folder / CHECKSUMS).write_text(json.dumps(checksums(folder)))
    file = folder / "1.h5"
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(FairshotError) as caught:
        find_source("dtd")
    assert str(caught.value) == f"{file} is damaged: it was another file when it was imported; import it again"


def test_files_of_another_class_or_another_form_are_refused(data_folder: Path) -> None:
    folder = write_hdf5(data_folder / "dtd" / "hdf5", h5py)
    with h5py.File(folder / "0.h5", "a") as file:
        del file["1"]["label"]
        file["1"].create_dataset("label", data=9)
    with pytest.raises(FairshotError, match=r"0\.h5 has images of class 9: it is another class's file$"):
        find_source("dtd")
    with h5py.File(folder / "0.h5", "a") as file:
        file.move("1", "7")
    with pytest.raises(FairshotError, match=r"0\.h5 has no groups 0 to 1 with an image each: it is of another form$"):
        find_source("dtd")
    (folder / "0.h5").write_bytes(b"no HDF5")
    with pytest.raises(FairshotError, match=r"0\.h5 is no complete HDF5 file: copy it again$"):
        find_source("dtd")


def test_without_h5py_it_says_what_to_install(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_hdf5(data_folder / "dtd" / "hdf5", h5py)
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(FairshotError, match=r"^0\.h5 needs h5py: pip install 'fairshot\[hdf5\]'$"):
        find_source("dtd")
