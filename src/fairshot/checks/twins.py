"""Identical and nearly identical images of the part: as support and query of one episode they give the answer away."""

import numpy as np
from jaxtyping import Bool, Int

from fairshot.checks.alike import NEAR_IMAGES, NEAR_VECTORS, find_alike
from fairshot.checks.check import Case, DataCheck, met_in_support, named
from fairshot.checks.finding import Outcome
from fairshot.sources.source import Source

NOTICEABLE = 1e-3  # of the queries: fewer cannot move an accuracy by a tenth of a point
EXAMPLES = 2


class Twins(DataCheck):
    """Looks for copies inside the part."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """How many there are, and how often one side of an episode holds a twin of an image on the other."""
        part = case.part
        alike = find_alike([part])
        identical, near = repeated(alike.identical), repeated(alike.near)
        if not near.any():
            threshold = (
                f"correlation above {1 - NEAR_IMAGES**2 / 2:g}" if part.has_images else f"within {NEAR_VECTORS:g}"
            )
            return "ok", f"no two of {len(part)} images are identical or nearly so ({threshold})"
        met, asked, _ = met_in_support(case, alike.near)
        only_near = near & ~identical
        kinds = {"identical": (identical, alike.identical), "nearly identical": (only_near, alike.near)}
        seen = [_described(part, marks, which, kind) for kind, (which, marks) in kinds.items() if which.any()]
        rate = f"{met} of {asked} queries have a twin in their own support"
        return "leak" if met > NOTICEABLE * asked else "warning", f"{'; '.join(seen)}; {rate}"


def repeated(marks: Int[np.ndarray, " image"]) -> Bool[np.ndarray, " image"]:
    """Which images share their mark with another."""
    return np.bincount(marks)[marks] > 1


def _described(part: Source, marks: Int[np.ndarray, " image"], which: Bool[np.ndarray, " image"], kind: str) -> str:
    groups = np.unique(marks[which])
    members = [np.flatnonzero(marks == group) for group in groups[:EXAMPLES]]
    across = sum(len(np.unique(part.class_ids[marks == group])) > 1 for group in groups)
    examples = "; ".join(
        " and ".join(named(part, int(image)) for image in part.image_ids[rows[:2]]) for rows in members
    )
    where = f", {across} of them across classes" if across else ", each within one class"
    groups_are = "1 group" if len(groups) == 1 else f"{len(groups)} groups"
    return f"{groups_are} of {kind} images ({int(which.sum())} in all{where}): {examples}"
