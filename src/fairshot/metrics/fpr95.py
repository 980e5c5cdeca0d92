"""The share of unknown queries that are let through when 95% of the known ones are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairshot.metrics.sureness import Known, OpenSet, Sureness, curve

RECALL = 0.95


@dataclass(frozen=True)
class Fpr95(OpenSet):
    """False positives at 95% recall: the strictest threshold that accepts that many known queries."""

    higher_is_better: ClassVar = False

    def score_one(self, sure: Sureness, known: Known, correct: Known) -> float:
        """The share of unknown queries accepted."""
        wrong, right = curve(sure, known, known)
        return float(wrong[np.argmax(right >= RECALL - 1e-12)])
