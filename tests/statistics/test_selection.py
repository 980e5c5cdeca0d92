import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.statistics.selection import kendall, losses

values = st.lists(st.integers(0, 5), min_size=2, max_size=12)


@given(st.data())
def test_tau_without_ties_is_what_scipy_calls_tau(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 12))
    first, second = (np.array(data.draw(st.permutations(range(count)))) * 0.01 for _ in range(2))
    found = kendall(first, second)
    assert found.tau == pytest.approx(stats.kendalltau(first, second).statistic)
    assert (found.pairs, found.ties) == (count * (count - 1) // 2, 0)


@given(values, st.randoms())
def test_ties_lower_tau_and_are_counted(first: list[int], random) -> None:
    second = [random.randint(0, 5) for _ in first]
    found = kendall(np.array(first, dtype=float), np.array(second, dtype=float))
    agree = disagree = tied = 0
    for i in range(len(first)):
        for j in range(i):
            product = (first[i] - first[j]) * (second[i] - second[j])
            agree, disagree, tied = agree + (product > 0), disagree + (product < 0), tied + (product == 0)
    assert found.ties == tied
    assert found.tau == pytest.approx((agree - disagree) / found.pairs)


def test_one_candidate_has_no_ranking() -> None:
    assert kendall(np.ones(1), np.ones(1)).tau is None


def test_a_rule_loses_the_gap_between_its_choice_and_the_best() -> None:
    truth = np.array([[0.5, 0.5, 0.5, 0.5], [0.9, 0.9, 0.9, 0.9], [0.7, 0.7, 0.7, 0.7]])
    found = losses({"last": np.array([0.0, 1, 2]), "oracle": truth.mean(axis=1), "first": np.array([1.0, 1, 0])}, truth)
    assert (found["last"].chosen, found["last"].best) == (2, 1)
    assert found["last"].plain == pytest.approx(0.2)
    assert found["last"].crossed == pytest.approx(0.2)
    assert found["oracle"].plain == found["oracle"].crossed == 0
    assert found["first"].chosen == 0  # the earliest of equals


def test_where_all_are_equally_good_the_crossed_loss_is_zero_on_average() -> None:
    random, plain, crossed = np.random.default_rng(0), [], []
    for _ in range(400):
        truth = random.normal(0.5, 0.1, (10, 40))
        found = losses({"first": np.arange(10.0)[::-1]}, truth)["first"]
        plain.append(found.plain)
        crossed.append(found.crossed)
    assert np.mean(plain) > 0.015
    assert abs(np.mean(crossed)) < 4 * np.std(crossed) / 20
