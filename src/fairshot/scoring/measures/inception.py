"""The inception score (Salimans et al. 2016): with few samples it is too small."""

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float
from scipy.special import softmax

from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.critic_view import CriticView
    from fairshot.scoring.evidence import Evidence


class Inception(Measure):
    """How clearly samples are of a class, and of all classes."""

    about = "inception score by the prototypical critic: 1 to the number of classes"
    place = 170

    def whole(self, evidence: "Evidence") -> float:
        """The score of all classes."""
        return inception_of(evidence.view)


def inception_of(view: "CriticView") -> float:
    """The inception score by the prototypical critic, of the images that may be asked for."""
    return inception_score(softmax(-view.distances[view.asking], axis=1))


def inception_score(probabilities: Float[np.ndarray, "sample class"]) -> float:
    """How sure the answers are and how evenly they use all classes: from 1 to the number of classes."""
    shares = probabilities.astype(np.float64)
    mean = shares.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * (np.log(shares) - np.log(mean)), 0)
    return float(np.exp(terms.sum(axis=1).mean()))
