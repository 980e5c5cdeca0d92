"""Names beside points: short enough, and none on another."""

from collections.abc import Sequence

import numpy as np

LONGEST = 24  # letters
Place = tuple[float, float]
"""To the right and upwards."""


def short(name: str, most: int = LONGEST) -> str:
    """The end of a long name, where files tell what they are."""
    return name if len(name) <= most else f"…{name[1 - most :]}"


def apart(
    places: Sequence[Place], widths: Sequence[float], height: float | int, obstacles: Sequence[Place] = ()
) -> list[float]:
    """Heights for labels that would like to begin at these places: moved down until none is on another.

    All is in the units of the places. Obstacles are points that no label covers.
    """
    heights = [y for _, y in places]
    placed: list[int] = []
    for number in np.argsort([-y for y in heights], kind="stable").tolist():
        left, right = places[number][0], places[number][0] + widths[number]
        taken = [y for x, y in obstacles if left < x < right]
        taken += [heights[k] for k in placed if places[k][0] < right and left < places[k][0] + widths[k]]
        for y in sorted(taken, reverse=True):
            if abs(heights[number] - y) < height:
                heights[number] = y - height
        placed.append(number)
    return heights
