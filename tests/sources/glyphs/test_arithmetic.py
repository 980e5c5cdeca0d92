"""Arithmetic that rounds alike everywhere: against exact values, numpy, and a process that lacks the newer processor's
instructions."""

import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from fairshot.learners.training.record import find_weights, read_record
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.glyphs import arithmetic, glyphs

TOUCHING = (4, 7, 15, 21, 29)  # alphabets of the default world with strokes that just touch
ANGLES = np.concatenate([np.arange(-40, 40) * np.pi / 4, np.random.default_rng(0).uniform(-30, 30, 400)])


def exact_exp(x: float) -> Fraction:
    return sum((Fraction(x) ** n / math.factorial(n) for n in range(1, 80)), Fraction(1))


def exact_sin(x: float) -> Fraction:
    return sum(((-1) ** n * Fraction(x) ** (2 * n + 1) / math.factorial(2 * n + 1) for n in range(80)), Fraction(0))


NUMBERS = st.integers(-(2**43), 2**43).map(lambda n: n / 2**40)  # between -8 and 8, and exact as fractions


@given(NUMBERS)
def test_exp_is_the_exact_value_rounded_once(x: float) -> None:
    assert arithmetic.exp(np.array([x]))[0] == float(exact_exp(x))


@given(NUMBERS)
def test_sine_and_cosine_are_the_exact_values_rounded_once(x: float) -> None:
    (cosine,), (sine,) = arithmetic.cos_sin(np.array([x]))
    assert sine == float(exact_sin(x))
    assert cosine == pytest.approx(math.cos(x), rel=3e-16, abs=0)


def test_all_functions_are_those_of_numpy_to_a_few_units_of_the_last_place() -> None:
    rng = np.random.default_rng(1)
    x, y, share = rng.normal(size=500), rng.normal(size=500), 1 - rng.random(500)
    close = {"rtol": 1e-15, "atol": 0}
    np.testing.assert_allclose(arithmetic.cos_sin(ANGLES), [np.cos(ANGLES), np.sin(ANGLES)], **close)
    np.testing.assert_allclose(arithmetic.exp(5 * x), np.exp(5 * x), **close)
    np.testing.assert_allclose(arithmetic.log(share), np.log(share), **close)
    np.testing.assert_allclose(arithmetic.power(share, 0.4), share**0.4, **close)
    np.testing.assert_allclose(arithmetic.direction(x, y), np.arctan2(y, x), **close)
    np.testing.assert_allclose(arithmetic.distance(x, y), np.hypot(x, y), **close)
    assert arithmetic.power(np.zeros(2), 0.4).tolist() == [0.0, 0.0]


def test_directions_along_the_axes() -> None:
    across, down = np.array([0.0, 1.0, -1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0, -1.0])
    assert arithmetic.direction(across, down).tolist() == [0.0, 0.0, np.pi, np.pi / 2, -np.pi / 2]


def test_products_are_those_of_numpy_and_fused_ones_round_each_term_once() -> None:
    rng = np.random.default_rng(2)
    left, right = rng.normal(size=(7, 9)), rng.normal(size=(9, 4, 2))
    expected = np.tensordot(left, right, 1)
    np.testing.assert_allclose(arithmetic.product(left, right), expected, rtol=1e-12)
    fused = arithmetic.fused_product(left, right[:, :, 0])
    for row, column in np.ndindex(fused.shape):
        total = 0.0
        for one, other in zip(left[row].tolist(), right[:, column, 0].tolist(), strict=True):
            total = float(Fraction(total) + Fraction(one) * Fraction(other))
        assert fused[row, column] == total


def characters_hash() -> str:
    """What decides which characters a world has, of those alphabets in which the last bit could decide."""
    parts = [(c.curves, c.traits) for k in TOUCHING for c in glyphs.invent_characters(0, k, 30)]
    return fingerprint(*(thing for part in parts for thing in part))


def test_a_processor_without_the_newer_instructions_invents_the_same_characters() -> None:
    newer = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    plain = os.environ | {"NPY_DISABLE_CPU_FEATURES": newer, "OPENBLAS_CORETYPE": "Prescott"}
    call = "from tests.sources.glyphs.test_arithmetic import characters_hash; print(characters_hash())"
    found = subprocess.run([sys.executable, "-c", call], env=plain, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == characters_hash()


@pytest.mark.parametrize("head", ["prototypes", "simclr"])
def test_the_default_world_is_the_one_that_the_shipped_critics_were_trained_on(head: str) -> None:
    _, seen = read_record(find_weights("glyphs-critic", head))
    assert glyphs.load().root == seen["root"]
