"""The features of images, class by class: split up, and brought to length one."""

import numpy as np
from jaxtyping import Float, Int

from fairshot.runtime.errors import FairshotError

Features = Float[np.ndarray, "image feature"]
Labels = Int[np.ndarray, " image"]
PerClass = Float[np.ndarray, " class"]


def features_by_class(features: Features, labels: Labels) -> list[np.ndarray]:
    """The features of each label in order, in double precision; raises where a class has a single image."""
    order = np.argsort(labels, kind="stable")
    classes, starts, counts = np.unique(labels[order], return_index=True, return_counts=True)
    if counts.min() < 2:
        raise FairshotError(f"class {classes[counts.argmin()]} has one sample, and diversity needs two: give more")
    return np.split(features[order].astype(np.float64), starts[1:])


def unit_vectors(features: Features) -> Features:
    """Features brought to length one; a vector of zeros stays where it is."""
    exact = features.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return exact / np.where(lengths > 0, lengths, 1)
