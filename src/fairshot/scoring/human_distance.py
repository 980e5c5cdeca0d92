"""How far a generator is from people, in diversity and in recognizability at once.

Both axes are measured in what people themselves reach: diversity as a share of people's, and recognizability above
chance as a share of people's. So

    distance = sqrt((diversity / people's - 1)^2 + ((recognizability - chance) / (people's - chance) - 1)^2),

which is 0 for people, 1 for exact copies that are recognised as people are, and 1 for samples as diverse as people's
that are recognised by chance. No other set of samples has a say in it.

The published distance (Boutin et al. 2022, section 4.3) has another scale: both axes are z-scored over all models of a
plane, people among them. It depends on which models these are, so it is for studies that have the whole plane, and
is called pooled here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.runtime.errors import unknown
from fairshot.scoring.sample_scores import HUMAN
from fairshot.tables.words import percent

LEAST_ABOVE_CHANCE = 0.05  # of people's recognizability: below it the unit of that axis is mostly noise

Point = tuple[float, float]
"""Diversity and recognizability."""
Points = Float[np.ndarray, "class 2"]
"""Diversity and recognizability of every class."""


@dataclass(frozen=True, eq=False)
class HumanScale:
    """What people's drawings set: where they are, and what counts as 1 on either axis."""

    by_class: Points
    chance: float

    @property
    def point(self) -> Float[np.ndarray, "2"]:
        """People's diversity and recognizability: the mean over classes."""
        return self.by_class.mean(axis=0)

    @property
    def units(self) -> Float[np.ndarray, "2"]:
        """People's diversity, and their recognizability above chance."""
        return self.point - np.array([0.0, self.chance])

    @property
    def lacking(self) -> str:
        """Why there is no scale; empty if there is one."""
        diversity, above = self.units.tolist()
        if diversity <= 0:
            return "people's drawings of a class are all alike to the critic, so that diversity has no scale"
        if above < LEAST_ABOVE_CHANCE:
            return (
                f"people's drawings are recognised {percent(self.point[1])} of the time and chance is "
                f"{percent(self.chance)}, so that recognizability has no scale"
            )
        return ""

    def apart(self, samples: Points) -> Points:
        """How far every class of samples is from the same class of people's, along either axis."""
        return (samples - self.by_class) / self.units

    def distance(self, samples: Points) -> float:
        """Of the mean over classes: what is called the distance to people."""
        return float(np.linalg.norm(self.apart(samples).mean(axis=0)))

    def class_distances(self, samples: Points) -> Float[np.ndarray, " class"]:
        """Of every class from the same class of people's, in the same units for all classes."""
        return np.linalg.norm(self.apart(samples), axis=1)

    def shares(self, samples: Points) -> Float[np.ndarray, " class"]:
        """What every class adds to the distance: their mean is the distance, and they vary as it would.

        The distance is a smooth function of means over classes, so it is replaced by its tangent (the infinitesimal
        jackknife). A distance of 0 has no tangent, and nothing to add.
        """
        apart = self.apart(samples).mean(axis=0)
        far = float(np.linalg.norm(apart))
        if far == 0:
            return np.zeros(len(samples))
        above = np.array([0.0, self.chance])
        ratio = (samples.mean(axis=0) - above) / self.units
        moved = (samples - samples.mean(axis=0) - ratio * (self.by_class - self.point)) / self.units
        return far + moved @ apart / far


@dataclass(frozen=True)
class PooledDistances:
    """Distances to people, with the pool of points that sets their scale."""

    pool: dict[str, Point]
    values: dict[str, float]


def pooled_distances(points: Mapping[str, Point], human: str = HUMAN) -> PooledDistances:
    """The published distance: axes z-scored over all points (n, not n - 1); one on which none differ counts nothing."""
    if human not in points:
        raise unknown("point", human, points)
    table = _scaled(np.array(list(points.values())))
    far = np.linalg.norm(table - table[list(points).index(human)], axis=1)
    return PooledDistances(dict(points), dict(zip(points, far.tolist(), strict=True)))


def pooled_class_distances(
    points: Float[np.ndarray, "generator class 2"], human: Points
) -> Float[np.ndarray, "generator class"]:
    """The published distance of every class, on axes z-scored over all classes of all generators and of people."""
    table = np.concatenate([points, human[None]])
    scaled = _scaled(table.reshape(-1, 2)).reshape(table.shape)
    return np.linalg.norm(scaled[:-1] - scaled[-1], axis=2)


def _scaled(table: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, "point 2"]:
    spread = table.std(axis=0)
    return (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1)
