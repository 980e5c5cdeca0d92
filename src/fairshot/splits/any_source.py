"""Splits of any source: by class, by whole parents, or by who made the images, all by a seed; or nothing but novel."""

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.grammar.data import parse_rule
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes, split_values

NOTHING = np.empty(0, dtype=np.int64)
SHARES = (0.6, 0.2)  # base, val; the rest is novel
RULES = {
    "random": "60% of the classes base, 20% val, 20% novel; random-7 takes seed 7",
    "parents": "the same by whole parents; parents-7 takes seed 7",
    "all-novel": "every class is novel: for a domain that nobody trains on",
    "by-ATTRIBUTE": "the same by who made the images, all classes in every part: by-drawer; by-drawer-7 takes seed 7",
}


def load(name: str, source: Source) -> Split:
    """The split named `random`, `parents` or `by-ATTRIBUTE`, with `-SEED` or without, or `all-novel`."""
    rule = parse_rule(name)
    if rule is None:
        raise unknown("split", name, RULES)
    if rule.name == "all-novel":
        return split_classes(name, source, base=NOTHING, val=NOTHING, novel=source.classes)
    seed = rule.seed or 0
    if rule.attribute:
        return split_attribute(source, rule.attribute, seed=seed, name=name)
    return split_at_random(source, by_parent=rule.name == "parents", seed=seed, name=name)


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
    part = deal(count, "parents" if by_parent else "classes", source, seed=seed, shares=shares)[units]
    turned = np.arange(source.turns)[:, None] * (len(source.class_names) // source.turns)
    base, val, novel = ((upright.classes[part == number] + turned).ravel() for number in range(3))
    return split_classes(name, source, base=base, val=val, novel=novel)


def split_attribute(
    source: Source, attribute: str, *, seed: int = 0, shares: tuple[float, float] = SHARES, name: str | None = None
) -> Split:
    """Whoever made the images dealt to base, val and novel: the same classes everywhere, by other hands."""
    if attribute not in source.attributes:
        raise unknown(f"attribute of {source.name}", attribute, source.attributes)
    count = len(np.unique(source.attributes[attribute]))
    parts = deal(count, f"values of {attribute}", source, seed=seed, shares=shares)
    return split_values(name or f"by-{attribute}", source, attribute, parts)


def deal(
    count: int, what: str, source: Source, *, seed: int, shares: tuple[float, float] = SHARES
) -> Int[np.ndarray, " unit"]:
    """0 (base), 1 (val) or 2 (novel) for each of so many units, none of them empty."""
    if count < 3:
        raise FairshotError(f"{source.name} has {count} {what}: a split into base, val and novel needs at least 3")
    rank = np.empty(count, dtype=np.int64)
    rank[Stream(seed, "split").permutations(np.array([count]))[0]] = np.arange(count)
    first = min(max(1, round(shares[0] * count)), count - 2)
    second = min(max(first + 1, round(sum(shares) * count)), count - 1)
    return np.searchsorted([first, second], rank, side="right")
