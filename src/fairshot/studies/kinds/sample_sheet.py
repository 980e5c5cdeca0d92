"""A small picture of what a trained generator draws, for readers who point at it in the plane."""

import base64
import io

import numpy as np
from PIL import Image

from fairshot.generators.generator import Exemplars, Generator

CONCEPTS, SAMPLES = 5, 6  # rows and columns
SIDE, GAP = 28, 3  # pixels of a drawing, and between two
INK = 0.35  # of a small pixel, from which it is dark: thin lines stay whole


def sample_sheet(generator: Generator, exemplars: Exemplars, seed: int) -> str:
    """A row of drawings after each exemplar, dark on light, as a PNG of one bit a pixel in base64."""
    drawn = generator.generate(exemplars, SAMPLES, seed).mean(axis=2)
    sheet = Image.new("1", (_place(SAMPLES) - GAP, _place(len(drawn)) - GAP), 1)
    for row, drawings in enumerate(drawn):
        for column, drawing in enumerate(drawings):
            tones = Image.fromarray(np.rint(255 * (1 - drawing.clip(0, 1))).astype(np.uint8))
            small = tones.resize((SIDE, SIDE), Image.Resampling.BOX).point(
                lambda tone: 255 * (tone > 255 * (1 - INK)), "1"
            )
            sheet.paste(small, (_place(column), _place(row)))
    data = io.BytesIO()
    sheet.save(data, "PNG", optimize=True)
    return base64.b64encode(data.getvalue()).decode()


def _place(number: int) -> int:
    return number * (SIDE + GAP)
