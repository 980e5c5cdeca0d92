"""A sheet with examples of several data sets: every picture in its place below the name of its data set."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.collection import Collection
from fairshot.sources.images.example_sheet import (
    ACROSS,
    EXAMPLES,
    GAP,
    MARGIN,
    SIDE,
    TEXT,
    example_sheet,
    save_picture,
    spread_evenly,
)


def plain(grey: int) -> Image.Image:
    return Image.new("L", (10, 20), grey)


@given(st.integers(0, 200), st.integers(1, 40))
def test_numbers_lie_evenly(count: int, wanted: int) -> None:
    chosen = spread_evenly(count, wanted)
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(count, wanted)
    if wanted > 1 and count > 1:
        assert (chosen[0], chosen[-1]) == (0, count - 1)
        steps = np.diff(chosen)
        assert steps.max() - steps.min() <= 1


def test_every_picture_stands_in_its_place() -> None:
    sheet = np.asarray(example_sheet({"dark": [plain(10 * n) for n in range(EXAMPLES + 3)], "light": [plain(200)]}))
    top = MARGIN + TEXT + 8
    for place in range(EXAMPLES):
        left, down = MARGIN + place % ACROSS * (SIDE + GAP), top + place // ACROSS * (SIDE + GAP)
        assert (sheet[down : down + SIDE, left : left + SIDE] == 10 * place).all()
    second = 2 * MARGIN + ACROSS * (SIDE + GAP) - GAP
    assert (sheet[top : top + SIDE, second : second + SIDE] == 200).all()
    assert (sheet[top : top + SIDE, second + SIDE : second + SIDE + GAP] == 255).all()
    assert (sheet[MARGIN : MARGIN + TEXT, second : second + 60] < 128).any(), "a name stands above"


def test_one_image_of_each_class_is_opened_and_no_other() -> None:
    opened = []

    def read(number: int) -> Image.Image:
        opened.append(number)
        return plain(number)

    collection = Collection("it", [str(n) for n in range(12)], list("bbbaaaddcccc"), read, grey=True)
    assert [picture.getpixel((0, 0)) for picture in collection.examples(2)] == [3, 6]
    assert opened == [3, 6]
    assert [picture.getpixel((0, 0)) for picture in collection.examples(9)] == [3, 0, 8, 6]


def test_a_file_is_a_png_or_nothing(tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        save_picture(plain(0), tmp_path / "a.xyz")
    assert str(caught.value) == f"{tmp_path / 'a.xyz'} is not named like a picture: let it end in .png"
    with Image.open(save_picture(plain(7), tmp_path / "a.png")) as picture:
        assert picture.getpixel((0, 0)) == 7
    with pytest.raises(FairshotError):
        example_sheet({})
