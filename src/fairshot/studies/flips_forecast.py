"""Does the printed probability that other classes show the other learner ahead come true?"""

import numpy as np
from jaxtyping import Float

from fairshot.runtime.seeds import Stream
from fairshot.studies.kinds.forecast_calibration import DrawnGaps, ForecastCalibration, Projections
from fairshot.studies.kinds.omniglot_benchmarks import embedded
from fairshot.studies.kinds.simulated_benchmarks import FEATURES, components, normals

IMAGES = 20
LARGEST_GAP = 3.0  # standard deviations

Vectors = Float[np.ndarray, "class image feature"]


def from_prior(stream: Stream) -> float:
    """As the forecast believes."""
    return float(normals(stream, 1)[0])


def evenly(stream: Stream) -> float:
    """From none to large, all alike."""
    return LARGEST_GAP * float(stream.uniform(1)[0])


def simulated(stream: Stream, classes: int) -> Vectors:
    """Normal classes, some noisier than others."""
    centres = normals(stream.child("centres"), classes, 1, FEATURES)
    noise = np.exp(0.3 * normals(stream.child("noise"), classes, 1, 1))
    return centres + noise * normals(stream.child("images"), classes, IMAGES, FEATURES)


def characters(stream: Stream, classes: int) -> Vectors:
    """Different characters of Omniglot, as a trained network sees them."""
    table = embedded(1)[0]
    return np.asarray(table[stream.ordered_sample(np.array([len(table)]), classes)[0]])


def photographs(stream: Stream, classes: int) -> Vectors:
    """Different classes of CIFAR-100, with some of their images."""
    rows = stream.ordered_sample(np.array([100]), classes)[0]
    chosen = stream.child("images").ordered_sample(np.full(classes, 600), IMAGES)
    return components()[rows[:, None], chosen]


STUDY = ForecastCalibration(
    title="Forecasts of flips, and what came true",
    paper="fairshot",
    populations=(
        DrawnGaps("gaps from the prior, 20 classes", from_prior),
        DrawnGaps("gaps of 0 to 3 sd, 20 classes", evenly),
        DrawnGaps("gaps from the prior, 10 classes", from_prior, classes=10),
        Projections("simulated classes", simulated),
        Projections("Omniglot", characters, features=(4, 24)),
        Projections("CIFAR-100", photographs, features=(4, 14)),
    ),
)
