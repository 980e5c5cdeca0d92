"""Choosing among snapshots or settings: how well one ranking predicts another, and what each rule of choice loses."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float


@dataclass(frozen=True)
class Kendall:
    """Kendall's tau-a of two rankings: agreeing less disagreeing pairs, out of all pairs; ties count for neither."""

    tau: float | None
    """None: fewer than two candidates."""
    pairs: int
    ties: int
    """Pairs that either ranking does not tell apart."""


def kendall(first: Float[np.ndarray, " candidate"], second: Float[np.ndarray, " candidate"]) -> Kendall:
    """Over all pairs of candidates."""
    rows, columns = np.triu_indices(len(first), k=1)
    signs = np.sign(first[rows] - first[columns]) * np.sign(second[rows] - second[columns])
    pairs = len(signs)
    return Kendall(float(signs.sum()) / pairs if pairs else None, pairs, int((signs == 0).sum()))


@dataclass(frozen=True)
class Loss:
    """What a rule of choice loses against the best candidate."""

    chosen: int
    best: int
    plain: float
    """Judged on what the best was found on: the best owes some of its lead to luck, so this is too much."""
    crossed: float
    """The best found on one half of the episodes and judged on the other, both ways round: right on average."""


def losses(
    rules: Mapping[str, Float[np.ndarray, " candidate"]], truth: Float[np.ndarray, "candidate episode"]
) -> dict[str, Loss]:
    """For each rule, which takes the candidate that it values most, the earliest of equals.

    A rule is judged on the same episodes as the best candidate: their difference is what counts.
    """
    means, by_rule = truth.mean(axis=1), {}
    halves = truth[:, ::2].mean(axis=1), truth[:, 1::2].mean(axis=1)
    for name, values in rules.items():
        chosen, best = int(np.argmax(values)), int(np.argmax(means))
        crossed = [rest[np.argmax(half)] - rest[chosen] for half, rest in (halves, halves[::-1]) if len(truth.T) > 1]
        by_rule[name] = Loss(chosen, best, float(means[best] - means[chosen]), float(np.mean(crossed or [0.0])))
    return by_rule
