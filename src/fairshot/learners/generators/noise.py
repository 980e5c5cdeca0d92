"""Specks of ink anywhere: nothing of the exemplar but its amount of ink."""

from dataclasses import dataclass

import numpy as np

from fairshot.learners.generator import Drawings, Exemplars, Generator
from fairshot.runtime.seeds import Stream


@dataclass(frozen=True)
class Noise(Generator):
    """A yardstick: what is no drawing at all must be recognised by chance alone."""

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """The pixels of the exemplar in any order."""
        shape, size = exemplars.shape, exemplars[0, 0].size
        order = np.argsort(Stream(seed, "noise").uniform(len(exemplars), count, 1, size), axis=-1)
        pixels = exemplars.reshape(*shape[:2], size)[:, None]
        shuffled = np.take_along_axis(np.broadcast_to(pixels, (*order.shape[:2], *pixels.shape[2:])), order, axis=-1)
        return shuffled.reshape(shape[0], count, *shape[1:])
