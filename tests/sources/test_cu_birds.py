from pathlib import Path

import numpy as np
import pytest

from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import birds, lay_out, photograph


@pytest.mark.parametrize("name", ["CUB_200_2011.tgz", "CUB_200_2011"])
def test_whole_photographs_are_read_from_the_official_archive(name: str, data_folder: Path) -> None:
    lay_out(birds(), data_folder / "cu_birds" / name)
    source = find_source("cu_birds")
    assert source.class_names == ("008.Rhinoceros_Auklet", "014.Indigo_Bunting")
    assert source.class_ids.tolist() == [0, 0, 1, 1]
    assert (source.store[2] == np.asarray(photograph(2, 0, 0)).transpose(2, 0, 1)).all()
    assert source.notes == ()


@pytest.mark.parametrize(
    ("copy", "file", "images", "novel"),
    [
        ("wild", "wild/cub_test30_84.zip", (1200, 3, 84, 84), 30),
        ("small", "multidomain32/multidomain32_jpeg_mosaics.zip", (11_788, 3, 32, 32), 30),
    ],
)
def test_the_copies_at_hand(copy: str, file: str, images: tuple[int, ...], novel: int) -> None:
    data_file(file)
    source = find_source(f"cu_birds:copy={copy}")
    assert source.store.shape == images
    assert len(source.notes) == 1
    part = find_part(f"cu_birds:copy={copy}/meta-dataset/novel", recipe="raw")
    assert len(part.classes) == novel
    assert all(source.store[row].std() > 0 for row in range(0, len(source), 97))
