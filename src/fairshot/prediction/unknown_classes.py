"""Images of classes that the support does not show: how sure must a learner be for an image to count as known?

Which sureness tells strangers best depends on the learner: the largest logit is a nearness where features are good, and
the largest probability is better where they are poor or logits are no similarities. So both are tried.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from scipy.stats import rankdata

from fairshot.prediction.temperature import Logits, confidences
from fairshot.runtime.errors import FairshotError

Sureness = Literal["logit", "probability"]
Values = Float[np.ndarray, " query"]


@dataclass(frozen=True)
class Strangers:
    """An image with less sureness than the threshold counts as unknown."""

    share: float
    """Of the images of known classes, called unknown by mistake: what was asked for."""
    sureness: Sureness
    threshold: float
    auroc: float | None
    """How well sureness told images of classes that were left out from others; None if that could not be tried."""
    found: float | None
    """Share of the images of left-out classes that lie below the threshold."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Logits of support images whose class the others show, and of those whose class was left out."""

    known: list[np.ndarray]
    strange: list[np.ndarray]

    def auroc(self, kind: Sureness, temperature: float) -> float:
        """How well sureness tells them apart."""
        known, strange = (_all_sure(parts, kind, temperature) for parts in (self.known, self.strange))
        return auroc(known, strange)

    def found(self, kind: Sureness, temperature: float, threshold: float) -> float:
        """The share of strangers below the threshold."""
        return float((_all_sure(self.strange, kind, temperature) < threshold).mean())


def _all_sure(parts: list[np.ndarray], kind: Sureness, temperature: float) -> Values:
    return np.concatenate([sureness(part, kind, temperature) for part in parts])


def sureness(logits: Logits, kind: Sureness, temperature: float) -> Values:
    """The largest logit or the largest probability of each query."""
    return (logits if kind == "logit" else confidences(logits, temperature)).max(axis=1)


def auroc(known: Float[np.ndarray, " known"], strange: Float[np.ndarray, " strange"]) -> float:
    """The chance that a known image is surer than a strange one; equals count half."""
    ranks = rankdata(np.concatenate([known, strange]))[: len(known)]
    return float((ranks.sum() - len(known) * (len(known) + 1) / 2) / (len(known) * len(strange)))


def tell_strangers(held: Logits, trial: Trial | None, temperature: float, share: float) -> Strangers:
    """The better sureness, and its threshold from support images that were answered by the others."""
    kind: Sureness = "logit"
    told = found = None
    if trial is not None:
        kinds: tuple[Sureness, ...] = ("logit", "probability")
        tried = {kind: trial.auroc(kind, temperature) for kind in kinds}
        kind = max(kinds, key=lambda kind: tried[kind])
        told = tried[kind]
    threshold = lowest_known(sureness(held, kind, temperature), share)
    if trial is not None:
        found = trial.found(kind, temperature, threshold)
    return Strangers(share, kind, threshold, told, found)


def can_tell(answers: int, share: float) -> bool:
    """Whether so many answers are enough to find that share of them."""
    return _place(answers, share) > 0


def _place(answers: int, share: float) -> int:
    return int(share * (answers + 1) + 1e-9)


def lowest_known(sure: Values, share: float) -> float:
    """Below it lies at most that share of images of known classes, as far as they are like those that are given.

    A new image is as likely to take any place among the n given ones, so the threshold is the k-th lowest of them with
    k = share * (n + 1), rounded down (a conformal quantile).
    """
    if not can_tell(len(sure), share):
        least = int(np.ceil(1 / share - 1e-9)) - 1
        raise FairshotError(
            f"unknown={share:g} needs at least {least} support images that the others can answer, and there are "
            f"{len(sure)}: give more support, or say least=0.5 to go by the confidence alone"
        )
    return float(np.sort(sure)[_place(len(sure), share) - 1])
