"""Small drawings inside charts."""

import base64
import io

import numpy as np
from PIL import Image

from fairshot.reports.charts.drawings import in_colour, on_paper


def opened(address: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(address.removeprefix("data:image/png;base64,"))))


def test_pixels_stay_as_they_are_in_as_few_bits_as_they_need() -> None:
    tones = np.array([[0, 255], [255, 0]], dtype=np.uint8)
    assert opened(on_paper(tones)).mode == "1"
    assert np.array_equal(np.asarray(opened(on_paper(tones)).convert("L")), tones)
    tones[0, 0] = 100
    assert np.array_equal(np.asarray(opened(on_paper(tones))), tones)


def test_ink_has_its_colour_and_paper_none() -> None:
    picture = np.asarray(opened(in_colour(np.array([[True, False]]), (1, 2, 3))).convert("RGBA"))
    assert picture[0, 0].tolist() == [1, 2, 3, 255]
    assert picture[0, 1, 3] == 0
