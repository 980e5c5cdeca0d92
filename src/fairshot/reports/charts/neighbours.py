"""Drawings of a few concepts on a map of neighbours: coloured by concept, exemplars framed in red."""

import colorsys
from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool
from PIL import Image

from fairshot.reports.charts.svg import GREY, document, frame, image, text
from fairshot.scoring.concepts import NeighbourMap

SIDE, CELL, TOP, MARGIN, LEGEND = 680, 25, 44, 16, 190  # pixels on paper

Colour = tuple[int, int, int]


def neighbour_picture(found: NeighbourMap, title: str) -> str:
    """An SVG of all drawings where they belong."""
    told = "t-SNE of the features in which diversity is measured; red: exemplars"
    body = [text(MARGIN, 18, title, 'font-weight="bold"'), text(MARGIN, 34, told, f'fill="{GREY}"')]
    colours = _colours(len(found.names))
    places = MARGIN + found.places * (SIDE - 2 * MARGIN - CELL) + np.array([0, TOP])
    small = _halved(found.drawings < 128)
    # Exemplars last: nothing lies on them.
    for number in np.argsort(found.exemplar, kind="stable").tolist():
        x, y = places[number].round(1).tolist()
        body.append(image(_coloured(small[number], colours[found.labels[number]]), x, y, CELL, CELL))
        if found.exemplar[number]:
            body.append(frame(x, y, CELL, CELL))
    body += _legend(found.names, colours)
    return document(SIDE + LEGEND, SIDE + TOP, body)


def _colours(count: int) -> list[Colour]:
    """As far apart as hues can be, neighbours of different darkness."""
    shades = [colorsys.hls_to_rgb(k / count, 0.3 if k % 2 else 0.45, 0.85) for k in range(count)]
    return [(round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in shades]


def _halved(ink: Bool[np.ndarray, "drawing height width"]) -> Bool[np.ndarray, "drawing half_height half_width"]:
    """Half as large: ink where any of four pixels has some."""
    even = np.pad(ink, ((0, 0), (0, ink.shape[1] % 2), (0, ink.shape[2] % 2)))
    return even[:, ::2, ::2] | even[:, 1::2, ::2] | even[:, ::2, 1::2] | even[:, 1::2, 1::2]


def _coloured(ink: Bool[np.ndarray, "height width"], colour: Colour) -> Image.Image:
    """Ink of a colour on paper that one sees through."""
    picture = Image.fromarray(ink.astype(np.uint8)).convert("P")
    picture.putpalette([255, 255, 255, *colour])
    picture.info["transparency"] = 0
    return picture


def _legend(names: Sequence[str], colours: Sequence[Colour]) -> list[str]:
    parts = []
    for number, (name, colour) in enumerate(zip(names, colours, strict=True)):
        y = TOP + 14 + 16 * number
        parts.append(f'<rect x="{SIDE}" y="{y - 9}" width="10" height="10" fill="rgb{colour}"/>')
        parts.append(text(SIDE + 16, y, name[-28:]))
    return parts
