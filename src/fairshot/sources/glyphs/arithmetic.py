"""Elementary functions and matrix products that round alike on every machine.

IEEE 754 fixes the result of + - * / and of the square root to the last bit, but not that of a sine or an exponential:
it depends on the library and on the processor, and so does the order in which BLAS adds. Where two strokes of a
character just touch, the last bit decides whether they cross, and a machine that rounds otherwise would invent another
character. Everything here is made of the operations that IEEE 754 fixes, in an order that the code fixes.

`exp` and `cos_sin` carry a second number for what rounding takes from the first (Dekker, "A floating-point technique
for extending the available precision", Numerische Mathematik 18, 1971), so that their results are the exact ones,
rounded once; the others are good to two or three units of the last place, which is enough where nothing just touches.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from jaxtyping import Float

Values = Float[np.ndarray, "..."]
Matrix = Float[np.ndarray, "row inner"]
Pair = tuple[Values, Values]
"""A number as a sum of two, the second of which is what rounding took from the first."""
Coefficients = list[tuple[float, float]]
"""Of a polynomial: each rounded, and what rounding took from it."""

# Constants in parts: the first have so few bits that their products with small whole numbers are exact.
LN2 = (6.93147180369123816490e-01, 1.90821492927058770002e-10)
HALF_PI = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
ROOT_HALF = 0.7071067811865476  # mantissas are taken between this and twice as much
EIGHTH_TURN = 0.41421356237309503  # the tangent of pi / 8
SPLIT = 2.0**27 + 1  # cuts the 53 bits of a number in half
LEADING = 5  # terms of a series that need the second number; beyond them it is below the last bit


def _rounded(coefficients: Iterable[Fraction]) -> Coefficients:
    return [(float(exact), float(exact - Fraction(float(exact)))) for exact in coefficients]


# Taylor coefficients, highest power first.
_EXP = _rounded(Fraction(1, math.factorial(n)) for n in range(16, -1, -1))
_SIN = _rounded(Fraction((-1) ** n, math.factorial(2 * n + 1)) for n in range(10, -1, -1))
_COS = _rounded(Fraction((-1) ** n, math.factorial(2 * n)) for n in range(11, -1, -1))
_LOG = _rounded(Fraction(2, 2 * n + 1) for n in range(10, -1, -1))
_ARCTAN = _rounded(Fraction((-1) ** n, 2 * n + 1) for n in range(21, -1, -1))


def exp(x: Values) -> Values:
    """The exponential function."""
    doublings = np.rint(x / LN2[0])
    rest = _sum(x - doublings * LN2[0], -doublings * LN2[1])
    return np.ldexp(_series(_EXP, rest, 2 * LEADING)[0], doublings.astype(np.int64))


def cos_sin(angle: Values) -> Pair:
    """Cosine and sine of angles of at most some thousand turns."""
    quarters = np.rint(angle / HALF_PI[0])
    rest, lost = _sum(angle - quarters * HALF_PI[0], -quarters * HALF_PI[1])
    turn = _sum(rest, lost - quarters * HALF_PI[2])
    square = _times(turn, turn)
    across, up = _series(_COS, square, LEADING)[0], _times(turn, _series(_SIN, square, LEADING))[0]
    quadrant = quarters.astype(np.int64) % 4
    odd = quadrant % 2 == 1
    cosine, sine = np.where(odd, up, across), np.where(odd, across, up)
    return np.where((quadrant == 1) | (quadrant == 2), -cosine, cosine), np.where(quadrant >= 2, -sine, sine)


def log(x: Values) -> Values:
    """The natural logarithm of positive numbers."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < ROOT_HALF
    mantissa, exponent = np.where(small, 2 * mantissa, mantissa), exponent - small
    ratio = (mantissa - 1) / (mantissa + 1)
    return exponent * LN2[0] + (exponent * LN2[1] + ratio * _polynomial(_LOG, ratio * ratio))


def power(x: Values, y: float | Values) -> Values:
    """Numbers from 0 on to a positive power."""
    positive = x > 0
    return np.where(positive, exp(y * log(np.where(positive, x, 1.0))), 0.0)


def direction(across: Values, down: Values) -> Values:
    """The angle of vectors against the first axis, between -pi and pi; 0 for a vector of no length."""
    wide, high = np.abs(across), np.abs(down)
    larger, smaller = np.maximum(wide, high), np.minimum(wide, high)
    slope = smaller / np.where(larger > 0, larger, 1.0)
    steep = slope > EIGHTH_TURN
    ratio = np.where(steep, (slope - 1) / (slope + 1), slope)
    angle = np.where(steep, np.pi / 4, 0.0) + ratio * _polynomial(_ARCTAN, ratio * ratio)
    angle = np.where(high > wide, np.pi / 2 - angle, angle)
    return np.copysign(np.where(across < 0, np.pi - angle, angle), down)


def distance(across: Values, down: Values) -> Values:
    """The length of vectors."""
    return np.sqrt(across * across + down * down)


def product(left: Matrix, right: Float[np.ndarray, "inner ..."]) -> Float[np.ndarray, "row ..."]:
    """The matrix product, its terms added in order."""
    total = np.zeros((len(left), *right.shape[1:]))
    for at, row in enumerate(right):
        total += left[:, at].reshape(-1, *[1] * row.ndim) * row
    return total


def fused_product(left: Matrix, right: Float[np.ndarray, "inner column"]) -> Float[np.ndarray, "row column"]:
    """The matrix product, its terms added in order, each rounded only after it was added."""
    (left_high, left_low), (right_high, right_low) = _halves(left), _halves(right)
    total = np.zeros((len(left), right.shape[1]))
    for at, row in enumerate(right):
        factor, high, low = (table[:, at, None] for table in (left, left_high, left_low))
        term = factor * row
        lost_by_product = (high * right_high[at] - term) + high * right_low[at] + low * right_high[at]
        lost_by_product = lost_by_product + low * right_low[at]
        rounded = total + term
        kept = rounded - total
        lost_by_sum = (total - (rounded - kept)) + (term - kept)
        total = rounded + (lost_by_sum + lost_by_product)
    return total


def _series(coefficients: Coefficients, x: Pair, leading: int) -> Pair:
    """A polynomial, of whose last terms, the largest, nothing is lost."""
    total, lost = _polynomial(coefficients[:-leading], x[0]), np.zeros_like(x[0])
    x_high, x_low = _halves(x[0])
    for leader, rest in coefficients[-leading:]:
        scaled = SPLIT * total
        high = scaled - (scaled - total)
        low = total - high
        term = total * x[0]
        lost_by_product = ((high * x_high - term) + high * x_low + low * x_high) + low * x_low
        lost = lost_by_product + (total * x[1] + lost * x[0])
        rounded = leader + term
        kept = rounded - leader
        lost = ((leader - (rounded - kept)) + (term - kept)) + (lost + rest)
        total = rounded + lost
        lost = lost - (total - rounded)
    return total, lost


def _polynomial(coefficients: Coefficients, x: Values) -> Values:
    """A polynomial by Horner's scheme, the highest power first."""
    total = np.full_like(x, coefficients[0][0])
    for coefficient, _ in coefficients[1:]:
        total = total * x + coefficient
    return total


def _sum(one: Values, other: Values) -> Pair:
    """A sum and what rounding takes from it."""
    rounded = one + other
    kept = rounded - one
    return rounded, (one - (rounded - kept)) + (other - kept)


def _times(one: Pair, other: Pair) -> Pair:
    """The product of two pairs."""
    (high, low), (other_high, other_low) = _halves(one[0]), _halves(other[0])
    product = one[0] * other[0]
    lost = ((high * other_high - product) + high * other_low + low * other_high) + low * other_low
    lost = lost + (one[0] * other[1] + one[1] * other[0])
    rounded = product + lost
    return rounded, lost - (rounded - product)


def _halves(x: Values) -> Pair:
    """A number as the sum of two that have half as many bits (Veltkamp 1968)."""
    scaled = SPLIT * x
    high = scaled - (scaled - x)
    return high, x - high
