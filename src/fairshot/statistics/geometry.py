"""The shape of an embedding: hubs, and how far classes lie apart; all by Euclidean distance.

Hubness is the skewness of the k-occurrence, of how often an image is among the k nearest of the others (Radovanović,
Nanopoulos and Ivanović, "Hubs in space", JMLR 11, 2010). The silhouette is Rousseeuw's ("Silhouettes", J. Comput. Appl.
Math. 20, 1987). The variance between classes is epsilon squared of a one-way analysis of variance (Kelley, PNAS 21,
1935), which, unlike the plain share, is 0 on average where classes do not differ, however few images they have.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy import stats

NEIGHBOURS = 10
ROWS = 512  # of the table of distances at a time

Vectors = Float[np.ndarray, "image feature"]
Labels = Int[np.ndarray, " image"]


@dataclass(frozen=True, kw_only=True)
class Geometry:
    """Measures of the embedded images of a part, or of some of them."""

    images: int
    classes: int
    features: int
    neighbours: int
    hubness: float
    """Skewness of the k-occurrence: 0 without hubs, above 1 with marked ones."""
    anti_hubs: float
    """Share of the images that are nobody's near neighbour."""
    largest_hub: int
    """How often the commonest neighbour is one; `neighbours` is the mean."""
    silhouette: float | None
    """Mean over the images, -1 to 1; None with fewer than two classes."""
    between: float | None
    """Share of the variance that lies between classes, beyond what few images a class bring about by chance."""


def geometry_of(vectors: Vectors, labels: Labels, neighbours: int = NEIGHBOURS) -> Geometry:
    """All measures of some embedded images; of equally near images any may count as the nearer."""
    classes, labels = np.unique(labels, return_inverse=True)
    neighbours = min(neighbours, len(vectors) - 1)
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)  # else distances lose their digits
    occurrence, silhouettes = np.zeros(len(vectors), dtype=np.int64), []
    for start in range(0, len(vectors), ROWS):
        rows = np.arange(start, min(start + ROWS, len(vectors)))
        distances = _distances(centred, rows)
        occurrence += _nearest(distances, rows, neighbours)
        silhouettes.append(_silhouettes(distances, rows, labels))
    return Geometry(
        images=len(vectors),
        classes=len(classes),
        features=vectors.shape[1],
        neighbours=neighbours,
        hubness=float(stats.skew(occurrence)) if occurrence.std() else 0.0,
        anti_hubs=float((occurrence == 0).mean()),
        largest_hub=int(occurrence.max()),
        silhouette=float(np.concatenate(silhouettes).mean()) if len(classes) > 1 else None,
        between=_between(centred, labels),
    )


def _distances(vectors: Vectors, rows: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row image"]:
    squares = np.einsum("if,if->i", vectors, vectors)
    table = squares[rows, None] + squares - 2 * vectors[rows] @ vectors.T
    table[np.arange(len(rows)), rows] = 0
    return np.sqrt(np.maximum(table, 0))


def _nearest(
    distances: Float[np.ndarray, "row image"], rows: Int[np.ndarray, " row"], count: int
) -> Int[np.ndarray, " image"]:
    """How often each image is among the nearest of these rows, which do not count themselves."""
    if count == 0:
        return np.zeros(distances.shape[1], dtype=np.int64)
    others = distances.copy()
    others[np.arange(len(rows)), rows] = np.inf
    chosen = np.argpartition(others, count - 1, axis=1)[:, :count]
    return np.bincount(chosen.ravel(), minlength=distances.shape[1])


def _silhouettes(
    distances: Float[np.ndarray, "row image"], rows: Int[np.ndarray, " row"], labels: Labels
) -> Float[np.ndarray, " row"]:
    """How much nearer an image is to its own class than to the next; 0 for the only image of a class."""
    sizes = np.bincount(labels)
    order = np.argsort(labels, kind="stable")
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(distances[:, order], starts, axis=1)
    own_class = (np.arange(len(rows)), labels[rows])
    inside = sums[own_class] / np.maximum(sizes[labels[rows]] - 1, 1)
    means = sums / sizes
    means[own_class] = np.inf
    outside = means.min(axis=1)
    larger = np.maximum(inside, outside)
    alone = (sizes[labels[rows]] == 1) | (larger == 0) | np.isinf(outside)
    return np.where(alone, 0.0, (np.where(alone, 1.0, outside) - inside) / np.where(alone, 1.0, larger))


def _between(centred: Vectors, labels: Labels) -> float | None:
    sizes = np.bincount(labels)
    total, degrees = float((centred**2).sum()), len(labels) - len(sizes)
    if len(sizes) < 2 or not degrees or not total:
        return None
    order = np.argsort(labels, kind="stable")
    means = np.add.reduceat(centred[order], np.cumsum(sizes) - sizes, axis=0) / sizes[:, None]
    within = total - float((sizes[:, None] * means**2).sum())
    return 1 - (within / degrees) / (total / (len(labels) - 1))
