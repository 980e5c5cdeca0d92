"""Numbers of paths that can be found by looking at them."""

import numpy as np
import pytest

from fairshot.studies.kinds.path_claim import (
    STATISTICS,
    NoTrendClaim,
    PathClaim,
    ReachClaim,
    bend,
    change,
    reach,
    straightness,
    turn,
)

ALONG = np.linspace(0, 1, 5)
FALLING = np.stack([2 - ALONG, 0.5 + 0.3 * ALONG], axis=1)
ARCH = np.stack([(ALONG - 0.5) ** 2, 1 - (ALONG - 0.5) ** 2], axis=1)


def seeds(path: np.ndarray, spread: float = 0.001) -> dict[int, np.ndarray]:
    """Three trainings that hardly differ."""
    return {seed: path * (1 + spread * seed) for seed in range(3)}


def test_numbers_of_simple_paths() -> None:
    assert (change(FALLING, 0), change(FALLING, 1)) == (pytest.approx(-1), pytest.approx(0.3))
    assert (bend(ARCH, 0), bend(ARCH, 1)) == (pytest.approx(1), pytest.approx(-1))
    assert (straightness(FALLING), turn(FALLING)) == (pytest.approx(1), pytest.approx(-1))
    assert turn(ARCH) == pytest.approx(1)
    assert straightness(np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])) == pytest.approx(0.5)
    assert reach(np.array([[0, 0], [2, 0.0]])) == 1
    assert turn(np.zeros((3, 2))) == 0


@pytest.mark.parametrize(
    ("statistic", "path", "verdict"),
    [
        ("diversity falls", FALLING, "agree"),
        ("diversity rises", FALLING, "disagree"),
        ("recognizability rises", FALLING, "agree"),
        ("diversity is convex", ARCH, "agree"),
        ("recognizability is concave", ARCH, "agree"),
        ("is straight", FALLING, "agree"),
        ("turns back", FALLING, "disagree"),
    ],
)
def test_claims_about_one_path(statistic: str, path: np.ndarray, verdict: str) -> None:
    assert statistic in STATISTICS
    assert PathClaim("so it is", "it", statistic).claim({"it": seeds(path)}).verdict == verdict


def test_what_was_not_run_or_was_run_once_cannot_be_told() -> None:
    claim = PathClaim("so it is", "it", "diversity falls")
    assert claim.claim({"it": {}}).verdict == "cannot be told"
    assert claim.claim({"it": {0: FALLING}}).verdict == "cannot be told"


def test_one_setting_reaches_farther_than_others() -> None:
    paths = {"far": seeds(3 * FALLING), "near": seeds(FALLING), "other": seeds(2 * FALLING)}
    assert ReachClaim("", "far", ("near", "other")).claim(paths).verdict == "agree"
    assert ReachClaim("", "other", ("near", "far")).claim(paths).verdict == "disagree"


def test_a_common_trend_is_one_that_all_have() -> None:
    rising = FALLING[::-1]
    claim = NoTrendClaim("no common trend", "diversity")
    assert claim.claim({"a": seeds(FALLING), "b": seeds(rising)}).verdict == "agree"
    assert claim.claim({"a": seeds(FALLING), "b": seeds(2 * FALLING)}).verdict == "disagree"
    assert claim.claim({"a": seeds(FALLING), "b": {}}).verdict == "cannot be told"
