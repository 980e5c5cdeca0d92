import json
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.images import tfrecords
from fairshot.sources.images.tfrecords import read_records
from fairshot.specs.data import find_part, find_source
from tests.sources.records import example, expected, record, write_records


def test_records_are_read_back_to_the_same_pixels_and_labels(data_folder: Path) -> None:
    write_records(data_folder / "dtd" / "records")
    source = find_source("dtd")
    assert (source.name, source.class_names) == ("dtd", ("banded", "waffled", "zigzagged"))
    assert source.class_ids.tolist() == [0, 0, 1, 1, 1, 2]
    assert all((image == other).all() for image, other in zip(source.store, expected(), strict=True))
    assert len(find_part("dtd/meta-dataset/base", recipe="8").classes) == 2
    assert find_source("dtd:copy=records").fingerprint == source.fingerprint


@pytest.mark.parametrize("batch", [1, 300, 1 << 25])
def test_batches_do_not_show(batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfrecords, "BATCH", batch)
    file = write_records(tmp_path / "records") / "1.tfrecords"
    places = read_records(file, label=1)
    assert len(places) == 3
    assert places[0].start == 12


def test_a_flipped_bit_is_found_wherever_it_is(tmp_path: Path) -> None:
    whole = b"".join(record(example(image=bytes([row] * 9), label=0)) for row in range(2))
    file = tmp_path / "0.tfrecords"
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        with pytest.raises(FairshotError, match=r"0\.tfrecords is damaged.*copy it again$"):
            read_records(file, label=0)


def test_a_flipped_byte_stops_the_source_with_one_line(data_folder: Path) -> None:
    folder = write_records(data_folder / "dtd" / "records")
    file = folder / "2.tfrecords"
    damaged = bytearray(file.read_bytes())
    damaged[50] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(FairshotError) as caught:
        find_source("dtd")
    assert str(caught.value) == f"{file} is damaged: its record 0 does not have its checksum; copy it again"


@pytest.mark.parametrize("left", [1, 11, 30])
def test_a_file_that_was_cut_off_is_said(left: int, tmp_path: Path) -> None:
    file = write_records(tmp_path / "records") / "0.tfrecords"
    first = read_records(file)[0]
    file.write_bytes(file.read_bytes()[: first.start + first.size + 4 + left])
    with pytest.raises(FairshotError) as caught:
        read_records(file)
    assert str(caught.value) == f"{file} is damaged or cut off: its record 1 has no end; copy it again"


def test_records_of_another_class_or_another_form_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "5.tfrecords"
    file.write_bytes(record(example(image=b"picture", label=4)))
    with pytest.raises(FairshotError) as caught:
        read_records(file, label=5)
    assert str(caught.value) == (
        f"{file}: record 0 has label [4] and 1 images, expected [5] and 1: the file is another class's, or not "
        "Meta-Dataset's"
    )


def test_the_specification_is_compared_with_the_files(data_folder: Path) -> None:
    folder = write_records(data_folder / "dtd" / "records")
    spec = json.loads((folder / "dataset_spec.json").read_text())
    spec["images_per_class"]["1"] = 4
    (folder / "dataset_spec.json").write_text(json.dumps(spec))
    with pytest.raises(FairshotError, match=r"1\.tfrecords holds 3 images, dataset_spec\.json says 4: copy it again$"):
        find_source("dtd")
    (folder / "1.tfrecords").unlink()
    with pytest.raises(FairshotError, match=r"lacks 1\.tfrecords and 0 other classes of dataset_spec\.json$"):
        find_source("dtd")
    (folder / "dataset_spec.json").write_text("[]")
    with pytest.raises(FairshotError, match=r"is no specification of Meta-Dataset's: copy it again$"):
        find_source("dtd")
    (folder / "dataset_spec.json").unlink()
    with pytest.raises(FairshotError, match=r"holds no dataset_spec\.json"):
        find_source("dtd")


def test_the_pixels_of_a_record_may_be_resized(data_folder: Path) -> None:
    write_records(data_folder / "dtd" / "records")
    assert find_part("dtd/meta-dataset/base").store.shape == (6, 3, 84, 84)
    assert np.isfinite(find_part("dtd/meta-dataset/base").store).all()
