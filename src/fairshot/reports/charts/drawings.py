"""Small drawings as PNG inside a chart, for marks that show images."""

import base64
import io

import numpy as np
from jaxtyping import Bool, UInt8
from PIL import Image

Colour = tuple[int, int, int]


def on_paper(tones: UInt8[np.ndarray, "height width"]) -> str:
    """A grey image as it is, in one bit a pixel if it is black and white alone."""
    picture = Image.fromarray(tones)
    return _address(picture.point(lambda tone: tone, "1") if np.isin(tones, (0, 255)).all() else picture)


def in_colour(ink: Bool[np.ndarray, "height width"], colour: Colour) -> str:
    """Ink of a colour on paper that one sees through."""
    picture = Image.fromarray(ink.astype(np.uint8)).convert("P")
    picture.putpalette([255, 255, 255, *colour])
    picture.info["transparency"] = 0
    return _address(picture)


def _address(picture: Image.Image) -> str:
    """The file itself as an address, which needs nothing beside the chart."""
    data = io.BytesIO()
    picture.save(data, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"
