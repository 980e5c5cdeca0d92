"""How well known classes are told from unknown ones: the chance that a known query is the surer one of two."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.sureness import Known, OpenSet, Sureness, curve


@dataclass(frozen=True)
class Auroc(OpenSet):
    """Area under the curve of accepted known against accepted unknown queries."""

    higher_is_better: ClassVar = True

    def score_one(self, sure: Sureness, known: Known, correct: Known) -> float:
        """The area, ties counted half."""
        return float(np.trapezoid(*curve(sure, known, known)[::-1]))
