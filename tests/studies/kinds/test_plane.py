"""Points, distances and rows of models, by points made up."""

import numpy as np
import pytest

from fairshot.scoring.human_distance import pooled_distances
from fairshot.studies.kinds.plane import POOLED
from tests.studies.kinds.small_generators import make_plane

POINTS = {"a, x 1": [(2.0, 0.5), (1.8, 0.55)], "b": [(1.1, 0.85)], "copy": [(0.0, 0.9)]}


def test_yardsticks_are_not_in_the_pool_of_the_published_distance() -> None:
    plane = make_plane(POINTS)
    pool = {"0": (2.0, 0.5), "1": (1.8, 0.55), "2": (1.1, 0.85), "human": (1.0, 0.9)}
    expected = pooled_distances(pool).values
    assert plane.pooled == {number: pytest.approx(expected[str(number)]) for number in range(3)}
    assert plane.pooled_of("a") == pytest.approx([expected["0"], expected["1"]])


def test_rows_are_means_over_seeds_with_intervals_of_their_own() -> None:
    rows = {(row.learner, row.metric): row for row in make_plane(POINTS).rows("part", "key")}
    diversity = rows["a, x 1", "diversity"]
    assert diversity.value == pytest.approx(1.9)
    assert (diversity.seeds, diversity.runs) == (2, ["a, x 1-seed0", "a, x 1-seed1"])
    assert set(diversity.intervals) == {"classes", "runs"}
    assert rows["b", "diversity"].intervals["runs"] is None
    assert rows["b", "diversity"].notes == ["runs: one run tells nothing about others"]
    assert ("human", "distance") not in rows
    assert ("copy", POOLED) not in rows
    mean = np.mean([np.hypot(2.0 - 1, 0.4 / 0.65), np.hypot(1.8 - 1, 0.35 / 0.65)])
    assert rows["a, x 1", "distance"].value == pytest.approx(mean)
