from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import fungi, photograph


@pytest.mark.parametrize("packed", [True, False])
def test_both_tables_are_read_and_species_of_one_name_stay_two(packed: bool, data_folder: Path) -> None:
    fungi(data_folder, packed)
    source = find_source("fungi")
    assert source.class_names == ("0007.Agaricus bisporus", "0008.Agaricus bisporus")
    assert source.class_ids.tolist() == [0, 1, 0, 1]
    assert (source.store[3] == np.asarray(photograph(5, 3)).transpose(2, 0, 1)).all()


def test_images_that_are_missing_are_said(data_folder: Path) -> None:
    fungi(data_folder, packed=False)
    for number in (1, 2):
        (data_folder / "fungi" / "fungi_train_val" / "images" / "7_Agaricus" / f"F{number}.JPG").unlink()
    with pytest.raises(FairshotError, match=r"lacks 7_Agaricus/F1.JPG and 1 others that .* names$"):
        find_source("fungi")


def test_the_copy_at_hand_has_none_of_the_released_classes() -> None:
    data_file("wild/fungi_genera9_84.zip")
    assert len(find_part("fungi:copy=wild/all-novel/novel").classes) == 9
    with pytest.raises(FairshotError, match="lists no class 'Agaricus', nor 8 others of 9: choose another split"):
        find_part("fungi:copy=wild/meta-dataset/novel")
