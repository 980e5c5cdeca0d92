"""Colours that can be seen: on light paper, on dark paper, and by all eyes."""

import pytest

from fairshot.reports.charts.theme import COLOURS, DARK, DARK_STYLE, INK, PAPER, SHAPES, SOFT, colours, dashes, shapes


def luminance(colour: str) -> float:
    """As the Web Content Accessibility Guidelines 2.1 define it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_the_scale_of_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colour", COLOURS)
def test_data_can_be_seen_on_either_paper(colour: str) -> None:
    assert contrast(colour, PAPER) >= 3
    assert contrast(colour, DARK[PAPER]) >= 3
    assert colour not in DARK_STYLE, "colours of data are the same on both"


@pytest.mark.parametrize("colour", [INK, SOFT])
def test_text_can_be_read_on_either_paper(colour: str) -> None:
    assert contrast(colour, PAPER) >= 4.5
    assert contrast(DARK[colour], DARK[PAPER]) >= 4.5


def test_more_curves_than_colours_differ_by_dashes() -> None:
    count = 2 * len(COLOURS)
    assert len(set(zip(colours(count), dashes(count), strict=True))) == count
    assert len(set(shapes(len(SHAPES)))) == len(SHAPES) == len(COLOURS)
