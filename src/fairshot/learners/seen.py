"""What a fitted learner saw: it must not be judged on it again by mistake.

Vinyals' base part, for one, holds alphabets of Lake's evaluation set. Images are known by their place in their source,
elsewhere by their pixels, and where pixels were changed by their likeness.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Int, Int64

from fairshot.learners.learner import Learner
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import hash_rows
from fairshot.sources.images.likeness import Likeness, Packed, as_greys, find_nearest, likeness, pack
from fairshot.sources.recipe import Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.sources.union import JoinedSource, sources_of

SLAB = 4096  # images read at a time
# Of the usual distance between neighbours: no different image came as near as the first, up to one in 200 drawings and
# hardly a photograph as near as the second ('python benchmarks/copies.py').
CERTAIN, LIKELY = 0.01, 0.2
FEW, FEWEST = 0.01, 12  # of the images, and images: fewer likely copies may be different drawings
MANY = 0.1  # of the images: with so many copies, a part is what was trained on


@dataclass(frozen=True, eq=False)
class Seen:
    """Images and classes of a training, recognised under any recipe of their source, and pixel by pixel elsewhere."""

    part: str
    root: str
    images: Int[np.ndarray, " image"]
    """Places in the original source, before any rotation."""
    classes: Int[np.ndarray, " class"]
    hashes: Int64[np.ndarray, " shown"]
    """Of the pixels as they were shown, upright ones only, in order."""
    chosen: Int[np.ndarray, " other_class"] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Classes on which one of several snapshots was chosen; they were not trained on."""
    likeness: Packed | None = None
    """Of the images as they were shown; trainings of before it was kept have none."""
    others: tuple["Seen", ...] = ()
    """What was seen of further sources; pixels and likeness stand above, for all of them together."""

    @property
    def roots(self) -> list[str]:
        """The sources that were seen."""
        return [self.root, *(other.root for other in self.others)]

    def _of(self, part: Source) -> "Seen":
        """What was seen of the source of a part, if something was."""
        return next((seen for seen in (self, *self.others) if seen.root == part.root), self)

    def overlap(self, part: Source) -> tuple[int, int]:
        """How many images and classes of a part were seen."""
        if isinstance(part, JoinedSource):
            counts = np.array([self.overlap(one) for one in part.parts if len(one)])
            return int(counts[:, 0].sum()), int(counts[:, 1].sum())
        if part.root in self.roots:
            return self._of(part)._overlap_by_place(part)
        known = np.isin(_hashes(part), self.hashes)
        return int(known.sum()), len(np.unique(part.class_ids[known]))

    def _overlap_by_place(self, part: Source) -> tuple[int, int]:
        images = np.isin(part.original_images, self.images)
        return int(images.sum()), int(np.isin(np.unique(part.original_classes), self.classes).sum())

    def copies_in(self, part: Source) -> int:
        """How many images of another source are copies of seen ones with a change: mirrored, turned, shifted ..."""
        if isinstance(part, JoinedSource):
            return sum(self.copies_in(one) for one in part.parts if len(one))
        if self.likeness is None or part.root in self.roots or not part.has_images:
            return 0
        nearest = find_nearest(self.likeness.seen_along(_likeness(part)), self.likeness.images)
        if nearest is None:
            return 0
        ratios = nearest.ratios.min(axis=1)[~np.isin(_hashes(part), self.hashes)]
        likely = int((ratios < LIKELY).sum())
        return likely if likely > max(FEW * len(part), FEWEST) else int((ratios < CERTAIN).sum())

    def chosen_among(self, part: Source) -> int:
        """On how many classes of a part a snapshot was chosen."""
        if isinstance(part, JoinedSource):
            return sum(self.chosen_among(one) for one in part.parts if len(one))
        own = self._of(part)
        return int(np.isin(np.unique(part.original_classes), own.chosen).sum()) if part.root == own.root else 0


def remember(*parts: Source, val: Source | None = None) -> Seen:
    """What training on these parts of one source shows, with a part on which a snapshot is chosen; joined sources are
    remembered one by one.
    """
    if not isinstance(parts[0], JoinedSource):
        return _remember(*parts, val=val)
    vals = [None] * len(parts[0].parts) if val is None else sources_of(val)
    each = [
        _remember(*same, val=own)
        for *same, own in zip(*map(sources_of, parts), vals, strict=True)
        if any(len(part) for part in same)
    ]
    known = [seen.likeness.images for seen in each if seen.likeness is not None]
    bare = [replace(seen, hashes=seen.hashes[:0], likeness=None) for seen in each]
    return replace(
        bare[0],
        part=" and ".join(part.name for part in parts),
        hashes=np.unique(np.concatenate([seen.hashes for seen in each])),
        likeness=pack(np.concatenate(known)) if known else None,
        others=tuple(bare[1:]),
    )


def _remember(*parts: Source, val: Source | None = None) -> Seen:
    classes = np.unique(np.concatenate([part.original_classes for part in parts]))
    known = [_likeness(part.upright) for part in parts if part.has_images]
    return Seen(
        " and ".join(part.name for part in parts),
        parts[0].root,
        images=np.unique(np.concatenate([part.original_images for part in parts])),
        classes=classes,
        hashes=np.unique(np.concatenate([_hashes(part.upright) for part in parts])),
        chosen=np.empty(0, dtype=np.int64) if val is None else np.setdiff1d(val.original_classes, classes),
        likeness=pack(np.concatenate(known)) if known else None,
    )


def remember_both(before: Seen, after: Seen) -> Seen:
    """What was seen by weights that were trained twice."""
    hashes = np.union1d(before.hashes, after.hashes)
    known = [seen.likeness.images for seen in (before, after) if seen.likeness is not None]
    both = pack(np.concatenate(known)) if known else None
    part = after.part if before.part == after.part else f"{before.part}, then {after.part}"
    by_root = {seen.root: seen for seen in _each(after)}
    for seen in _each(before):
        by_root[seen.root] = _united(seen, by_root[seen.root]) if seen.root in by_root else seen
    first, *others = by_root.values()
    return replace(first, part=part, hashes=hashes, likeness=both, others=tuple(others))


def _each(seen: Seen) -> list[Seen]:
    """What was seen of each source, without pixels."""
    return [replace(one, hashes=seen.hashes[:0], likeness=None, others=()) for one in (seen, *seen.others)]


def _united(before: Seen, after: Seen) -> Seen:
    """What was seen of one source in two trainings."""
    return replace(
        after,
        images=np.union1d(before.images, after.images),
        classes=np.union1d(before.classes, after.classes),
        chosen=np.union1d(before.chosen, after.chosen),
    )


def _hashes(part: Source) -> Int64[np.ndarray, " image"]:
    parts = [hash_rows(part.read(slice(start, start + SLAB))) for start in range(0, len(part), SLAB)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _likeness(part: Source) -> Likeness:
    return np.concatenate(
        [likeness(as_greys(part.read(slice(start, start + SLAB)))) for start in range(0, len(part), SLAB)]
    )


def warnings_of(name: str, learner: Learner, part: Source, *, allow: bool = False) -> list[str]:
    """What a reader must know before believing how a learner did on a part; raises if it saw the part."""
    warnings = refuse_seen(name, learner.seen, part, allow=allow)
    warnings += _other_recipe(name, learner.trained_recipe, part)
    return [*warnings, *(f"{name}: {warning}" for warning in learner.warnings)]


def _other_recipe(name: str, trained: str | None, part: Source) -> list[str]:
    """Images of the same size are taken by a network however they were prepared: no error tells of it."""
    if trained is None or trained == part.recipe.name or not part.has_images:
        return []
    try:
        alike = _upright(find_recipe(trained)) == _upright(part.recipe)
    except FairshotError:  # a recipe of somebody's own
        alike = False
    difference = f"{name} was trained under the recipe {trained}, and the recipe {part.recipe.name} is used here"
    return [] if alike else [f"{difference}: use the recipe {trained}"]


def _upright(recipe: Recipe) -> Recipe:
    """What is done to a single image; added rotations do not matter for it."""
    return replace(recipe, name="", about="", rotations=(0,))


def refuse_seen(name: str, seen: Seen | None, part: Source, *, allow: bool = False) -> list[str]:
    """Raises if a learner is to be judged on what it saw; otherwise what a reader of the result must know.

    Unseen images of seen classes are what `base_heldout` is there for; a mixture of seen and unseen classes is a
    mistake.
    """
    if seen is None:
        return []
    notes = _chosen_on(name, seen, part)
    images, classes = seen.overlap(part)
    if not images and not classes:
        return [*_copied(name, seen, part, allow=allow), *notes]
    if not images and classes == len(np.unique(part.original_classes)):
        return [f"{name} was trained on other images of these classes: accuracy within the distribution of training"]
    said = f"{name} was trained on {seen.part}, which holds {images:,} of the {len(part):,} images and {classes:,} of "
    said += f"the {len(np.unique(part.original_classes)):,} classes of {part.name}"
    if allow:
        return [f"{said}: allowed to be seen", *notes]
    raise FairshotError(f"{said}: choose a learner or a part without overlap, or set allow_seen, which is noted")


def _copied(name: str, seen: Seen, part: Source, *, allow: bool) -> list[str]:
    """Copies with a change are told, and refused if they are many."""
    copies = seen.copies_in(part)
    if not copies:
        return []
    said = f"{name} was trained on {seen.part}, which holds copies with a change (mirrored, turned, shifted, "
    said += f"recompressed) of {copies:,} of the {len(part):,} images of {part.name}"
    if copies <= MANY * len(part):
        return [f"{said}: what it scores here may be too good"]
    if allow:
        return [f"{said}: allowed to be seen"]
    raise FairshotError(f"{said}: choose a learner or a part without overlap, or set allow_seen, which is noted")


def _chosen_on(name: str, seen: Seen, part: Source) -> list[str]:
    """The best of many snapshots owes some of its lead to luck on the classes that it was chosen on."""
    chosen, total = seen.chosen_among(part), len(np.unique(part.original_classes))
    if not chosen:
        return []
    which = "this part" if chosen == total else f"{chosen:,} of the {total:,} classes of this part"
    return [f"the snapshot of {name} was chosen on {which}, so what it scores here is a little too good"]
