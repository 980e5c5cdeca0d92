"""Would other items change the mean? Items that come in clusters (questions on one text) vary together.

The variance of a mean over fresh clusters is made of the sums of each cluster's deviations, scaled so that it is
unbiased where items are independent (CR2 of Bell and McCaffrey, 2002). With one item a cluster it is the variance of
the t test. Degrees of freedom are Satterthwaite's, the fewer of two: as if items were independent, and as if a cluster
were a single draw (Imbens and Kolesar, 2016). Equations (D75) to (D78) of docs/derivation.md.
"""

import numpy as np
from jaxtyping import Float, Int

from fairshot.statistics.estimate import Spread

FEWEST = 2  # clusters, or there is nothing that varies
MOST_EXACT = 2000  # clusters up to which degrees of freedom are exact; beyond, there are plenty

PerItem = Float[np.ndarray, " item"]
PerCluster = Float[np.ndarray, " cluster"]
Clusters = Int[np.ndarray, " item"]
"""The cluster of each item, numbered from 0 without gaps."""


def over_clusters(values: PerItem, clusters: Clusters, population: str) -> Spread | str:
    """The spread of the mean over fresh clusters of items, or why there is none."""
    count = int(clusters.max(initial=-1)) + 1
    if count < FEWEST:
        return f"one of the {population} tells nothing about others"
    deviation = values - values.mean()
    if np.allclose(deviation, 0.0, atol=1e-12) and values.mean() != 0:
        return "the difference is the same everywhere, so how others vary is not known"
    return Spread(
        value=float(values.mean()),
        population=population,
        variance=float(cluster_covariance(values[None], clusters)[0, 0]),
        sampling=0.0,
        noise=0.0,
        unit_degrees=cluster_degrees(clusters),
        episodes=len(values),
    )


def cluster_covariance(values: Float[np.ndarray, "method item"], clusters: Clusters) -> Float[np.ndarray, "method to"]:
    """The covariance of the means of several methods over fresh clusters of the same items (D75)."""
    sizes = np.bincount(clusters).astype(np.float64)
    deviations = values - values.mean(axis=1, keepdims=True)
    sums = np.stack([np.bincount(clusters, row, len(sizes)) for row in deviations])
    sums /= np.sqrt(1 - sizes / sizes.sum()) * sizes.sum()
    return sums @ sums.T


def over_both(values: PerItem, clusters: Clusters, others: Clusters, population: str) -> Spread | str:
    """The spread over fresh clusters of two kinds at once, which may cross each other (D78).

    Cameron, Gelbach and Miller (2011): what both have in common is counted once. It is never less than that of either.
    """
    first, second = (over_clusters(values, each, population) for each in (clusters, others))
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else second
    crossing = np.unique(clusters * (int(others.max()) + 1) + others, return_inverse=True)[1]
    common = over_clusters(values, crossing, population)
    twice = 0.0 if isinstance(common, str) else common.variance
    variance = max(first.variance + second.variance - twice, first.variance, second.variance)
    fewer = min(first, second, key=lambda spread: spread.unit_degrees)
    return Spread(
        value=fewer.value,
        population=population,
        variance=variance,
        sampling=0.0,
        noise=0.0,
        unit_degrees=fewer.unit_degrees,
        episodes=len(values),
    )


def cluster_degrees(clusters: Clusters) -> float:
    """Degrees of freedom of the variance over clusters: one fewer than clusters where all are of one size (D76, D77).

    Where some are larger than others they are fewer, as the largest say most.
    """
    sizes = np.bincount(clusters).astype(np.float64)
    if len(sizes) > MOST_EXACT or np.all(sizes == sizes[0]):
        return len(sizes) - 1.0
    shares = sizes / sizes.sum()
    scale = 1 / (1 - shares)
    independent = np.diag(shares) - np.outer(shares, shares)
    single = np.outer(shares, shares) * (np.eye(len(sizes)) - shares[:, None] - shares[None] + float((shares**2).sum()))
    return min(_satterthwaite(scale, form) for form in (independent, single))


def _satterthwaite(scale: PerCluster, form: Float[np.ndarray, "cluster cluster"]) -> float:
    """Degrees of freedom of a weighted sum of squares whose terms have this covariance."""
    mean = float((scale * np.diag(form)).sum())
    return max(2 * mean**2 / float(2 * (scale[:, None] * scale[None] * form**2).sum()), 1.0)
