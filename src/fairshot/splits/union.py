"""Splits of several sources as one: each part is joined from the parts of that name."""

from collections.abc import Sequence

from fairshot.runtime.errors import FairshotError
from fairshot.sources.union import join
from fairshot.splits.split import PARTS, Split


def join_splits(splits: Sequence[Split]) -> Split:
    """One split of all; a split that lacks a part leaves its place there empty."""
    for split in splits:
        if split.apart:
            raise FairshotError(f"{split.name} sets each {split.apart} apart, not classes, and cannot be joined")
    base, base_heldout, val, novel = (join([getattr(split, part) for split in splits]) for part in PARTS)
    name = "+".join(split.name for split in splits)
    return Split(name, base=base, base_heldout=base_heldout, val=val, novel=novel)
