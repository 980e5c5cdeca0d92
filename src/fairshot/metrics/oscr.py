"""Known queries classified correctly against unknown ones accepted (Dhamija et al. 2018): the area under that curve."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.sureness import Known, OpenSet, Sureness, curve


@dataclass(frozen=True)
class Oscr(OpenSet):
    """Open-set classification rate; at most the accuracy on known classes."""

    higher_is_better: ClassVar = True

    def score_one(self, sure: Sureness, known: Known, correct: Known) -> float:
        """The area under the curve of correctly classified known against accepted unknown queries."""
        return float(np.trapezoid(*curve(sure, known, correct)[::-1]))
