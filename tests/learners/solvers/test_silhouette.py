"""The silhouette against scikit-learn's."""

import numpy as np
import torch
from sklearn.metrics import silhouette_score

from fairshot.learners.solvers.silhouette import silhouette


def test_it_is_that_of_scikit_learn_with_padding_and_points_alone() -> None:
    rng = np.random.default_rng(0)
    points, clusters = rng.normal(size=(5, 14, 3)), rng.integers(0, 4, (5, 14))
    clusters[0] = [0] * 6 + [1] * 6 + [3, 3]
    clusters[1, :] = [0] + [1] * 7 + [2] * 6  # a point alone counts 0
    real = np.ones((5, 14), dtype=bool)
    real[2, 10:] = False
    found = silhouette(
        torch.cdist(torch.from_numpy(points), torch.from_numpy(points)),
        torch.from_numpy(real),
        torch.from_numpy(clusters),
        4,
    )
    for own, x, y, inside in zip(found.tolist(), points, clusters, real, strict=True):
        assert abs(own - silhouette_score(x[inside], y[inside])) < 1e-9
