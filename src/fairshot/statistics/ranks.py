"""Ranks that hold: which places methods may have for all that is known, who cannot be distinguished, who may be first.

A method's place is at least one more than the number of methods that are surely better than it. If all claims "this one
is better than that one" are right at once with 95% probability (Holm's correction over all pairs), so are the places of
all methods at once (Mogstad, Romano, Shaikh and Wilhelm, 2024). Equations (D79) to (D81) of docs/derivation.md.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import special

from fairshot.runtime.seeds import Stream
from fairshot.statistics.comparison import Comparison, adjusted
from fairshot.statistics.estimate import LEVEL

DRAWS = 10_000  # the probability of being first is then known to half a point
MOST_GROUPS = 60  # of methods that cannot be distinguished: more say nothing to anybody
IN_ORDER = (
    *("data sets", "classes", "parents", "values", "images"),
    *("runs and items", "groups", "items", "episodes"),
)
"""Which population decides where no comparison says which to quote: the widest that there is."""

PerMethod = Float[np.ndarray, " method"]
Pairs = Float[np.ndarray, "method method"]
Claims = Bool[np.ndarray, "method method"]
"""Whether the method of the row is surely better than that of the column."""


@dataclass(frozen=True, eq=False)
class Gaps:
    """How far each method is ahead of each other one, how certain that is, and how much it varies."""

    values: Pairs
    """Row minus column, positive where the row is better."""
    p_values: Pairs
    """1 where none could be given."""
    deviations: Pairs
    """Not a number where none could be given."""
    degrees: float

    @property
    def lead(self) -> PerMethod:
        """How far each method is ahead of the mean of all."""
        return self.values.mean(axis=1)


def population_of(comparisons: Sequence[Comparison]) -> str:
    """The population to decide by: what most pairs should be quoted for, and parents only if more than half should."""
    quoted = Counter(pair.headline for pair in comparisons)
    if 2 * quoted["parents"] > len(comparisons):
        return "parents"
    return next((name for name in IN_ORDER if any(name in pair.differences for pair in comparisons)), "episodes")


def gaps_between(methods: Sequence[str], comparisons: Sequence[Comparison], population: str) -> Gaps:
    """The gaps of all pairs of methods, from their comparisons."""
    place = {method: number for number, method in enumerate(methods)}
    count = len(methods)
    values, p_values, deviations = np.zeros((count, count)), np.ones((count, count)), np.full((count, count), np.nan)
    np.fill_diagonal(deviations, 0.0)
    degrees = []
    for pair in comparisons:
        row, column = place[pair.first], place[pair.second]
        value = pair.value if pair.higher_is_better else -pair.value
        values[row, column], values[column, row] = value, -value
        judged = pair.differences.get(population)
        if judged is None or judged.p_value is None:
            continue
        p_values[row, column] = p_values[column, row] = judged.p_value
        deviation = judged.deviation
        deviations[row, column] = deviations[column, row] = np.nan if deviation is None else deviation
        degrees += [] if judged.degrees is None else [judged.degrees]
    return Gaps(values, p_values, deviations, float(np.median(degrees)) if degrees else 1.0)


def certain_claims(gaps: Gaps, level: float = LEVEL) -> Claims:
    """Who is surely better than whom, all claims being right at once with this probability (D79)."""
    rows, columns = np.triu_indices(len(gaps.values), k=1)
    claims = np.zeros_like(gaps.values, dtype=bool)
    if not len(rows):
        return claims
    certain = adjusted(gaps.p_values[rows, columns])[0] < 1 - level
    for row, column in zip(rows[certain], columns[certain], strict=True):
        ahead = gaps.values[row, column] > 0
        claims[(row, column) if ahead else (column, row)] = True
    return claims


def rank_bounds(claims: Claims) -> tuple[Int[np.ndarray, " method"], Int[np.ndarray, " method"]]:
    """The best and the worst place that each method may have, given who is surely better than whom (D80)."""
    return 1 + claims.sum(axis=0), len(claims) - claims.sum(axis=1)


def alike_groups(claims: Claims, order: Sequence[int]) -> list[list[int]]:
    """The largest sets of methods that cannot be distinguished from one another, the best first.

    Piepho's (2004) insert and absorb: a claim splits every set that holds both of its methods.
    """
    sets = [frozenset(order)]
    for better, worse in zip(*np.nonzero(claims), strict=True):
        split = {half for own in sets for half in _split(own, int(better), int(worse))}
        sets = [own for own in split if not any(own < other for other in split)]
        if len(sets) > MOST_GROUPS:
            return []
    place = {method: number for number, method in enumerate(order)}
    return sorted((sorted(own, key=place.__getitem__) for own in sets), key=lambda own: [place[one] for one in own])


def _split(own: frozenset[int], one: int, other: int) -> list[frozenset[int]]:
    return [own - {one}, own - {other}] if {one, other} <= own else [own]


def first_chances(gaps: Gaps, seed: int = 0) -> PerMethod | None:
    """The probability of each method to be the truly best, given these gaps and no other knowledge (D81).

    From the variances of all gaps follows how the scores vary together. None where a variance is not known.
    """
    if np.isnan(gaps.deviations).any():
        return None
    count = len(gaps.values)
    centre = np.eye(count) - 1 / count
    roots, vectors = np.linalg.eigh(-centre @ gaps.deviations**2 @ centre / 2)
    stream = Stream(seed, "first")
    normal = special.ndtri(stream.uniform(DRAWS, count)) @ (vectors * np.sqrt(np.maximum(roots, 0.0))).T
    chi = special.gammaincinv(gaps.degrees / 2, stream.uniform(DRAWS, 1)) * 2 / gaps.degrees
    drawn = gaps.lead + normal / np.sqrt(chi)
    best = drawn >= drawn.max(axis=1, keepdims=True) - 1e-12
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
