"""Features laid out on a plane so that neighbours stay neighbours: t-SNE (van der Maaten and Hinton, JMLR 2008)."""

import numpy as np
from jaxtyping import Float
from threadpoolctl import threadpool_limits

from fairshot.runtime.errors import FairshotError

PERPLEXITY = 30.0  # neighbours that count, in effect; a third of the images at most
LEAST = 4


def neighbour_map(features: Float[np.ndarray, "image feature"], seed: int = 0) -> Float[np.ndarray, "image 2"]:
    """A place for each image, each axis from 0 to 1; the same for a seed, on one thread as on many."""
    if len(features) < LEAST:
        raise FairshotError(f"{len(features)} images cannot be laid out by their neighbours: give {LEAST} at least")
    from sklearn.manifold import TSNE  # takes a second to import

    perplexity = min(PERPLEXITY, (len(features) - 1) / 3)
    start = "pca" if np.ptp(features, axis=0).any() else "random"  # copies have no axes
    method = TSNE(perplexity=perplexity, init=start, learning_rate="auto", random_state=seed)
    with threadpool_limits(1):
        places = method.fit_transform(features.astype(np.float32)).astype(np.float64)
    return stretch(places)


def stretch(places: Float[np.ndarray, "image 2"]) -> Float[np.ndarray, "image 2"]:
    """The same places with each axis from 0 to 1."""
    low, high = places.min(axis=0), places.max(axis=0)
    return (places - low) / np.where(high > low, high - low, 1)
