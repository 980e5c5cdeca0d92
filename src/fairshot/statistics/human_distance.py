"""How far a generator is from people, in diversity and recognizability at once (Boutin et al. 2022, section 4.3).

Both are brought to the same scale by what is compared: mean 0 and deviation 1 over all points, people among them. So
the distance depends on the company: it is kept with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.runtime.errors import unknown

HUMAN = "human"
Point = tuple[float, float]
"""Diversity and recognizability."""


@dataclass(frozen=True)
class HumanDistances:
    """Distances to people, with the pool of points that sets their scale."""

    pool: dict[str, Point]
    values: dict[str, float]


def distances_to_human(points: Mapping[str, Point], human: str = HUMAN) -> HumanDistances:
    """Of every point, on axes z-scored over all (n, not n - 1); an axis on which none differ counts for nothing."""
    if human not in points:
        raise unknown("point", human, points)
    table = _scaled(np.array(list(points.values())))
    far = np.linalg.norm(table - table[list(points).index(human)], axis=1)
    return HumanDistances(dict(points), dict(zip(points, far.tolist(), strict=True)))


def class_distances_to_human(
    points: Float[np.ndarray, "generator class 2"], human: Float[np.ndarray, "class 2"]
) -> Float[np.ndarray, "generator class"]:
    """The same for every class, on axes z-scored over all classes of all generators and of people."""
    table = np.concatenate([points, human[None]])
    scaled = _scaled(table.reshape(-1, 2)).reshape(table.shape)
    return np.linalg.norm(scaled[:-1] - scaled[-1], axis=2)


def _scaled(table: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, "point 2"]:
    spread = table.std(axis=0)
    return (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1)
