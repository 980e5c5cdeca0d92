"""Is a sample the exemplar itself? Ink against ink, wherever it lies within a few pixels."""

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float

from fairshot.scoring.class_features import PerClass
from fairshot.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from fairshot.scoring.evidence import Evidence

ALIKE = 0.9  # ink that both have, of all ink, from which on a drawing is a copy
SHIFT = 2  # pixels in every direction


class Copies(Measure):
    """How many samples repeat what was shown."""

    about = "share of samples that are the exemplar"
    unit = "share"
    higher_is_better = False
    place = 50

    def by_class(self, evidence: "Evidence") -> PerClass:
        """The share of each class that is its exemplar."""
        view = evidence.view
        return view.mean_by_class(copied(view.ink, view.exemplar_ink[view.labels]))


def likeness(
    samples: Bool[np.ndarray, "image height width"], exemplars: Bool[np.ndarray, "image height width"]
) -> Float[np.ndarray, " image"]:
    """Of each sample and its exemplar, the ink in both over the ink in either, at the best shift; 1 if none has ink."""
    best = np.zeros(len(samples))
    padded = np.pad(samples, ((0, 0), (SHIFT, SHIFT), (SHIFT, SHIFT)))
    height, width = samples.shape[1:]
    exemplar_ink, sample_ink = exemplars.sum(axis=(1, 2)), samples.sum(axis=(1, 2))
    for down in range(2 * SHIFT + 1):
        for across in range(2 * SHIFT + 1):
            moved = padded[:, down : down + height, across : across + width]
            both = (moved & exemplars).sum(axis=(1, 2))
            best = np.maximum(best, both / np.maximum(exemplar_ink + sample_ink - both, 1))
    return np.where((exemplar_ink == 0) & (sample_ink == 0), 1.0, best)


def copied(
    samples: Bool[np.ndarray, "image height width"],
    exemplars: Bool[np.ndarray, "image height width"],
    alike: float = ALIKE,
) -> Bool[np.ndarray, " image"]:
    """Which samples are their exemplars, up to that likeness."""
    return likeness(samples, exemplars) >= alike
