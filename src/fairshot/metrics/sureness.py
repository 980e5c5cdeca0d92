"""What the metrics of open sets share: how sure a learner is that a query is of a class it knows."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Bool, Float

from fairshot.metrics.metric import Judged, Metric, Values

Sureness = Float[np.ndarray, " query"]
Known = Bool[np.ndarray, " query"]


@dataclass(frozen=True)
class OpenSet(Metric):
    """Each episode by itself: its queries, how sure the learner is of each, and which are of known classes."""

    needs_unknown: ClassVar = True
    sureness: Literal["logit", "probability"] = "logit"
    """The largest logit, or the largest probability."""

    def score(self, judged: Judged) -> Values:
        """The score of each episode."""
        table = judged.probabilities if self.sureness == "probability" else judged.present.numpy()
        sure = table.max(axis=2)
        rows = zip(sure, judged.known, judged.correct, judged.asked, strict=True)
        return np.array([self.score_one(s[a], k[a], c[a]) for s, k, c, a in rows])

    def score_one(self, sure: Sureness, known: Known, correct: Known) -> float:
        """The score of one episode."""
        raise NotImplementedError


def curve(sure: Sureness, known: Known, counted: Known) -> tuple[np.ndarray, np.ndarray]:
    """For every threshold, loosest last: the share of unknown queries accepted, and of known ones accepted and counted.

    Queries that the learner is equally sure of are accepted together.
    """
    order = np.argsort(-sure, kind="stable")
    last = np.append(np.diff(sure[order]) != 0, True)  # only between different values can a threshold lie
    wrong = np.cumsum(~known[order])[last] / max((~known).sum(), 1)
    right = np.cumsum((known & counted)[order])[last] / max(known.sum(), 1)
    return np.append(0.0, wrong), np.append(0.0, right)
