"""Whether a loss rose again towards the end of a training, by more than snapshots differ by chance.

From one snapshot to the next, all classes get better or worse together. The lowest of many snapshots is therefore lower
than it should be on all classes at once, and a rise from it would be found in any training: it is the trend over the
second half that is looked at, which no snapshot was chosen for.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.statistics.estimate import LEVEL, Estimate, refuse

LEAST = 4  # snapshots of a half, below which a line through them tells nothing of how much they differ

Losses = Float[np.ndarray, " snapshot"]


@dataclass(frozen=True)
class Rise:
    """The lowest snapshot, the last one, and what the second half gained."""

    lowest: int
    """Which snapshot, from 0; the earliest of equals."""
    low: float
    end: float
    gained: Estimate
    """From the first to the last snapshot of the second half, along a straight line."""

    @property
    def sure(self) -> bool:
        """Whether the interval lies above nothing."""
        return bool(self.gained.interval and self.gained.interval[0] > 0)


def rise(losses: Losses, level: float = LEVEL) -> Rise:
    """Of the mean loss over classes; the interval is for other snapshots of the same training."""
    lowest = int(np.argmin(losses))
    late = losses[len(losses) // 2 :]
    return Rise(lowest, float(losses[lowest]), float(losses[-1]), _gained(late, level))


def _gained(late: Losses, level: float) -> Estimate:
    steps = len(late) - 1
    if len(late) < LEAST:
        change = float(late[-1] - late[0])
        return refuse(change, "snapshots", f"{len(late)} late snapshots tell no trend: take {LEAST} or more", level)
    line = stats.linregress(np.arange(len(late)), late)
    half = float(stats.t.ppf((1 + level) / 2, len(late) - 2) * line.stderr)
    low, value, high = (float(steps * slope) for slope in (line.slope - half, line.slope, line.slope + half))
    return Estimate(value=value, low=low, high=high, level=level, method="line, t", population="snapshots")
