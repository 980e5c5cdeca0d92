"""A Source: images or feature vectors by class. A part of a Source is a Source."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Int, Shaped

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint as hash_content
from fairshot.sources.joined_store import JoinedStore
from fairshot.sources.recipe import RAW, Recipe
from fairshot.tables.words import count_of

MADE_OF = "made_of"  # the class attribute that classes made of one another share
Store = Shaped[np.ndarray, "original channel height width"] | Shaped[np.ndarray, "original feature"] | JoinedStore


@dataclass(frozen=True)
class Members:
    """The images of each class, back to back: class number k owns image_ids[starts[k] : starts[k] + counts[k]]."""

    classes: Int[np.ndarray, " class"]
    starts: Int[np.ndarray, " class"]
    counts: Int[np.ndarray, " class"]
    image_ids: Int[np.ndarray, " image"]


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """Images (uint8) or features (float32) by class.

    `image_ids` are rows of the original Source's `store` and `class_ids` point into the original's `class_names`, in a
    part as in the whole, so that an image keeps its name wherever it goes. A part answers only for its own images.
    """

    name: str
    _: KW_ONLY
    store: Store
    image_ids: Int[np.ndarray, " image"]
    class_ids: Int[np.ndarray, " image"]
    class_names: tuple[str, ...]
    parents: tuple[str, ...]
    content: str
    """The hash of the whole original; `fingerprint` adds which part of it this is."""
    before_recipe: str
    """The same before any recipe; `origin` adds the part: equal origins mean the same images, so episodes pair."""
    root: str
    """The same before any recipe and any rotation."""
    attributes: Mapping[str, Int[np.ndarray, " image"]] = field(default_factory=dict)
    class_attributes: Mapping[str, Int[np.ndarray, " class"]] = field(default_factory=dict)
    recipe: Recipe = RAW
    notes: tuple[str, ...] = ()

    @classmethod
    def create(
        cls,
        name: str,
        store: Store,
        class_ids: Int[np.ndarray, " image"],
        *,
        class_names: tuple[str, ...],
        parents: tuple[str, ...] | None = None,
        attributes: Mapping[str, Int[np.ndarray, " image"]] | None = None,
        class_attributes: Mapping[str, Int[np.ndarray, " class"]] | None = None,
    ) -> "Source":
        """A whole Source, named by its content; without parents every class hangs below the source's own name."""
        attributes, class_attributes = dict(attributes or {}), dict(class_attributes or {})
        tables = [part for table in (attributes, class_attributes) for item in sorted(table.items()) for part in item]
        content = hash_content(store, class_ids, list(class_names), list(parents or []), *tables)
        parents = parents or (name,) * len(class_names)
        return cls(
            name,
            store=store,
            image_ids=np.arange(len(store)),
            class_ids=class_ids,
            class_names=class_names,
            parents=parents,
            content=content,
            before_recipe=content,
            root=content,
            attributes=attributes,
            class_attributes=class_attributes,
        )

    def __len__(self) -> int:
        return len(self.image_ids)

    def __repr__(self) -> str:
        rows = "image" if self.has_images else "vector"
        counts = f"{count_of(len(self), rows)} of {count_of(len(self.classes), 'class')}"
        return f"<Source {self.name}: {counts}, recipe {self.recipe.name}>"

    @property
    def has_images(self) -> bool:
        """Whether the rows are images; otherwise they are feature vectors."""
        return self.store.ndim == 4

    @cached_property
    def fingerprint(self) -> str:
        """Names exactly these images in exactly the form in which a learner sees them."""
        recipe, named = self.recipe, self._named(self.content)
        scale = [recipe.mean, recipe.deviation, recipe.channels]
        return named if scale == [RAW.mean, RAW.deviation, RAW.channels] else hash_content(named, scale)

    @cached_property
    def origin(self) -> str:
        """Names exactly these images, whatever recipe they went through."""
        return self._named(self.before_recipe)

    @property
    def turns(self) -> int:
        """How often every original image is here, each time rotated otherwise."""
        return len(self.recipe.rotations)

    @property
    def original_images(self) -> Int[np.ndarray, " image"]:
        """Where each image stood before rotations were added."""
        return self.image_ids % (len(self.store) // self.turns)

    @property
    def original_classes(self) -> Int[np.ndarray, " image"]:
        """The class of each image before rotations became classes."""
        return self.class_ids % (len(self.class_names) // self.turns)

    @property
    def upright(self) -> "Source":
        """The part without the rotations that were added."""
        return self if self.turns == 1 else self.select(self.image_ids < len(self.store) // self.turns)

    def _named(self, whole: str) -> str:
        return whole if len(self.image_ids) == len(self.store) else hash_content(whole, self.image_ids)

    @cached_property
    def members(self) -> Members:
        """The images of each class."""
        order = np.argsort(self.class_ids, kind="stable")
        classes, starts, counts = np.unique(self.class_ids[order], return_index=True, return_counts=True)
        return Members(classes, starts, counts, self.image_ids[order])

    @property
    def classes(self) -> Int[np.ndarray, " class"]:
        """The class ids that occur here, in order."""
        return self.members.classes

    @cached_property
    def parent_ids(self) -> Int[np.ndarray, " class"]:
        """For each class that occurs here, the number of its parent among `parent_names`."""
        place = {name: number for number, name in enumerate(self.parent_names)}
        return np.array([place[self.parents[c]] for c in self.classes], dtype=np.int64)

    @cached_property
    def parent_names(self) -> tuple[str, ...]:
        """The parents that occur here, in the order of their first class."""
        return tuple(dict.fromkeys(self.parents[c] for c in self.classes))

    @cached_property
    def class_units(self) -> Int[np.ndarray, " class"]:
        """For each class that occurs here a number that it shares with the classes that are made of the same original.

        Rotations of one class are; so are classes with the same value of the class attribute `made_of`.
        """
        made_of = self.class_attributes.get(MADE_OF, np.arange(len(self.class_names)))
        return np.unique(made_of[self.classes % (len(self.class_names) // self.turns)], return_inverse=True)[1]

    @cached_property
    def _row_of(self) -> Int[np.ndarray, " original"]:
        table = np.full(len(self.store), -1, dtype=np.int64)
        table[self.image_ids] = np.arange(len(self.image_ids))
        return table

    def rows(self, image_ids: Int[np.ndarray, "*shape"]) -> Int[np.ndarray, "*shape"]:
        """Where these images stand in this part; padding (-1) stays padding, an image of another part raises."""
        rows = self._row_of.take(image_ids, mode="wrap") if len(self._row_of) else self._row_of[image_ids]
        if rows.size and image_ids.min() >= 0 and rows.min() >= 0:
            return rows
        rows = np.where(image_ids < 0, -1, rows)
        strangers = (rows < 0) & (image_ids >= 0)
        if strangers.any():
            raise FairshotError(
                f"image {image_ids[strangers].flat[0]} is not in {self.name}: it belongs to another part"
            )
        return rows

    def read(self, rows: slice | Int[np.ndarray, " row"]) -> Shaped[np.ndarray, "row ..."]:
        """The stored images (uint8) or features (float32) of some rows of this part."""
        return self.store[self.image_ids[rows]]

    def select(self, keep: Bool[np.ndarray, " image"], *, name: str | None = None) -> "Source":
        """The part that holds just these images; class attributes stay with the classes."""
        return replace(
            self,
            name=name or self.name,
            image_ids=self.image_ids[keep],
            class_ids=self.class_ids[keep],
            attributes={key: values[keep] for key, values in self.attributes.items()},
        )

    def select_classes(self, class_ids: Int[np.ndarray, " chosen"], *, name: str | None = None) -> "Source":
        """The part that holds just the images of these classes."""
        return self.select(np.isin(self.class_ids, class_ids), name=name)
