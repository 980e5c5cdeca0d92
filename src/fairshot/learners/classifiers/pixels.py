"""The nearest support image pixel by pixel: the baseline that every learner of images should leave far behind."""

from dataclasses import dataclass
from typing import ClassVar

from fairshot.learners.classifiers.neighbours import Neighbours


@dataclass(frozen=True)
class Pixels(Neighbours):
    """1-NN on raw pixels."""

    reads: ClassVar = "images"
