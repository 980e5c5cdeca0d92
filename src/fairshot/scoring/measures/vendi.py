"""The Vendi score: how many different samples there are in effect (Friedman and Dieng, TMLR 2023)."""

import numpy as np
from jaxtyping import Float

from fairshot.scoring.measures.diversity import unit_vectors


def vendi_score(features: Float[np.ndarray, "image feature"]) -> float:
    """The exponential of the entropy of the eigenvalues of the cosine kernel over n: 1 for copies, n at most."""
    units = unit_vectors(features)
    shares = np.linalg.eigvalsh(units @ units.T / len(units))
    shares = shares[shares > 1e-12]
    return float(np.exp(-(shares * np.log(shares)).sum()))
