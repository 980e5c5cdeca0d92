"""Which cluster is which class: the one-to-one match that agrees most often."""

import numpy as np
from jaxtyping import Int, Real
from scipy.optimize import linear_sum_assignment

UNMATCHED = -1


def match_clusters(
    counts: Real[np.ndarray, "episode cluster class"],
    clusters: Int[np.ndarray, " episode"],
    classes: Int[np.ndarray, " episode"],
) -> Int[np.ndarray, "episode class"]:
    """For each class the cluster that it is matched with, such that most images agree; UNMATCHED where none is left.

    An episode has the first so many clusters and classes of its table.
    """
    matched = np.full((len(counts), counts.shape[2]), UNMATCHED, dtype=np.int64)
    for row, table, high, wide in zip(matched, counts, clusters.tolist(), classes.tolist(), strict=True):
        found, named = linear_sum_assignment(table[:high, :wide], maximize=True)
        row[named] = found
    return matched


def count_pairs(
    clusters: Int[np.ndarray, "episode image"], labels: Int[np.ndarray, "episode image"], sizes: tuple[int, int]
) -> Int[np.ndarray, "episode cluster class"]:
    """How many images of each episode are in a cluster and of a class; negative numbers are counted nowhere."""
    real = (clusters >= 0) & (labels >= 0)
    episode = np.nonzero(real)[0]
    place = (episode * sizes[0] + clusters[real]) * sizes[1] + labels[real]
    return np.bincount(place, minlength=len(labels) * sizes[0] * sizes[1]).reshape(len(labels), *sizes)
