"""How often other classes would turn a difference round: the chance that is printed against brute force."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from fairshot.compare import compare
from fairshot.evaluate import answer, evaluate
from fairshot.resolve import find_learner
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.statistics.comparison import Difference
from fairshot.statistics.estimate import Spread
from fairshot.tasks.uniform import Uniform

LEARNERS = ("prototypes", "neighbours:k=3")
TASK = Uniform(way=5, shot=3, query=5)
CLASSES = 120


@pytest.fixture(scope="module")
def world() -> Source:
    """Some classes are one cloud, some are two: one learner is better at these, the other at those."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(CLASSES), 20)
    split = rng.random(CLASSES) < 0.5
    side = rng.choice([-1.0, 1.0], size=len(labels))[:, None] * split[labels, None]
    features = rng.normal(size=(CLASSES, 8))[labels] + side * rng.normal(size=(CLASSES, 8))[labels]
    return from_arrays((features + 0.8 * rng.normal(size=(len(labels), 8))).astype(np.float32), labels)


@pytest.mark.parametrize("size", [10, 30])
def test_the_chance_of_the_other_sign_is_that_of_brute_force(world: Source, size: int, tmp_path: Path) -> None:
    learners = {name: find_learner(name) for name in LEARNERS}
    evaluate(world, learners, [TASK], episodes=10_000, out=tmp_path)
    found = compare([tmp_path])[0]
    own = found.differences["classes"]
    assert own.variance is not None
    rng, flips, expected = np.random.default_rng(size), [], []
    for seed in range(150):
        part = world.select_classes(np.sort(rng.choice(CLASSES, size, replace=False)))
        scores = [answer(part, learner, TASK, episodes=400, seed=seed).values for learner in learners.values()]
        difference = scores[0] - scores[1]
        flips.append(difference.mean() * found.value < 0)
        # Sets of these very classes vary less than sets of others, and few episodes add their own noise.
        among = own.variance * CLASSES / size * (1 - size / CLASSES) + difference.var() / len(difference)
        expected.append(stats.norm.cdf(-abs(found.value) / np.sqrt(among)))
    chance, error = np.mean(expected), np.sqrt(np.mean(expected) * (1 - np.mean(expected)) / len(flips))
    assert abs(np.mean(flips) - chance) < 3 * error + 0.01
    assert own.flip_chance(size / CLASSES) > own.flip_chance(2 * size / CLASSES) > own.flip_chance()


def test_without_variance_the_sign_is_certain_and_without_an_interval_unknown() -> None:
    estimate = Spread(0.02, "classes", 0.0, 1e-6, 0.0, 10.0, 100).estimate(difference=True)
    assert Difference(estimate, 0.1, 0.1, 1.0, 0.0).flip_chance() == 0.0
    assert Difference(estimate, 0.1, 0.1, 1.0).flip_chance() is None
    assert Difference(estimate, 0.1, 0.1, 1.0, 0.0004).flip_chance() == pytest.approx(stats.norm.cdf(-1))
    assert Difference(estimate, 0.1, 0.1, 1.0, 0.0004).flip_chance(0.25) == pytest.approx(stats.norm.cdf(-0.5))
    assert Difference(estimate, 0.1, 0.1, 1.0, 0.0004).flip_chance(gap=0.04) == pytest.approx(stats.norm.cdf(-2))
