"""Ratios: the published interval of every row of a table, and the delta method against resampling."""

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.statistics.answers import layout_of, tabulate
from fairshot.statistics.ratio import half_in_quadrature, in_quadrature, ratio_of
from fairshot.statistics.scores import Scores
from fairshot.tasks.uniform import Uniform

# Centroid Networks, Table 4: supervised, unsupervised and CSCC, each with half the width of its interval.
PUBLISHED = [
    ((44.12, 1.08), (26.40, 0.88), 59.83, 2.47),
    ((53.40, 1.33), (36.83, 1.20), 68.96, 2.84),
    ((45.29, 0.91), (24.15, 0.72), 53.33, 1.91),
    ((63.59, 0.94), (41.08, 1.05), 64.61, 1.91),
    ((61.78, 0.77), (39.63, 0.70), 64.15, 1.39),
    ((49.58, 1.06), (31.04, 0.95), 62.60, 2.33),
    ((35.27, 1.06), (18.11, 0.71), 51.34, 2.53),
    ((78.09, 0.82), (47.98, 0.96), 61.44, 1.39),
    ((46.08, 1.10), (22.03, 0.66), 47.82, 1.84),
    ((35.63, 1.03), (18.19, 0.69), 51.05, 2.42),
    ((41.79, 1.04), (23.84, 0.82), 57.06, 2.42),
    ((81.93, 0.97), (66.25, 1.12), 80.86, 1.67),
    ((69.43, 0.89), (57.50, 1.01), 82.82, 1.81),
    ((64.73, 0.97), (43.56, 1.03), 67.29, 1.89),
    ((66.35, 0.73), (43.50, 0.76), 65.57, 1.35),
    ((67.74, 0.94), (46.96, 1.04), 69.32, 1.81),
    ((38.94, 1.08), (21.76, 0.76), 55.89, 2.49),
    ((84.45, 0.74), (55.11, 0.95), 65.26, 1.26),
    ((49.91, 1.01), (22.71, 0.66), 45.50, 1.61),
    ((36.64, 1.04), (17.60, 0.77), 48.04, 2.50),
]


@pytest.mark.parametrize(("supervised", "unsupervised", "cscc", "half"), PUBLISHED)
def test_the_published_interval_of_every_row(supervised, unsupervised, cscc: float, half: float) -> None:
    assert 100 * unsupervised[0] / supervised[0] == pytest.approx(cscc, abs=0.025)  # of rounded accuracies
    assert 100 * half_in_quadrature(unsupervised, supervised) == pytest.approx(half, abs=0.016)  # likewise


def world(episodes: int, *, per_query: bool):
    """Two learners on the same episodes, both worse where an episode is hard."""
    rng = np.random.default_rng(0)
    source = from_arrays(rng.random((600, 2)).astype(np.float32), np.repeat(np.arange(30), 20))
    task = Uniform(way=5, shot=2, query=4)
    sampled = task.sample(source, range(episodes), 0)
    hard = np.repeat(rng.normal(0, 0.12, (episodes, 1)), 20, 1)
    asked = np.ones((episodes, 20), dtype=bool)
    both = []
    for mean in (0.6, 0.8):
        right = rng.random((episodes, 20)) < mean + hard
        both.append(Scores(right.mean(1), right, asked))
    layout = layout_of(source)
    return [tabulate(layout, sampled, each, per_query=per_query) for each in both], both


@pytest.mark.parametrize("per_query", [True, False])
def test_the_interval_over_episodes_is_that_of_resampling_pairs_and_narrower_than_without(per_query: bool) -> None:
    answers, (top, bottom) = world(3000, per_query=per_query)
    found = ratio_of(*answers, top.values, bottom.values)
    rng = np.random.default_rng(1)
    chosen = rng.integers(0, 3000, (2000, 3000))
    resampled = top.values[chosen].mean(1) / bottom.values[chosen].mean(1)
    estimate = found["episodes"]
    assert estimate.value == pytest.approx(top.values.mean() / bottom.values.mean())
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * resampled.std(), rel=0.05)
    independent = in_quadrature(top.values, bottom.values)
    assert estimate.high - estimate.low < 0.95 * (independent[1] - independent[0])


def test_a_learner_by_itself_is_exactly_one() -> None:
    answers, (top, _) = world(200, per_query=True)
    found = ratio_of(answers[0], answers[0], top.values, top.values)
    assert found["episodes"].interval == (1.0, 1.0)


def test_a_reference_that_is_always_wrong_is_refused() -> None:
    answers, (top, bottom) = world(20, per_query=True)
    with pytest.raises(FairshotError, match=r"^a ratio to a mean of 0 means nothing: the reference never answers"):
        ratio_of(*answers, top.values, 0 * bottom.values)
    assert in_quadrature(top.values[:1], bottom.values[:1]) is None
