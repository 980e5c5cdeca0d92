"""What the tests check of types and shapes, by functions that break their promises."""

import numpy as np
import pytest
from jaxtyping import Float, TypeCheckError

from fairshot.statistics.estimate import Estimate
from fairshot.tables.words import plural
from tests.shape_checks import CALLS, jaxtyped


def beartyped(function):
    import beartype

    return beartype.beartype(function)


def test_functions_and_data_classes_of_fairshot_are_checked() -> None:
    with pytest.raises(TypeCheckError):
        plural(3)
    with pytest.raises(TypeCheckError):
        Estimate(value="half", low=None, high=None, level=0.95, method="any", population="any")


def test_shapes_are_compared_in_the_first_calls_of_a_test() -> None:
    @jaxtyped(typechecker=beartyped)
    def add(one: Float[np.ndarray, " row"], other: Float[np.ndarray, " row"]) -> Float[np.ndarray, " row"]:
        return one[:1] + other[:1]

    for _ in range(CALLS):
        with pytest.raises(TypeCheckError):
            add(np.zeros(2), np.zeros(3))
    assert add(np.zeros(2), np.zeros(3)).shape == (1,)
