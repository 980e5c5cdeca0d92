from pathlib import Path

import numpy as np
import pytest

from fairshot.sources.mscoco import crop_box
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import coco, photograph


@pytest.mark.parametrize(
    ("box", "crop"),
    [
        ((10.0, 10.0, 10.0, 10.0), (8, 8, 21, 21)),  # a fifth larger, from half-integers to corners
        ((0.0, 0.0, 40.0, 30.0), (0, 0, 40, 30)),
        ((30.0, 20.0, 20.0, 20.0), (28, 18, 40, 30)),
        ((50.0, 5.0, 4.0, 4.0), None),
    ],
)
def test_boxes_grow_and_end_at_the_edges(box: tuple[float, ...], crop: tuple[int, ...] | None) -> None:
    assert crop_box(box, (40, 30)) == crop


@pytest.mark.parametrize("packed", [True, False])
def test_things_are_cut_out_of_their_photographs(packed: bool, data_folder: Path) -> None:
    coco(data_folder, packed)
    source = find_source("mscoco", find_recipe("8"))
    # In the order of photographs, then of the numbers of things: 9 has things 98 and 100, 10 has 97 and 99.
    assert source.class_names == ("bicycle", "person")
    expected = [
        (9, (39.6, 29.6, 0.0, 0.0)),
        (9, (10.2, 5.1, 8.0, 6.0)),
        (10, (1.0, 1.0, 3.0, 3.0)),
        (10, (0, 0, 40, 30)),
    ]
    assert source.class_ids.tolist() == [0, 1, 1, 0]
    for row, (number, box) in enumerate(expected):
        crop = crop_box(box, (40, 30))
        assert crop is not None
        image = photograph(6, number).crop(crop).resize((8, 8), 2)
        assert (source.store[row] == np.asarray(image).transpose(2, 0, 1)).all()


def test_the_copy_at_hand() -> None:
    data_file("wild/mscoco_crops_84.zip")
    assert find_source("mscoco:copy=wild").store.shape == (2828, 3, 84, 84)
    parts = [find_part(f"mscoco:copy=wild/meta-dataset/{part}") for part in ("val", "novel")]
    assert [len(part.classes) for part in parts] == [37, 37]
    assert parts[0].notes[1] == "74 of the 80 classes of meta-dataset are here: 37 of 40 val, 37 of 40 novel"
