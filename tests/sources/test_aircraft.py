from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import aircraft, lay_out, photograph


@pytest.mark.parametrize("name", ["fgvc-aircraft-2013b.tar.gz", "fgvc-aircraft-2013b"])
def test_photographs_are_cropped_to_their_boxes(name: str, data_folder: Path) -> None:
    lay_out(aircraft(), data_folder / "aircraft" / name)
    source = find_source("aircraft", find_recipe("16"))
    assert (source.name, source.store.shape) == ("aircraft", (4, 3, 16, 16))
    assert source.class_names == source.parents == ("A380", "Spitfire")
    assert source.class_ids.tolist() == [0, 1, 0, 1]
    for row in range(4):
        expected = photograph(1, row + 1).crop((2, 3, 31 + row, 20)).resize((16, 16), 2)
        assert (source.store[row] == np.asarray(expected).transpose(2, 0, 1)).all()


def test_packed_and_unpacked_give_the_same_source_and_pair_at_any_size(data_folder: Path) -> None:
    lay_out(aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b.tar.gz")
    packed = find_source("aircraft", find_recipe("16"))
    (data_folder / "aircraft" / "fgvc-aircraft-2013b.tar.gz").unlink()
    lay_out(aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b")
    assert find_source("aircraft", find_recipe("16")).fingerprint == packed.fingerprint
    assert find_source("aircraft", find_recipe("8")).origin == packed.origin


def test_boxes_of_many_sizes_need_a_recipe(data_folder: Path) -> None:
    lay_out(aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b")
    with pytest.raises(FairshotError) as caught:
        find_source("aircraft")
    assert str(caught.value) == (
        "aircraft holds images of several sizes, such as 29 x 17 and 30 x 17: give --recipe 84 (or another number of "
        "pixels) to resize them"
    )


def test_the_split_says_how_much_is_there(data_folder: Path) -> None:
    lay_out(aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b")
    part = find_part("aircraft/meta-dataset/novel", recipe="8")
    assert [part.class_names[one] for one in part.classes] == ["Spitfire"]
    assert part.notes == ("2 of the 100 classes of meta-dataset are here: 1 of 70 base, 0 of 15 val, 1 of 15 novel",)


def test_a_missing_table_and_a_missing_archive_are_said(data_folder: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        find_source("aircraft")
    place = data_folder / "aircraft" / "fgvc-aircraft-2013b"
    assert str(caught.value) == (
        f"aircraft is not here: no {place}; put it there, or let FAIRSHOT_DATA list the folder that holds "
        "aircraft/fgvc-aircraft-2013b"
    )
    files = aircraft()
    del files["fgvc-aircraft-2013b/data/images_box.txt"]
    lay_out(files, place)
    with pytest.raises(FairshotError, match=r"^aircraft lacks images_box\.txt: fetch it again$"):
        find_source("aircraft", find_recipe("8"))


def test_a_damaged_photograph_is_named(data_folder: Path) -> None:
    files = aircraft()
    files["fgvc-aircraft-2013b/data/images/0000003.jpg"] = b"no photograph"
    lay_out(files, data_folder / "aircraft" / "fgvc-aircraft-2013b")
    with pytest.raises(FairshotError, match=r"^aircraft: cannot decode 0000003: fetch it again$"):
        find_source("aircraft", find_recipe("8"))


def test_an_unknown_copy_is_refused() -> None:
    with pytest.raises(FairshotError, match=r"^unknown copy of aircraft 'wilt': did you mean 'wild'\?$"):
        find_source("aircraft:copy=wilt")


def test_the_edge_maps_say_what_they_are() -> None:
    data_file("wild/aircraft100_sobel_64x32.npz")
    source = find_source("aircraft:copy=wild")
    assert (source.name, source.store.shape) == ("aircraft:copy=wild", (4000, 1, 32, 64))
    assert "no photographs" in source.notes[0]
    assert set(source.members.counts) == {40}
    split = find_part("aircraft:copy=wild/meta-dataset/base")
    assert (len(split.classes), split.name) == (70, "aircraft:copy=wild/meta-dataset/base")
