"""Identical and nearly identical images of the part: as support and query of one episode they give the answer away."""

from collections import Counter
from itertools import combinations

import numpy as np
from jaxtyping import Bool, Int

from fairshot.checks.check import Case, DataCheck, describe_image, find_in_support
from fairshot.checks.copies import find_copies
from fairshot.checks.finding import Outcome
from fairshot.checks.near_copies import NEAR_IMAGES, NEAR_VECTORS, find_near_copies
from fairshot.sources.source import Source

NOTICEABLE = 1e-3  # of the queries: fewer cannot move an accuracy by a tenth of a point
EXAMPLES = 2
CHANGES = 3  # kinds of change that are named
DOUBLED = 0.9  # of the different images of the smaller of two classes: so many in both, it is one class twice
MOST_OWNERS = 50  # classes of one image that are compared; blank images can be in all of them


class Twins(DataCheck):
    """Looks for copies inside the part."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """How many there are, and how often one side of an episode holds a twin of an image on the other."""
        part = case.part
        alike = find_near_copies([part])
        copies = find_copies([part], alike.near)
        identical, near, copied = (in_groups(marks) for marks in (alike.identical, alike.near, copies.marks))
        if not copied.any():
            return "ok", f"no two of {len(part)} images are identical{_threshold(part)}"
        met, asked, _ = find_in_support(case, copies.marks)
        changed = f"copied images ({', '.join(copies.changes[:CHANGES])})"
        kinds = {
            "identical images": (identical, alike.identical),
            "nearly identical images": (near & ~identical, alike.near),
            changed: (copied & ~near, copies.marks),
        }
        seen = [_described(part, marks, which, kind) for kind, (which, marks) in kinds.items() if which.any()]
        doubled = _same_classes(part, copies.marks)
        rate = f"{met} of {asked} queries have a twin in their own support"
        outcome: Outcome = "leak" if doubled or met > NOTICEABLE * asked else "warning"
        return outcome, "; ".join([*doubled, *seen, rate])


def _threshold(part: Source) -> str:
    if part.has_images:
        return f" or nearly so (correlation above {1 - NEAR_IMAGES**2 / 2:g}), or copies with a change"
    return f" or nearly so (within {NEAR_VECTORS:g})"


def _same_classes(part: Source, marks: Int[np.ndarray, " image"]) -> list[str]:
    """Classes nearly all of whose images are in another class too: one class under two names."""
    classes, numbers = np.unique(part.class_ids, return_inverse=True)
    held = np.unique(np.stack([numbers, marks], axis=1)[in_groups(marks)], axis=0)
    owners = dict[int, list[int]]()
    for number, mark in held.tolist():
        owners.setdefault(mark, []).append(number)
    shared = Counter(pair for own in owners.values() for pair in combinations(own[:MOST_OWNERS], 2))
    different = np.bincount(np.unique(np.stack([numbers, marks], axis=1), axis=0)[:, 0])
    same = [pair for pair, count in shared.items() if count >= DOUBLED * min(different[list(pair)]) and count > 1]
    if not same:
        return []
    first, second = (part.class_names[classes[number]] for number in same[0])
    more = f" and {len(same) - 1} more pairs of classes" if len(same) > 1 else ""
    return [f"the classes '{first}' and '{second}'{more} hold the same images under two names"]


def in_groups(marks: Int[np.ndarray, " image"]) -> Bool[np.ndarray, " image"]:
    """Which images share their mark with another."""
    return np.bincount(marks)[marks] > 1


def _described(part: Source, marks: Int[np.ndarray, " image"], which: Bool[np.ndarray, " image"], kind: str) -> str:
    groups = np.unique(marks[which])
    members = [np.flatnonzero(marks == group) for group in groups[:EXAMPLES]]
    across = sum(len(np.unique(part.class_ids[marks == group])) > 1 for group in groups)
    examples = "; ".join(
        " and ".join(describe_image(part, int(image)) for image in part.image_ids[rows[:2]]) for rows in members
    )
    where = f", {across} of them across classes" if across else ", each within one class"
    groups_are = "1 group" if len(groups) == 1 else f"{len(groups)} groups"
    return f"{groups_are} of {kind} ({int(which.sum())} in all{where}): {examples}"
