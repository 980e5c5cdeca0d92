"""Whether a loss rose again after its lowest point, by more than the luck in finding that point."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.statistics.class_values import over_class_values
from fairshot.statistics.estimate import LEVEL, Estimate

Curve = Float[np.ndarray, "snapshot class"]


@dataclass(frozen=True)
class Rise:
    """From the lowest snapshot to the last."""

    lowest: int
    """Which snapshot, from 0; the earliest of equals."""
    low: float
    end: float
    over: Estimate
    """How much higher the end is; the lowest found on one half of the classes and judged on the other, both ways."""

    @property
    def sure(self) -> bool:
        """Whether the interval lies above nothing."""
        return bool(self.over.interval and self.over.interval[0] > 0)


def rise(losses: Curve, level: float = LEVEL) -> Rise:
    """Of the mean loss over classes, paired class by class.

    The lowest of many noisy snapshots is lower than it should be, so a rise from it would always be found on the same
    classes.
    """
    means = losses.mean(axis=1)
    lowest = int(np.argmin(means))
    halves = np.arange(losses.shape[1]) % 2
    gained = np.empty(losses.shape[1])
    for half in (0, 1):
        others = losses[:, halves != half]
        found = int(np.argmin(others.mean(axis=1))) if others.size else lowest
        gained[halves == half] = (losses[-1] - losses[found])[halves == half]
    return Rise(lowest, float(means[lowest]), float(means[-1]), over_class_values(gained, level))
