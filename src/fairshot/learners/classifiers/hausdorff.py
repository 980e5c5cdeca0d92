"""The modified Hausdorff distance between ink (Dubuisson and Jain 1994), the classic baseline of Lake's 20 runs.

Ink pixels are points around their centre; two drawings are as far apart as the larger of the two mean nearest-point
distances.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float
from scipy.spatial import cKDTree
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch


@dataclass(frozen=True)
class Hausdorff(Classifier):
    """Nearest support image by the modified Hausdorff distance of the ink."""

    reads: ClassVar = "images"

    def embed(self, images: Float[Tensor, "image channel height width"]) -> Float[Tensor, "image height width"]:
        """1 where there is ink: the rarer of light and dark."""
        grey = images.mean(1)
        low, high = grey.amin((1, 2), keepdim=True), grey.amax((1, 2), keepdim=True)
        dark = grey < (low + high) / 2
        mostly_dark = dark.flatten(1).float().mean(1) > 0.5
        return (dark ^ mostly_dark[:, None, None]).float()

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """Minus the distance to the nearest member of each class."""
        logits = torch.full((*batch.query.shape[:2], batch.width), -torch.inf)
        for number in range(len(logits)):
            support, labels, queries = batch.episode(number)
            distances = torch.from_numpy(_distances(queries.numpy() > 0.5, support.numpy() > 0.5))
            asked = logits[number, batch.query_mask[number]]
            nearest = asked.scatter_reduce(1, labels.expand_as(distances), -distances, "amax")
            logits[number, batch.query_mask[number]] = nearest
        return logits


def _distances(
    queries: Bool[np.ndarray, "query height width"], support: Bool[np.ndarray, "support height width"]
) -> Float[np.ndarray, "query support"]:
    """The distance of every query from every support image."""
    clouds = [_cloud(image) for image in support]
    trees = [cKDTree(cloud) for cloud in clouds]
    starts = np.cumsum([0, *(len(cloud) for cloud in clouds[:-1])])
    everything, sizes = np.concatenate(clouds), np.array([len(cloud) for cloud in clouds])
    rows = []
    for image in queries:
        query = _cloud(image)
        forth = [tree.query(query)[0].mean() for tree in trees]
        back = np.add.reduceat(cKDTree(query).query(everything)[0], starts) / sizes
        rows.append(np.maximum(forth, back))
    return np.array(rows, dtype=np.float32)


def _cloud(image: Bool[np.ndarray, "height width"]) -> Float[np.ndarray, "point 2"]:
    """Ink around its centre; an image without ink is a single point."""
    points = np.argwhere(image).astype(np.float64)
    return points - points.mean(axis=0) if len(points) else np.zeros((1, 2))
