"""Identical and nearly identical images of the part: as support and query of one episode they give the answer away.

Classes that are made of one another by declaration, such as the turns of one character, hold each other's images on
purpose: what they share is no finding, and of every image only one turn is looked at.
"""

from collections import Counter
from itertools import combinations

import numpy as np
from jaxtyping import Bool, Int

from fairshot.checks.check import Case, DataCheck, describe_image, find_in_support
from fairshot.checks.copies import find_copies
from fairshot.checks.finding import Outcome
from fairshot.checks.near_copies import NEAR_IMAGES, NEAR_VECTORS, find_near_copies
from fairshot.sources.source import Source
from fairshot.tables.words import count_of

NOTICEABLE = 1e-3  # of the queries: fewer cannot move an accuracy by a tenth of a point
EXAMPLES = 2
CHANGES = 3  # kinds of change that are named
DOUBLED = 0.9  # of the different images of the smaller of two classes: so many in both, it is one class twice
MOST_OWNERS = 50  # classes of one image that are compared; blank images can be in all of them


class Twins(DataCheck):
    """Looks for copies inside the part."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """How many there are, and how often one side of an episode holds a twin of an image on the other."""
        part, place = one_turn(case.part)
        alike = find_near_copies([part])
        copies = find_copies([part], alike.near)
        marks = [undeclared(part, marks) for marks in (alike.identical, alike.near, copies.marks)]
        identical, near, copied = (in_groups(each) for each in marks)
        if not copied.any():
            return "ok", f"no two of {len(part)} images{_aside(case.part)} are identical{_threshold(part)}"
        met, asked, _ = find_in_support(case, marks[2][place])
        changed = f"copied images ({', '.join(copies.changes[:CHANGES])})"
        kinds = {
            "identical images": (identical, marks[0]),
            "nearly identical images": (near & ~identical, marks[1]),
            changed: (copied & ~near, marks[2]),
        }
        seen = [_described(part, each, which, kind) for kind, (which, each) in kinds.items() if which.any()]
        doubled = _same_classes(part, marks[2])
        rate = f"{met} of {asked} queries have a twin in their own support"
        outcome: Outcome = "leak" if doubled or met > NOTICEABLE * asked else "warning"
        return outcome, "; ".join([*doubled, *seen, rate])


def one_turn(part: Source) -> tuple[Source, Int[np.ndarray, " image"]]:
    """The part with each original image once, and where in it the original of every image stands."""
    _, first, original = np.unique(part.original_images, return_index=True, return_inverse=True)
    kept = np.zeros(len(part), dtype=bool)
    kept[first] = True
    return part.select(kept), (np.cumsum(kept) - 1)[first[original]]


def undeclared(part: Source, marks: Int[np.ndarray, " image"]) -> Int[np.ndarray, " image"]:
    """The marks without groups that are only images of different classes made of one another: each gets its own."""
    unit = part.class_units[np.searchsorted(part.classes, part.class_ids)]
    _, group = np.unique(marks, return_inverse=True)
    counts = [_different(group, values) for values in (unit, part.class_ids)]
    declared = (counts[0] == 1) & (counts[1] == np.bincount(group)) & (counts[1] > 1)
    alone = group.max(initial=0) + 1 + np.arange(len(group))
    return np.unique(np.where(declared[group], alone, group), return_inverse=True)[1]


def _different(group: Int[np.ndarray, " image"], values: Int[np.ndarray, " image"]) -> Int[np.ndarray, " group"]:
    """How many different values each group holds."""
    return np.bincount(np.unique(np.stack([group, values], axis=1), axis=0)[:, 0])


def _aside(part: Source) -> str:
    return "" if len(np.unique(part.class_units)) == len(part.classes) else " (classes made of one another aside)"


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
    same = [
        pair
        for pair, count in shared.items()
        if count >= DOUBLED * min(different[list(pair)]) and count > 1 and len({*part.class_units[list(pair)]}) > 1
    ]
    if not same:
        return []
    first, second = (part.class_names[classes[number]] for number in same[0])
    pairs = "1 more pair" if len(same) == 2 else f"{len(same) - 1:,} more pairs"
    more = f" and {pairs} of classes" if len(same) > 1 else ""
    return [f"the classes '{first}' and '{second}'{more} hold the same images under two names"]


def in_groups(marks: Int[np.ndarray, " image"]) -> Bool[np.ndarray, " image"]:
    """Which images share their mark with another."""
    return np.bincount(marks)[marks] > 1


def _described(part: Source, marks: Int[np.ndarray, " image"], which: Bool[np.ndarray, " image"], kind: str) -> str:
    groups = np.unique(marks[which])
    members = [np.flatnonzero(marks == group) for group in groups[:EXAMPLES]]
    across = int((_different(marks, part.class_ids)[groups] > 1).sum())
    examples = "; ".join(
        " and ".join(describe_image(part, int(image)) for image in part.image_ids[rows[:2]]) for rows in members
    )
    where = f", {across} of them across classes" if across else ", each within one class"
    return f"{count_of(len(groups), 'group')} of {kind} ({int(which.sum())} in all{where}): {examples}"
