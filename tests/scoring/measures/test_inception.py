"""The inception score by hand."""

import math

import numpy as np
import pytest

from fairshot.scoring.measures.inception import inception_score


def test_inception_score_by_hand() -> None:
    assert inception_score(np.eye(5)[[0, 1, 2, 3, 4, 0, 1, 2, 3, 4]]) == pytest.approx(5)
    assert inception_score(np.full((6, 4), 0.25)) == pytest.approx(1)
    assert inception_score(np.eye(5)[[2, 2, 2]]) == pytest.approx(1)
    half = np.array([[0.9, 0.1], [0.1, 0.9]])
    wanted = math.exp(0.9 * math.log(1.8) + 0.1 * math.log(0.2))
    assert inception_score(half) == pytest.approx(wanted)
