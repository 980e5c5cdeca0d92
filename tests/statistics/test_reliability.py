"""The reliability table: by hand, and against scikit-learn."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from fairshot.statistics.reliability import pooled_error, reliability


def test_bins_by_hand() -> None:
    table = reliability(np.array([0.25, 0.5, 0.55, 1.0]), np.array([True, False, True, True]))
    filled = {(b.low, b.high): (b.queries, b.stated, b.right) for b in table if b.queries}
    assert filled == {(0.2, 0.3): (1, 0.25, 1.0), (0.5, 0.6): (2, pytest.approx(0.525), 0.5), (0.9, 1.0): (1, 1.0, 1.0)}
    assert [(b.stated, b.right) for b in table if not b.queries] == [(None, None)] * 7
    assert pooled_error(table) == pytest.approx((0.75 + 2 * 0.025 + 0) / 4)


def test_against_a_reference_and_calibrated_answers_have_next_to_no_error() -> None:
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.2, 1, size=20_000)
    right = rng.uniform(size=len(sure)) < sure
    table = [b for b in reliability(sure, right) if b.queries]
    share, stated = calibration_curve(right, sure, n_bins=10)
    assert [b.right for b in table] == pytest.approx(share.tolist())
    assert [b.stated for b in table] == pytest.approx(stated.tolist())
    assert pooled_error(tuple(table)) < 0.01
    assert pooled_error(reliability(sure, rng.uniform(size=len(sure)) < sure / 2)) == pytest.approx(0.3, abs=0.02)
