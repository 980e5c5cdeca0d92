"""From logits to confidence: one temperature, fitted to answers whose truth is known (Guo et al., ICML 2017).

Logits of different learners have different scales, so their softmax is no confidence by itself.
"""

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

WIDEST = 12.0  # the logarithm of the temperature, this far to either side of the usual lead of the first class

Logits = Float[np.ndarray, "query way"]


def fit_temperature(logits: Logits, labels: Int[np.ndarray, " query"]) -> float:
    """The temperature under which the truth is likeliest.

    Answers that are all right would ask for a temperature of 0, and for certainty. So one imagined mistake is shared
    out among them, as Platt (1999) does it: of n answers each counts 1 / (n + 2) for the best of the wrong classes.
    """
    rows = np.arange(len(labels))
    others = logits.copy()
    others[rows, labels] = -np.inf
    wrong = others.argmax(axis=1)
    lead = float(np.median(np.abs(logits[rows, labels] - logits[rows, wrong])))
    if not 0 < lead < np.inf:
        lead = float(np.ptp(logits[np.isfinite(logits)])) or 1.0
    doubt = 1 / (len(labels) + 2)

    def surprise(log_temperature: float) -> float:
        logs = log_softmax(logits / (lead * np.exp(log_temperature)), axis=1)
        told = (1 - doubt) * logs[rows, labels] + doubt * logs[rows, wrong]
        return -float(np.maximum(told, -1e9).mean())  # minus infinity, which no search can compare, is the worst

    found = minimize_scalar(surprise, bounds=(-WIDEST, WIDEST), method="bounded", options={"xatol": 1e-6})
    return lead * float(np.exp(found.x))


def confidences(logits: Logits, temperature: float) -> Logits:
    """Softmax at that temperature."""
    return softmax(logits / temperature, axis=1)
