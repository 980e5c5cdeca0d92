"""A sheet with examples of several data sets, a block for each: Fig. 1 of Triantafillou et al. 2018."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file, require_ending

SIDE, GAP = 64, 3  # pixels of an example, and between two
ACROSS, DOWN, BLOCKS = 8, 2, 2  # examples side by side and below each other in a block, and blocks side by side
EXAMPLES = ACROSS * DOWN
MARGIN, TEXT = 16, 15  # pixels around a block, and of its title
PAPER, INK = (255, 255, 255), (31, 35, 40)


def spread_evenly(count: int, wanted: int) -> list[int]:
    """Numbers below `count`, as many as wanted if there are so many, as far from each other as they can be."""
    return np.linspace(0, count - 1, min(count, wanted)).round().astype(int).tolist() if count else []


def example_sheet(examples: Mapping[str, Sequence[Image.Image]]) -> Image.Image:
    """The examples of each data set as squares below its name, in the order in which they are given."""
    if not examples:
        raise FairshotError("no examples were given: a sheet needs one data set at least")
    width, height = ACROSS * (SIDE + GAP) - GAP + MARGIN, DOWN * (SIDE + GAP) - GAP + TEXT + 8 + MARGIN
    columns, rows = min(BLOCKS, len(examples)), -(-len(examples) // BLOCKS)
    sheet = Image.new("RGB", (MARGIN + columns * width, MARGIN + rows * height), PAPER)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(TEXT)
    for number, (title, pictures) in enumerate(examples.items()):
        left, top = MARGIN + number % BLOCKS * width, MARGIN + number // BLOCKS * height
        draw.text((left, top), title, fill=INK, font=font)
        for place, picture in enumerate(pictures[:EXAMPLES]):
            square = picture.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            corner = left + place % ACROSS * (SIDE + GAP), top + TEXT + 8 + place // ACROSS * (SIDE + GAP)
            sheet.paste(square, corner)
    return sheet


def save_picture(picture: Image.Image, path: Path | str) -> Path:
    """Writes a PNG file, whole or not at all."""
    path = require_ending(Path(path), (".png",), "a picture")
    with complete_file(path) as unfinished:
        picture.save(unfinished, "PNG")
    return path
