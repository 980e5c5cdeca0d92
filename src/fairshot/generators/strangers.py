"""Exemplars of other classes: as different as drawings can be, and recognised by luck alone."""

from dataclasses import dataclass

import numpy as np

from fairshot.generators.generator import Drawings, Exemplars, Generator
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream


@dataclass(frozen=True)
class Strangers(Generator):
    """A yardstick: what a generator scores that does not look at its exemplar."""

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """For each drawing the exemplar of any other class."""
        classes = len(exemplars)
        if classes < 2:
            raise FairshotError("strangers are drawings of other classes, and there is one class: give two or more")
        further = 1 + Stream(seed, "strangers").integers(classes - 1, classes, count)
        return exemplars[(further + np.arange(classes)[:, None]) % classes]
