"""Specks of ink anywhere: nothing of the exemplar."""

from dataclasses import dataclass

import numpy as np

from fairshot.generators.generator import Drawings, Exemplars, Generator
from fairshot.runtime.seeds import Stream


@dataclass(frozen=True)
class Noise(Generator):
    """A yardstick: what is no drawing at all must be recognised by chance alone."""

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """Every pixel is any pixel of any exemplar, so that not even the amount of ink tells which it belongs to."""
        classes, channels = exemplars.shape[:2]
        pixels = exemplars.swapaxes(1, -1).reshape(-1, channels)
        chosen = Stream(seed, "noise").integers(len(pixels), classes, count, *exemplars.shape[2:])
        return np.moveaxis(pixels[chosen], -1, 2)
