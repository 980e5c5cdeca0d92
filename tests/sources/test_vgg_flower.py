from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import FLOWER_NAMES, flowers, photograph


@pytest.mark.parametrize("name", ["102flowers.tgz", "102flowers"])
def test_photographs_are_labelled_by_the_table(name: str, data_folder: Path) -> None:
    flowers(data_folder, name)
    source = find_source("vgg_flower")
    assert source.class_names == FLOWER_NAMES == ("001.pink primrose", "077.passion flower")
    assert source.class_ids.tolist() == [1, 1, 0]
    assert (source.store[2] == np.asarray(photograph(4, 3)).transpose(2, 0, 1)).all()


def test_what_is_missing_is_said(data_folder: Path) -> None:
    flowers(data_folder, "102flowers")
    (data_folder / "vgg_flower" / "102flowers" / "jpg" / "image_00002.jpg").unlink()
    with pytest.raises(FairshotError, match=r"lacks image_00002.jpg, which .*imagelabels.mat labels: fetch it again$"):
        find_source("vgg_flower")
    (data_folder / "vgg_flower" / "imagelabels.mat").write_bytes(b"MATLAB 5.0 MAT-file, no more")
    with pytest.raises(FairshotError, match=r"holds no labels of VGG Flowers: fetch imagelabels.mat again$"):
        find_source("vgg_flower")
    (data_folder / "vgg_flower" / "imagelabels.mat").unlink()
    with pytest.raises(FairshotError, match=r"^vgg_flower is not here: no .*imagelabels.mat; put it there"):
        find_source("vgg_flower")


def test_the_copy_at_hand() -> None:
    data_file("multidomain32/multidomain32_jpeg_mosaics.zip")
    source = find_source("vgg_flower:copy=small")
    assert source.store.shape == (8189, 3, 32, 32)
    assert (source.members.counts.min(), source.members.counts.max()) == (40, 258)
    assert len(find_part("vgg_flower:copy=small/meta-dataset/novel").classes) == 16
