"""Thinning against a plain loop, and what it must keep; lengths by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from fairshot.scoring.line_length import line_length, thin
from fairshot.specs.data import find_part

BLOCKS = np.ones((3, 3))  # pixels that touch at a corner hang together; for paper they do not


def by_loop(ink: np.ndarray) -> np.ndarray:
    """Guo and Hall, pixel by pixel."""
    image = np.pad(ink, 1).astype(int)
    while True:
        before = image.copy()
        for half in (0, 1):
            gone = []
            for y, x in zip(*np.nonzero(image), strict=True):
                p2, p3, p4 = image[y - 1, x], image[y - 1, x + 1], image[y, x + 1]
                p5, p6, p7 = image[y + 1, x + 1], image[y + 1, x], image[y + 1, x - 1]
                p8, p9 = image[y, x - 1], image[y - 1, x - 1]
                c = (1 - p2) * (p3 | p4) + (1 - p4) * (p5 | p6) + (1 - p6) * (p7 | p8) + (1 - p8) * (p9 | p2)
                n = min((p9 | p2) + (p3 | p4) + (p5 | p6) + (p7 | p8), (p2 | p3) + (p4 | p5) + (p6 | p7) + (p8 | p9))
                m = (p6 | p7 | (1 - p9)) & p8 if half == 0 else (p2 | p3 | (1 - p5)) & p4
                if c == 1 and 2 <= n <= 3 and m == 0:
                    gone.append((y, x))
            for place in gone:
                image[place] = 0
        if (image == before).all():
            return image[1:-1, 1:-1].astype(bool)


def blots(seed: int, images: int = 5) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=(images, 18, 15))
    return ndimage.gaussian_filter(noise, (0, 1.5, 1.5)) > 0.05


@given(st.integers(0, 10**6))
def test_against_a_loop(seed: int) -> None:
    ink = blots(seed, 2)
    assert np.array_equal(thin(ink), np.stack([by_loop(image) for image in ink]))


@given(st.integers(0, 10**6), st.booleans())
def test_pieces_and_holes_are_kept(seed: int, rough: bool) -> None:
    ink = np.random.default_rng(seed).random((5, 12, 12)) < 0.5 if rough else blots(seed)
    lines = thin(ink)
    assert not (lines & ~ink).any()
    assert np.array_equal(thin(lines), lines)
    for one, other in zip(ink, lines, strict=True):
        assert ndimage.label(one, BLOCKS)[1] == ndimage.label(other, BLOCKS)[1]
        assert ndimage.label(~np.pad(one, 1))[1] == ndimage.label(~np.pad(other, 1))[1]


def test_lengths_by_hand() -> None:
    ink = np.zeros((6, 20, 20), dtype=bool)
    ink[0, 5, 3:14] = True  # a line of eleven pixels
    ink[1, range(3, 14), range(3, 14)] = True  # on the slant
    ink[2, 4:15, 6] = ink[2, 14, 6:12] = True  # a corner, which the line cuts
    ink[3, 7:8, 7:8] = True  # a dot
    ink[4, 4:15, range(4, 15)[::-1]] = False  # blank
    ink[5, range(3, 14), range(13, 2, -1)] = True  # the other slant
    assert line_length(ink) == pytest.approx([10, 10 * np.sqrt(2), 9 + 4 + np.sqrt(2), 0, 0, 10 * np.sqrt(2)])


def test_a_thick_line_is_about_as_long_as_a_thin_one() -> None:
    thick = np.zeros((1, 40, 40), dtype=bool)
    thick[0, 10:15, 5:35] = True
    assert line_length(thick)[0] == pytest.approx(29, abs=4)
    assert line_length(np.zeros((0, 5, 5), dtype=bool)).shape == (0,)
    assert line_length(np.ones((1, 1, 1), dtype=bool)).tolist() == [0]


def test_a_broader_pen_draws_lines_as_long() -> None:
    glyphs = find_part("glyphs:alphabets=5,characters=6,drawers=5", recipe="diversity")
    ink = np.asarray(glyphs.read(slice(None)))[:, 0] > 127
    broad = ndimage.binary_dilation(ink, np.array([[[0, 1, 0], [1, 1, 1], [0, 1, 0]]]))
    assert np.corrcoef(line_length(ink), line_length(broad))[0, 1] > 0.9
    assert line_length(broad).mean() == pytest.approx(line_length(ink).mean(), rel=0.1)
