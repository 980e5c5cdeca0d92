"""Answers before and after a change that should change nothing."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from scipy import stats
from torch import Tensor

from fairshot.checks.finding import Outcome

TOLERANCE = 2e-3  # of the range of an episode's logits: other shapes round differently, leaks change far more
ROUNDING = 1e-5  # of the largest logit: what 32-bit sums lose when a common offset dwarfs the range
RARE = 0.01  # of the queries: so few may be ties that rounding decides
SURE = 1e-6  # how often an honest learner may be accused

Logits = Float[Tensor, "episode query way"]


@dataclass(frozen=True)
class Change:
    """How many answers changed, and by how much."""

    queries: int
    changed: int
    flipped: int
    """Queries that get another class."""
    largest: float
    """As a share of the range of its episode's logits."""

    def __add__(self, other: "Change") -> "Change":
        return Change(
            self.queries + other.queries,
            self.changed + other.changed,
            self.flipped + other.flipped,
            max(self.largest, other.largest),
        )

    def outcome(self, when: str) -> tuple[Outcome, str]:
        """Passed without a change, a warning for a few that may be ties, otherwise a leak."""
        if not self.changed:
            return "ok", f"answers to {self.queries} queries stay the same {when}"
        outcome: Outcome = "warning" if self.changed <= RARE * self.queries else "leak"
        return outcome, f"{self} {when}"

    def __str__(self) -> str:
        size = f"largest change {self.largest:.2g} of the range of logits, {self.flipped} times another class"
        return f"answers to {self.changed} of {self.queries} queries change ({size})"


def compare_answers(
    before: Logits, after: Logits, mask: Bool[Tensor, "episode query"], *, tolerance: float = TOLERANCE
) -> Change:
    """The change of the logits of real queries, measured by the range of their episode's."""
    finite = torch.where(torch.isfinite(before), before, torch.nan)
    flat = finite.flatten(1).numpy()
    span = torch.from_numpy(np.nan_to_num(np.fmax.reduce(flat, axis=1) - np.fmin.reduce(flat, axis=1)))
    size = torch.from_numpy(np.nan_to_num(np.fmax.reduce(np.abs(flat), axis=1)))
    moved = torch.where(before == after, 0.0, (before - after).abs()).amax(2)
    allowed = torch.maximum(tolerance * span, ROUNDING * size)[:, None]
    changed = (moved > allowed) & mask
    flipped = changed & (before.argmax(2) != after.argmax(2))
    relative = (moved / torch.maximum(span, ROUNDING * size).clamp(min=1e-30)[:, None])[changed]
    return Change(
        int(mask.sum()), int(changed.sum()), int(flipped.sum()), float(relative.max()) if changed.any() else 0.0
    )


def changed_rows(before: Float[np.ndarray, "image ..."], after: Float[np.ndarray, "image ..."]) -> int:
    """How many images have other features, measured by the range of all."""
    allowed = max(TOLERANCE * float(np.ptp(before)), ROUNDING * float(np.abs(before).max()))
    return int((np.abs(before - after).reshape(len(before), -1).max(axis=1) > allowed).sum())


def clearly_above(values: Float[np.ndarray, " episode"], least: float) -> bool:
    """Whether the mean over episodes is above zero beyond doubt (one-sided t test), and above `least`."""
    if values.mean() <= least or len(values) < 2:
        return False
    error = values.std(ddof=1) / np.sqrt(len(values))
    return bool(error == 0 or stats.t.sf(values.mean() / error, len(values) - 1) < SURE)
