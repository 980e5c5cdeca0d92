"""A Split: which classes a learner may train on, choose on, and be judged on. Parts are Sources of their own."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np
from jaxtyping import Bool, Int

from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tables.words import count_of

PARTS = ("base", "base_heldout", "val", "novel")


@dataclass(frozen=True, repr=False)
class Split:
    """Parts that share no image, and no class but for base and base_heldout, the unseen images of base classes.

    Where images are set apart by who made them (`apart`), all parts have the same classes and none shares a maker.
    """

    name: str
    _: KW_ONLY
    base: Source
    base_heldout: Source
    val: Source
    novel: Source
    apart: str = ""
    """The attribute of images, such as drawer, of which no value is in two parts; empty where classes are apart."""

    def __repr__(self) -> str:
        counts = [f"{name} {count_of(len(getattr(self, name).classes), 'class')}" for name in PARTS]
        return f"<Split {self.name}: {', '.join(counts)}>"

    def __post_init__(self) -> None:
        for (first, a), (second, b) in _pairs(self):
            shared = np.intersect1d(a.image_ids, b.image_ids)
            if len(shared):
                raise FairshotError(
                    f"{self.name}: {first} and {second} share {len(shared)} images, such as {shared[0]}"
                )
            if self.apart:
                self._refuse_shared_values(first, second)
                continue
            classes = np.intersect1d(a.classes, b.classes)
            if len(classes) and {first, second} != {"base", "base_heldout"}:
                raise FairshotError(
                    f"{self.name}: {first} and {second} share {len(classes)} classes, such as "
                    f"'{a.class_names[classes[0]]}'"
                )

    def _refuse_shared_values(self, first: str, second: str) -> None:
        own, other = (np.unique(getattr(self, part).attributes[self.apart]) for part in (first, second))
        shared = np.intersect1d(own, other)
        if len(shared):
            raise FairshotError(
                f"{self.name}: {first} and {second} share {len(shared)} of attribute {self.apart}, such as {shared[0]}"
            )

    def part(self, name: str) -> Source:
        """The part of that name, which must not be empty."""
        if name not in PARTS:
            raise unknown("part", name, PARTS)
        source: Source = getattr(self, name)
        if not len(source):
            filled = [part for part in PARTS if len(getattr(self, part))]
            hint = f"; write {self.name}+6 to hold out 6 images of each base class" if name == "base_heldout" else ""
            raise FairshotError(f"{self.name} has no {name} part: it has {', '.join(filled)}{hint}")
        return source

    @checked
    def hold_out(self, images: int | float = 0.2, *, seed: int = 0, name: str | None = None) -> "Split":
        """The same split with a number, or a share, of the images of every base class moved to base_heldout."""
        if len(self.base_heldout):
            raise FairshotError(f"{self.name} has held-out images already: hold out all of them at once")
        if self.apart:
            raise FairshotError(f"{self.name} sets each {self.apart} apart: its novel part is held out already")
        members = self.base.upright.members
        counts = (
            np.floor(members.counts * images + 1e-9).astype(np.int64)
            if isinstance(images, float)
            else np.full_like(members.counts, images)
        )
        tight = np.flatnonzero((counts >= members.counts) | (counts < 1))
        if len(tight):
            tightest, count = self.base.class_names[members.classes[tight[0]]], members.counts[tight[0]]
            raise FairshotError(
                f"cannot hold out {images} of the {count} images of '{tightest}': both sides need at least one"
            )
        # The images of each class in random order; the first ones are held out.
        stream, rows = Stream(seed, "hold out"), np.repeat(np.arange(len(counts)), members.counts)
        order = np.lexsort((stream.uniform(len(rows)), rows))
        place = np.arange(len(rows)) - np.repeat(members.starts, members.counts)
        held = members.image_ids[order[place < counts[rows]]]
        # An image goes with all its rotations.
        mask = np.isin(self.base.original_images, held)
        name = name or f"{self.name}+{images}{f'-{seed}' if seed else ''}"
        return Split(
            name,
            base=self.base.select(~mask, name=f"{name}/base"),
            base_heldout=self.base.select(mask, name=f"{name}/base_heldout"),
            val=replace(self.val, name=f"{name}/val"),
            novel=replace(self.novel, name=f"{name}/novel"),
        )


def split_classes(
    name: str, source: Source, *, base: Int[np.ndarray, " b"], val: Int[np.ndarray, " v"], novel: Int[np.ndarray, " n"]
) -> Split:
    """A split by class ids; whatever is in none of the three parts is in no part."""
    full = f"{source.name}/{name}"
    nothing: Bool[np.ndarray, " image"] = np.zeros(len(source), dtype=bool)
    return Split(
        full,
        base=source.select_classes(base, name=f"{full}/base"),
        base_heldout=source.select(nothing, name=f"{full}/base_heldout"),
        val=source.select_classes(val, name=f"{full}/val"),
        novel=source.select_classes(novel, name=f"{full}/novel"),
    )


def split_values(name: str, source: Source, attribute: str, parts: Int[np.ndarray, " value"]) -> Split:
    """A split by the values of an attribute of images, in order: part 0 (base), 1 (val) or 2 (novel) of each value."""
    own = parts[np.unique(source.attributes[attribute], return_inverse=True)[1]]
    full = f"{source.name}/{name}"
    base, val, novel, nothing = (
        source.select(own == number, name=f"{full}/{part}")
        for number, part in enumerate(("base", "val", "novel", "base_heldout"))
    )
    return Split(full, base=base, base_heldout=nothing, val=val, novel=novel, apart=attribute)


def _pairs(split: Split) -> Iterator[tuple[tuple[str, Source], tuple[str, Source]]]:
    for number, first in enumerate(PARTS):
        for second in PARTS[number + 1 :]:
            yield (first, getattr(split, first)), (second, getattr(split, second))
