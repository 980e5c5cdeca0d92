"""Numbers of the path that a setting takes a generator along, and claims about them.

A path is a table of diversity and recognizability in shares of what people reach, in the order of the setting. Every
number is found for each seed by itself, so its interval is for other seeds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.sample_judge import AXES
from fairshot.studies.kinds.seed_intervals import over_seeds

STRAIGHT = 0.9  # of a path's variance along its main direction: what is called quasi-linear here

Path = Float[np.ndarray, "point 2"]
Paths = Mapping[str, Mapping[int, Path]]
"""By generator and seed."""


def change(path: Path, axis: int) -> float:
    """How much an axis changes from the first value of the setting to the last, by a straight line over their order."""
    return float(np.polyfit(np.linspace(0, 1, len(path)), path[:, axis], 1)[0])


def bend(path: Path, axis: int) -> float:
    """The second-order coefficient of an axis over the order of values: above 0 where it is lowest in the middle."""
    return float(np.polyfit(np.linspace(0, 1, len(path)), path[:, axis], 2)[0])


def reach(path: Path) -> float:
    """How far points are from the middle of their path, the root of the mean square."""
    return float(np.sqrt(((path - path.mean(axis=0)) ** 2).sum(axis=1).mean()))


def straightness(path: Path) -> float:
    """The share of a path's variance along its main direction."""
    variances = np.linalg.svd(path - path.mean(axis=0), compute_uv=False) ** 2
    return float(variances[0] / variances.sum()) if variances.sum() > 0 else 1.0


def turn(path: Path) -> float:
    """Minus the cosine between the ways to the middle point and on from it: 1 where a path turns right back."""
    middle = len(path) // 2
    there, on = path[middle] - path[0], path[-1] - path[middle]
    lengths = float(np.linalg.norm(there) * np.linalg.norm(on))
    return -float(there @ on) / lengths if lengths > 0 else 0.0


STATISTICS: dict[str, tuple[str, Callable[[Path], float]]] = {
    "diversity rises": ("diversity, last minus first by a straight line", lambda path: change(path, 0)),
    "diversity falls": ("diversity, first minus last by a straight line", lambda path: -change(path, 0)),
    "recognizability rises": ("recognizability, last minus first by a straight line", lambda path: change(path, 1)),
    "diversity is convex": ("second-order coefficient of diversity", lambda path: bend(path, 0)),
    "recognizability is concave": (
        "minus the second-order coefficient of recognizability",
        lambda path: -bend(path, 1),
    ),
    "is straight": (
        f"share of variance along the main direction, minus {STRAIGHT:g}",
        lambda path: straightness(path) - STRAIGHT,
    ),
    "turns back": ("minus the cosine between the first and the second half", turn),
}
"""By name: what the number is, and the number of one path."""


@dataclass(frozen=True)
class PathQuestion(ABC):
    """What can be asked about the paths of a sweep."""

    text: str
    """The claim in a sentence."""

    @abstractmethod
    def claim(self, paths: Paths) -> Claim:
        """The claim with its number."""


@dataclass(frozen=True)
class PathClaim(PathQuestion):
    """A claim about the path of one generator."""

    generator: str
    statistic: str

    def claim(self, paths: Paths) -> Claim:
        """Its number, the mean over seeds."""
        about, number = STATISTICS[self.statistic]
        values = [number(path) for path in paths[self.generator].values()]
        return Claim(self.text, about, over_seeds(values) if values else None)


@dataclass(frozen=True)
class ReachClaim(PathQuestion):
    """A claim that a setting moves one generator farther than others."""

    more: str
    less: tuple[str, ...]

    def claim(self, paths: Paths) -> Claim:
        """How much farther it reaches than the farthest of the others, seed by seed."""
        others = [paths[name] for name in self.less]
        seeds = [seed for seed in paths[self.more] if all(seed in other for other in others)]
        values = [reach(paths[self.more][seed]) - max(reach(other[seed]) for other in others) for seed in seeds]
        about = f"distance of points from the middle of their path, {self.more} minus {' or '.join(self.less)}"
        return Claim(self.text, about, over_seeds(values) if values else None)


@dataclass(frozen=True)
class NoTrendClaim(PathQuestion):
    """A claim that a setting does not move an axis of all generators in one direction."""

    axis: str

    def claim(self, paths: Paths) -> Claim:
        """How far the change that disagrees most is on the other side of 0; below 0 where all have one sign."""
        place = AXES.index(self.axis)
        seeds = [seed for seed in next(iter(paths.values())) if all(seed in found for found in paths.values())]
        values = []
        for seed in seeds:
            changes = [change(found[seed], place) for found in paths.values()]
            values.append(-max(min(changes), -max(changes)))
        about = f"{self.axis}: how far the change that disagrees most with the others is beyond 0"
        return Claim(self.text, about, over_seeds(values) if values else None)
