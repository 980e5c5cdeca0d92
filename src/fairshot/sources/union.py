"""Many sources as one: the images stay where they are, and only those of the parts that were joined can be reached."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from jaxtyping import Bool

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.joined_store import JoinedStore
from fairshot.sources.recipe import Recipe
from fairshot.sources.source import MADE_OF, Source

SOURCE = "source"  # the attribute that says which of the joined sources an image or a class comes from


@dataclass(frozen=True, eq=False)
class JoinedSource(Source):
    """Parts of several sources, one after the other; some of them may be empty."""

    parts: tuple[Source, ...] = ()

    @property
    def first_images(self) -> list[int]:
        """What is added to the image ids of each part."""
        return _starts([len(part.store) for part in self.parts])

    @property
    def first_classes(self) -> list[int]:
        """What is added to the class ids of each part."""
        return _starts([len(part.class_names) for part in self.parts])

    def select(self, keep: Bool[np.ndarray, " image"], *, name: str | None = None) -> "JoinedSource":
        """The part that holds just these images."""
        bounds = [*_starts([len(part) for part in self.parts]), len(self)]
        parts = [
            part.select(keep[start:stop]) for part, (start, stop) in zip(self.parts, pairwise(bounds), strict=True)
        ]
        return replace(join(parts), name=name or self.name)


def join(parts: Sequence[Source]) -> JoinedSource:
    """Parts of different sources as one; images of one size under one recipe, features of one length."""
    _refuse_differences(parts)
    first_image, first_class = (
        _starts(counts) for counts in ([len(part.store) for part in parts], [len(part.class_names) for part in parts])
    )
    return JoinedSource(
        "+".join(part.name for part in parts),
        store=JoinedStore(tuple(part.store for part in parts)),
        image_ids=np.concatenate([part.image_ids + start for part, start in zip(parts, first_image, strict=True)]),
        class_ids=np.concatenate([part.class_ids + start for part, start in zip(parts, first_class, strict=True)]),
        class_names=tuple(f"{home(part)}:{name}" for part in parts for name in part.class_names),
        parents=tuple(
            parent if parent == home(part) else f"{home(part)}:{parent}" for part in parts for parent in part.parents
        ),
        content=fingerprint("joined", [part.content for part in parts]),
        before_recipe=fingerprint("joined", [part.before_recipe for part in parts]),
        root=fingerprint("joined", [part.root for part in parts]),
        attributes={SOURCE: np.repeat(np.arange(len(parts)), [len(part) for part in parts])},
        class_attributes={
            SOURCE: np.repeat(np.arange(len(parts)), [len(part.class_names) for part in parts]),
            MADE_OF: np.concatenate([_made_of(part) + start for part, start in zip(parts, first_class, strict=True)]),
        },
        recipe=parts[0].recipe,
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        parts=tuple(parts),
    )


def home(part: Source) -> str:
    """The name of the source that a part comes from."""
    return re.split("[/:]", part.name, maxsplit=1)[0]


def sources_of(source: Source) -> tuple[Source, ...]:
    """The parts that a source was joined from, or the source itself."""
    return source.parts if isinstance(source, JoinedSource) else (source,)


def _made_of(part: Source) -> np.ndarray:
    return part.class_attributes.get(MADE_OF, np.arange(len(part.class_names)))


def _starts(counts: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(counts)[:-1].tolist()]


def _refuse_differences(parts: Sequence[Source]) -> None:
    first = parts[0]
    for number, part in enumerate(parts):
        if part.root in [other.root for other in parts[:number]]:
            raise FairshotError(f"{part.name} is of a source that is joined already: name each source once")
        if _known(part.recipe) != _known(first.recipe):
            raise FairshotError(
                f"{first.name} has the recipe {first.recipe.name} and {part.name} {part.recipe.name}: give all the "
                "same one, such as 32-colour"
            )
        if part.turns > 1:
            raise FairshotError(f"{part.name} has rotations as classes and cannot be joined: choose a recipe without")
        shapes = [_shape(one) for one in (first, part)]
        if shapes[0] != shapes[1]:
            said = [" x ".join(map(str, shape)) for shape in shapes]
            raise FairshotError(
                f"an image of {first.name} is {said[0]} and one of {part.name} {said[1]}: give all the same recipe, "
                "such as 32-colour"
            )


def _known(recipe: Recipe) -> Recipe:
    return replace(recipe, about="")


def _shape(part: Source) -> tuple[int, ...]:
    """Of an image as it is read; drawings have three channels where the recipe says so."""
    shape = tuple(part.store.shape[1:])
    return (3, *shape[1:]) if part.recipe.channels == 3 and part.has_images else shape
