"""How often other classes would turn a difference round: the chance that is printed against brute force."""

import numpy as np
import pytest
from scipy import stats

from fairshot.evaluation.evaluate import evaluate
from fairshot.evaluation.scorer import Scorer
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.metrics.accuracy import Accuracy
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.statistics.comparison import Comparison, Difference
from fairshot.statistics.estimate import Spread
from fairshot.statistics.forecast import Between, estimate_prior, forecast
from fairshot.tasks.episodes import Episodes
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


@pytest.fixture(scope="module")
def comparison(world: Source) -> Comparison:
    """Both learners on all classes."""
    learners = {name: find_learner(name) for name in LEARNERS}
    return evaluate(world, learners, [TASK], episodes=10_000).compare()[0]


def answer(part: Source, learner: Classifier, episodes: Episodes) -> np.ndarray:
    """The scores, all at once: portions and threads would take longer than so few episodes."""
    scorer = Scorer(Features(part, learner), learner, Accuracy())
    scorer.features.require(episodes)
    return scorer(episodes).values


@pytest.mark.parametrize("size", [10, 30])
def test_the_chance_of_the_other_sign_is_that_of_brute_force(world: Source, comparison: Comparison, size: int) -> None:
    learners = [find_learner(name) for name in LEARNERS]
    own = comparison.differences["classes"]
    assert own.between is not None
    rng, flips, expected = np.random.default_rng(size), [], []
    for seed in range(150):
        part = world.select_classes(np.sort(rng.choice(CLASSES, size, replace=False)))
        episodes = TASK.sample(part, range(400), seed)
        scores = [answer(part, learner, episodes) for learner in learners]
        difference = scores[0] - scores[1]
        flips.append(difference.mean() * comparison.value < 0)
        # Sets of these very classes vary less than sets of others, and few episodes add their own noise.
        among = own.between.at(size) - own.between.at(CLASSES) + difference.var() / len(difference)
        expected.append(stats.norm.cdf(-abs(comparison.value) / np.sqrt(among)))
    chance, error = np.mean(expected), np.sqrt(np.mean(expected) * (1 - np.mean(expected)) / len(flips))
    assert abs(np.mean(flips) - chance) < 3 * error + 0.01
    chances = [forecast(comparison.value, own.between, units=units).if_true for units in (size, 2 * size, CLASSES)]
    assert chances == sorted(chances, reverse=True)


def test_a_known_gap_flips_as_often_as_the_normal_tail_says() -> None:
    estimate = Spread(
        value=0.02, population="classes", variance=0.0, sampling=1e-6, noise=0.0, unit_degrees=10.0, episodes=100
    ).estimate(difference=True)
    assert Difference(estimate, 0.1, 0.1, 1.0).flip_chance(0.01) is None
    assert Difference(estimate, 0.1, 0.1, 1.0, Between(0.0, 1e-6, 10.0, 20)).flip_chance(0.02) == 0.0
    between = Between(0.0004, 0.0, 10.0, 20)
    assert Difference(estimate, 0.1, 0.1, 1.0, between).flip_chance(0.04) == pytest.approx(stats.norm.cdf(-2))
    assert forecast(0.02, between, units=5).if_true == pytest.approx(stats.norm.cdf(-0.5))
    assert forecast(0.0, between).probability == 0.5


def test_pairs_of_units_matter_more_where_there_are_few() -> None:
    between = Between(0.0035, 0.0, 30.0, 20, pairs=0.0005)
    assert between.at(20) == pytest.approx(0.0035)
    assert between.at(10) == pytest.approx(0.003 * 2 + 0.0005 * 20 * 19 / 90)
    assert Between(0.004, 0.0, 30.0, 20).at(10) == pytest.approx(0.008)


@pytest.mark.parametrize("sampling", [0.0, 0.5])
@pytest.mark.parametrize("degrees", [8, 39])
def test_a_forecast_comes_true_as_often_as_it_says_where_the_plug_in_does_not(sampling: float, degrees: int) -> None:
    """Truths drawn from the stated prior; the variance is estimated with as many degrees of freedom."""
    rng, count = np.random.default_rng(7), 8_000
    truth = rng.normal(size=count)
    seen = truth + np.sqrt(1 + sampling) * rng.normal(size=count)
    again = truth + np.sqrt(1 + sampling) * rng.normal(size=count)
    flipped = seen * again < 0
    variances = rng.chisquare(degrees, size=count) / degrees
    found = [
        forecast(d, Between(v, sampling, degrees * (1 + sampling) ** 2, degrees + 1))
        for d, v in zip(seen.tolist(), variances.tolist(), strict=True)
    ]
    for name, holds in (("probability", True), ("if_true", False)):
        told = np.array([getattr(each, name) for each in found])
        bins = [(low, low + 0.1) for low in (0.0, 0.1, 0.2, 0.3, 0.4)]
        gaps = [
            flipped[inside].mean() - told[inside].mean()
            for low, high in bins
            if (inside := (told >= low) & (told < high)).sum() > 400
        ]
        assert (max(gaps) < 0.025) == holds


def test_the_prior_is_estimated_from_many_pairs_and_sceptical_otherwise() -> None:
    rng, between = np.random.default_rng(5), Between(1.0, 0.0, 30.0, 20)
    assert estimate_prior([5.0] * 9, [between] * 9) == 1.0
    for true in (0.8, 2.0):
        seen = np.sqrt(true**2 + 1) * rng.normal(size=4000)
        assert estimate_prior(seen.tolist(), [between] * 4000) == pytest.approx(true, rel=0.1)
    assert estimate_prior([0.0] * 20, [between] * 20) == 0.5
    assert estimate_prior([0.5] * 18 + [50.0] * 2, [between] * 20) == 0.5
