"""A split as somebody wrote it down: the names of the classes of each part, over whatever source it is laid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from jaxtyping import Bool, Int

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.splits.split import Split

LISTED = ("base", "val", "novel")
"""The parts whose classes are listed; base_heldout has those of base."""
KEYS = ("name", *LISTED, "base_heldout", "images", "apart", "recipe", "source", "root")
HASH = 8  # digits that tell two splits of one name apart
UPRIGHT = "/rot000"  # what ends the names of classes that were not turned, where others were


@dataclass(frozen=True, kw_only=True)
class SplitDefinition:
    """What a file or a function says of a split; names are those of classes, or values of the attribute `apart`."""

    name: str
    where: str
    """The file or function, for messages."""
    lists: Mapping[str, tuple[str, ...]]
    base_heldout: tuple[int, ...] | int | float = ()
    """The numbers of held-out images of base classes; or how many, or which share, of each class is drawn."""
    images: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The numbers of the images of a part, if it has not all that its classes have."""
    apart: str = ""
    recipe: str = ""
    root: str = ""
    """The fingerprint of the data whose images are numbered."""

    def split(self, source: Source) -> Split:
        """The parts of a source; classes that no part names are in no part, and a note says so."""
        self._refuse_other_data(source)
        rows = self._values(source) if self.apart else self._classes(source)
        numbers = source.original_images
        masks = {part: np.isin(rows.of_images, rows.chosen[part]) for part in LISTED}
        for part, images in self.images.items():
            masks[part] &= np.isin(numbers, list(images))
        held = self._held_out(numbers, masks["base"])
        masks |= {"base": masks["base"] & ~held, "base_heldout": held}
        digest = fingerprint({part: sorted(rows.names[part]) for part in LISTED}, self._images_said())[:HASH]
        name = self.name if self.name.endswith(f"-{digest}") else f"{self.name}-{digest}"
        full, noted = f"{source.name}/{name}", replace(source, notes=(*source.notes, *rows.notes))
        parts = {part: noted.select(mask, name=f"{full}/{part}") for part, mask in masks.items()}
        split = Split(full, **parts, apart=self.apart)
        return split.hold_out(self.base_heldout, name=full) if isinstance(self.base_heldout, int | float) else split

    def _images_said(self) -> list[Any]:
        held = self.base_heldout if isinstance(self.base_heldout, int | float) else sorted(self.base_heldout)
        return [held, {part: sorted(images) for part, images in self.images.items()}, self.apart]

    def _refuse_other_data(self, source: Source) -> None:
        if self.root and self.root != source.root:
            raise FairshotError(
                f"{self.where} numbers the images of other data than {source.name}: give the data it was made of, or "
                "leave base_heldout, images and root out of it"
            )

    def _held_out(self, numbers: Int[np.ndarray, " image"], base: Bool[np.ndarray, " image"]) -> np.ndarray:
        if isinstance(self.base_heldout, int | float):
            return np.zeros_like(base)
        strange = sorted(set(self.base_heldout) - set(numbers[base].tolist()))
        if strange:
            raise FairshotError(
                f"{self.where} holds out image {strange[0]}, which is no image of a base class: leave it out"
            )
        return base & np.isin(numbers, list(self.base_heldout))

    def _values(self, source: Source) -> "_Rows":
        if self.apart not in source.attributes:
            raise unknown(f"attribute of {source.name}", self.apart, source.attributes)
        values = source.attributes[self.apart]
        known = {str(value): int(value) for value in np.unique(values)}
        for names in self.lists.values():
            for name in names:
                if name not in known:
                    raise unknown(f"{self.apart} of {source.name}", name, known)
        return _Rows(values, {part: [known[name] for name in names] for part, names in self.lists.items()}, self.lists)

    def _classes(self, source: Source) -> "_Rows":
        known = ClassNames(source)
        chosen = {part: [known.find(name, self.where) for name in names] for part, names in self.lists.items()}
        place: dict[int, str] = {}
        for part, classes in chosen.items():
            for number in classes:
                if number in place:
                    raise FairshotError(
                        f"{self.where} names the class '{known.names[number]}' {_twice(place[number], part)}"
                    )
                place[number] = part
        rest = [name for number, name in known.names.items() if number not in place]
        count = f"{len(rest)} of {len(known.names)} classes are in no part of {self.where}"
        notes = [f"{count}, such as '{rest[0]}'"] if rest else []
        names = {part: tuple(known.names[number] for number in classes) for part, classes in chosen.items()}
        return _Rows(source.original_classes, chosen, names, tuple(notes))


@dataclass(frozen=True)
class _Rows:
    """A number for each image, and which of these numbers each part has."""

    of_images: Int[np.ndarray, " image"]
    chosen: Mapping[str, list[int]]
    names: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()


def _twice(first: str, second: str) -> str:
    if first == second:
        return f"twice in {first}: name it once"
    return f"in {first} and in {second}: a class belongs to one part"


class ClassNames:
    """The classes of a source by name: as they are, with the parent before them, or by what follows the last slash."""

    def __init__(self, source: Source) -> None:
        upright = source.upright
        self.where = source.name
        ending = UPRIGHT if source.turns > 1 else ""
        self.names = {int(c): source.class_names[c].removesuffix(ending) for c in upright.classes}
        parents = {number: source.parents[number].removesuffix(ending) for number in self.names}
        forms = (
            {number: name for number, name in self.names.items()},
            {number: f"{parents[number]}/{name}" for number, name in self.names.items()},
            {number: name.rpartition("/")[2] for number, name in self.names.items()},
        )
        self.forms = tuple(_inverse(form) for form in forms)

    def find(self, name: str, where: str) -> int:
        """The class of that name; one that nobody or several have raises."""
        for form in self.forms:
            numbers = form.get(name, [])
            if len(numbers) == 1:
                return numbers[0]
            if numbers:
                full = [next(text for text, own in self.forms[1].items() if number in own) for number in numbers[:2]]
                raise FairshotError(
                    f"'{name}' in {where} is the name of {len(numbers)} classes of {self.where}: write "
                    f"{' or '.join(full)}"
                )
        raise unknown(f"class of {self.where}", name, self.names.values())


def _inverse(names: Mapping[int, str]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for number, name in names.items():
        numbers.setdefault(name, []).append(number)
    return numbers


def define(said: Mapping[str, Any], *, name: str, where: str) -> SplitDefinition:
    """The definition that a mapping holds, as in JSON; everything in it is checked that needs no source."""
    for key in said:
        if key not in KEYS:
            raise unknown(f"entry of {where}", str(key), KEYS)
    lists = {part: _names(said.get(part, ()), part, where) for part in LISTED}
    if not any(lists.values()):
        raise FairshotError(f"{where} names no class: give lists of class names under base, val and novel")
    if not all(isinstance(said.get(key, ""), str) for key in ("name", "apart", "recipe", "root")):
        raise FairshotError(f"name, apart, recipe and root of {where} are words: write them in quotes")
    images = said.get("images", {})
    if not isinstance(images, Mapping) or not set(images) <= set(LISTED):
        raise FairshotError(f"images of {where} belong to base, val or novel: give a list of numbers for each of these")
    return SplitDefinition(
        name=str(said.get("name") or name),
        where=where,
        lists=lists,
        base_heldout=_heldout(said.get("base_heldout", ()), where),
        images={part: frozenset(_numbers(numbers, f"images of {where}")) for part, numbers in images.items()},
        apart=said.get("apart", ""),
        recipe=said.get("recipe", ""),
        root=said.get("root", ""),
    )


def _names(names: Any, part: str, where: str) -> tuple[str, ...]:
    if not isinstance(names, Sequence | np.ndarray) or isinstance(names, str):
        raise FairshotError(f"{part} of {where} is no list: give the names of its classes in a list")
    if not all(isinstance(name, str | int | np.integer) for name in names):
        raise FairshotError(f"{part} of {where} holds what is no name: give the names of its classes in a list")
    return tuple(str(name) for name in names)


def _heldout(said: Any, where: str) -> tuple[int, ...] | int | float:
    return said if isinstance(said, int | float) else _numbers(said, f"base_heldout of {where}")


def _numbers(said: Any, what: str) -> tuple[int, ...]:
    if isinstance(said, Sequence | np.ndarray) and all(isinstance(number, int | np.integer) for number in said):
        return tuple(int(number) for number in said)
    raise FairshotError(f"{what} is no list of numbers: give the numbers of images as the source counts them, from 0")
