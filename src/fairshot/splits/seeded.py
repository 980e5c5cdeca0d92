"""Seeded splits of any source: by class, or by whole parents."""

import re

import numpy as np

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes

SHARES = (0.6, 0.2)  # base, val; the rest is novel
RULES = {
    "random": "60% of the classes base, 20% val, 20% novel; random-7 takes seed 7",
    "parents": "the same by whole parents; parents-7 takes seed 7",
}


def load(name: str, source: Source) -> Split:
    """The split named `random`, `random-SEED`, `parents` or `parents-SEED`."""
    match = re.fullmatch(r"(random|parents)(?:-(\d+))?", name)
    if match is None:
        raise unknown("split", name, RULES)
    return split_at_random(source, by_parent=match[1] == "parents", seed=int(match[2] or 0), name=name)


def split_at_random(
    source: Source,
    *,
    by_parent: bool = False,
    seed: int = 0,
    shares: tuple[float, float] = SHARES,
    name: str = "random",
) -> Split:
    """Classes, or parents with all their classes, dealt to base, val and novel, each with all its rotations."""
    upright = source.upright
    units = upright.parent_ids if by_parent else np.arange(len(upright.classes))
    count = int(units.max()) + 1
    if count < 3:
        kind = "parents" if by_parent else "classes"
        raise FairshotError(f"{source.name} has {count} {kind}: a split into base, val and novel needs at least 3")
    rank = np.empty(count, dtype=np.int64)
    rank[Stream(seed, "split").permutations(np.array([count]))[0]] = np.arange(count)
    first = min(max(1, round(shares[0] * count)), count - 2)
    second = min(max(first + 1, round(sum(shares) * count)), count - 1)
    part = np.searchsorted([first, second], rank[units], side="right")
    turned = np.arange(source.turns)[:, None] * (len(source.class_names) // source.turns)
    base, val, novel = ((upright.classes[part == number] + turned).ravel() for number in range(3))
    return split_classes(name, source, base=base, val=val, novel=novel)
