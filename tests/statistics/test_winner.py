"""The winner's curse: inflation without bias, intervals that hold for whoever won, and hand-made cases."""

import numpy as np
import pytest
from scipy import stats

from fairshot.statistics import winner
from fairshot.statistics.clusters import cluster_covariance
from fairshot.statistics.winner import Contest


def test_a_clear_winner_owes_nothing_to_luck() -> None:
    contest = Contest(np.array([0.5, 0.9]), 1e-4 * np.eye(2))
    assert contest.honest().value == pytest.approx(0.9, abs=1e-9)
    assert contest.honest().shares == (0.0, 1.0)
    estimate = contest.interval("items")
    assert estimate.high == pytest.approx(0.9 + 1.96 * 0.01, abs=1e-4)
    assert estimate.low == pytest.approx(0.9 - stats.norm.isf(1 - 0.975**0.5) * 0.01, abs=5e-4)


def test_one_half_is_the_average_over_all_halves() -> None:
    """The formula without divisions, and divisions of items one by one."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(6, 400)) + 0.05 * rng.normal(size=(6, 1))
    covariance = cluster_covariance(values, np.arange(400))
    honest = []
    for _ in range(4000):
        order = rng.permutation(400)
        one, other = values[:, order[:200]].mean(axis=1), values[:, order[200:]].mean(axis=1)
        honest.append(other[np.argmax(one)])
    assert Contest(values.mean(axis=1), covariance).honest(0.5).value == pytest.approx(np.mean(honest), abs=0.004)


CASES = {
    "all alike": np.full(20, 0.7),
    "a few good ones": np.concatenate([[0.75], np.full(11, 0.72)]),
    "spread out": np.linspace(0.6, 0.75, 16),
}


@pytest.mark.parametrize("truth", CASES.values(), ids=list(CASES))
def test_inflation_is_estimated_without_bias(truth: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winner, "DRAWS", 400)
    rng, items, repetitions = np.random.default_rng(3), 300, 400
    true, found, held, leads_held = [], [], 0, 0
    for repetition in range(repetitions):
        ability = 0.7 * rng.normal(size=items) + 0.714 * rng.normal(size=(len(truth), items))
        right = (ability < stats.norm.ppf(truth)[:, None]).astype(np.float64)
        covariance = cluster_covariance(right, np.arange(items))
        contest = Contest(right.mean(axis=1), covariance, items - 1.0, seed=repetition)
        leads = contest.centred()
        best, estimate, lead = contest.winner, contest.interval("items"), leads.interval("items")
        assert leads.winner == best
        true.append(contest.means[best] - truth[best])
        found.append(leads.means[best] - lead.value)
        held += estimate.low <= truth[best] <= estimate.high
        leads_held += lead.low <= truth[best] - truth.mean() <= lead.high
    errors = np.subtract(found, true)
    assert abs(errors.mean()) < 3 * errors.std() / np.sqrt(repetitions)
    assert abs(errors.mean()) < 0.12 * np.mean(true)
    assert held / repetitions >= 0.93
    assert leads_held / repetitions >= 0.93
