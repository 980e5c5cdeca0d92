"""Samples of a generator as they come: of any size, polarity and colour, made alike before anything is compared.

Every image is resized, stretched from its darkest to its lightest pixel and cut at one half, as the drawings of people
are: a critic must not tell them apart by their greys.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from jaxtyping import Bool, Int, UInt8

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import can_write, complete_file, expand
from fairshot.sources.array import as_store, from_arrays, read_arrays
from fairshot.sources.images.pictures import Labelled, Preparing, Rows, open_support
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK, WORDS, polarity
from fairshot.sources.recipe import Recipe

USUAL = 20  # samples a class, as published
KEYS = (("images", "labels"), ("X", "y"))  # of arrays in a file

Ink = Literal["auto", "dark", "light"]
Alike = UInt8[np.ndarray, "sample channel height width"]


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples made alike, each with the number of its class, and how they were read."""

    name: str
    images: Alike
    labels: Int[np.ndarray, " sample"]
    """Places among the classes that were asked for; not all of them need to occur."""
    notes: tuple[str, ...] = ()


def open_samples(path: str) -> Labelled:
    """A folder of images for each class, or an .npz file with images and labels."""
    place = expand(path)
    if path and os.path.isdir(place):
        return replace(open_support(path), name=path)
    if not path.endswith(".npz") or not os.path.isfile(place):
        raise FairshotError(
            f"there are no samples {path or repr(path)}: give a folder of images for each class, an .npz file with "
            "images and labels, path.py:generator, human, or a yardstick such as copy"
        )
    arrays = read_arrays(path, ())
    found = [pair for pair in KEYS if arrays.keys() >= set(pair)]
    if len(found) != 1:
        needs = "images and labels, or X and y" + (", not both" if found else "")
        raise FairshotError(f"{path} holds {', '.join(sorted(arrays)) or 'no array'}: it needs {needs}")
    images, labels = (arrays[key] for key in found[0])
    with _naming(path):
        return replace(open_support(from_arrays(images, labels, class_names=arrays.get("class_names"))), name=path)


def refuse_file(path: Path | None, samples: Sequence[str] = ()) -> None:
    """Raises where `save_samples` could not write, or would write over samples, before anything is judged."""
    if path is not None and any(os.path.abspath(path) == os.path.abspath(own) for own in samples):
        raise FairshotError(f"{path} holds samples that are to be judged: save the exemplars in another file")
    if path is not None and (path.suffix != ".npz" or os.path.isdir(path) or not can_write(path)):
        raise FairshotError(f"cannot write exemplars to {path}: name an .npz file, such as exemplars.npz")


def save_samples(images: Alike, names: Sequence[str], path: Path) -> None:
    """Images with the names of their classes, as `open_samples` reads them."""
    with complete_file(path) as unfinished:
        np.savez_compressed(unfinished, images=images, labels=np.array(names))


@contextmanager
def _naming(samples: str) -> Iterator[None]:
    """Several sets may be read: an error tells which one it is about."""
    try:
        yield
    except FairshotError as error:
        raise FairshotError(f"{samples}: {error}") from error


def from_generated(name: str, images: np.ndarray, class_names: Sequence[str]) -> Labelled:
    """What a generator gave for each class: as many images of each, with or without channels."""
    if images.ndim not in (4, 5) or len(images) != len(class_names):
        raise FairshotError(
            f"{name} gave an array of shape {images.shape} for {len(class_names)} exemplars: it must return "
            "(exemplars, count, height, width), or with channels"
        )
    count = images.shape[1]
    if not count:
        raise FairshotError(f"{name} gave no image: it must return `count` of them for each exemplar")
    with _naming(name):
        store = as_store(images.reshape(len(images) * count, *images.shape[2:]))
    labels = np.repeat(np.arange(len(class_names)), count)
    rows = tuple(f"sample {row % count} of {class_names[row // count]}" for row in range(len(store)))
    return Labelled(name, Rows(store, rows), labels, tuple(class_names))


def match_classes(given: Sequence[str], known: Sequence[str], where: str) -> list[int]:
    """The place of each given class among the known ones: by its name, the end of it, or its number."""
    ends: dict[str, list[int]] = {}
    for place, name in enumerate(known):
        ends.setdefault(name.rpartition("/")[2], []).append(place)
    exact = {name: place for place, name in enumerate(known)}
    if not set(given) & {*exact, *ends} and all(name.removeprefix("-").isdecimal() for name in given):
        beyond = [name for name in given if not 0 <= int(name) < len(known)]
        if beyond:
            raise FairshotError(
                f"unknown class of {where} '{beyond[0]}': give names, or numbers from 0 to {len(known) - 1}"
            )
        return [int(name) for name in given]
    return [_place(name, exact, ends, where) for name in given]


def _place(name: str, exact: Mapping[str, int], ends: Mapping[str, list[int]], where: str) -> int:
    if name in exact:
        return exact[name]
    if len(ends.get(name, [])) > 1:
        several = [full for full, place in exact.items() if place in ends[name]]
        raise FairshotError(
            f"'{name}' is the name of {len(several)} classes of {where}, such as {several[0]} and {several[1]}: name "
            "the folders by their parent too"
        )
    if name not in ends:
        raise unknown(f"class of {where}", name, exact)
    return ends[name][0]


def read_samples(
    given: Labelled, known: Sequence[str], recipe: Recipe, *, channels: int, ink: Ink = "auto", drawn: int = 0
) -> Samples:
    """The samples made alike, with all that should be known of how; `drawn` is how ink looks where nothing tells."""
    with _naming(given.name):
        numbers = match_classes(given.class_names, known, "the drawings of people")
    shapes = [shape for shape in given.pictures.shapes if shape is not None]
    if shapes and len(shapes[0]) == 1:
        raise FairshotError(f"{given.name} holds feature vectors: samples are judged by their pixels, so give images")
    seen = polarity(given.pictures) if ink == "auto" else {"dark": DARK_ON_LIGHT, "light": LIGHT_ON_DARK}[ink]
    taken = seen or drawn or DARK_ON_LIGHT
    # Recipes are for drawings that are dark on light.
    source = given.prepared(Preparing(recipe, channels, invert=taken == LIGHT_ON_DARK))
    labels = np.array(numbers)[given.labels]
    told = f"{given.name}: {_read_as(len(labels), shapes)}, {WORDS[taken]}, resized to {source.store.shape[2]} x "
    notes = [f"{told}{source.store.shape[3]}{' and cut into ink and paper' if recipe.binarise else ''}"]
    notes += _numbered(given, numbers, known)
    if not seen:
        notes.append(
            f"{given.name} may be dark on light, light on dark or some of each, nothing tells: say ink=dark or "
            "ink=light"
        )
    images = np.asarray(source.store)
    notes += _odd(given.name, images, images > 127 if recipe.invert or recipe.binarise else images < 128)
    return Samples(given.name, images, labels, (*notes, *_counted(given.name, labels, known)))


def _odd(name: str, images: Alike, ink: Bool[np.ndarray, "sample channel height width"]) -> list[str]:
    """How many samples have nothing drawn on them, and how many more ink than paper."""
    blank = (images == images[:, :1, :1, :1]).all(axis=(1, 2, 3))
    full = ~blank & (ink.mean(axis=(1, 2, 3)) > 0.5)
    if blank.all():
        raise FairshotError(
            f"all {len(blank):,} samples of {name} are blank at {images.shape[3]} x {images.shape[2]} pixels: give "
            "images with something drawn on them"
        )
    notes = []
    if blank.any():
        told = "1 blank sample" if blank.sum() == 1 else f"{blank.sum():,} blank samples"
        notes.append(f"{name} has {told} of {len(blank):,}: nothing is drawn on {'it' if blank.sum() == 1 else 'them'}")
    if full.any():
        told = "1 sample" if full.sum() == 1 else f"{full.sum():,} samples"
        notes.append(
            f"{name} has {told} of {len(full):,} with more ink than paper: if these are negatives, invert them; if all "
            "are, say ink=dark or ink=light"
        )
    return notes


def _numbered(given: Labelled, numbers: Sequence[int], known: Sequence[str]) -> list[str]:
    """What classes were taken for that came as numbers: nothing else could tell that somebody counts from 1."""
    pairs = zip(given.class_names, numbers, strict=True)
    if not all(name.isdecimal() and int(name) == number and known[number] != name for name, number in pairs):
        return []
    ordered = sorted(numbers)
    some = dict.fromkeys(ordered[place] for place in (0, len(ordered) // 2, -1))
    told = f"{given.name} has numbers for classes: {', '.join(f'{place} is {known[place]}' for place in some)}"
    return [told if ordered[0] == 0 else f"{told}, and none is 0: if yours begin at 1, subtract 1"]


def _read_as(count: int, shapes: Sequence[tuple[int, ...]]) -> str:
    sizes = sorted({shape[1:] for shape in shapes})
    low, high = (f"{size[1]} x {size[0]}" for size in (sizes[0], sizes[-1]))
    colours = "grey" if all(shape[0] == 1 for shape in shapes) else "in colour, made grey"
    return f"{count:,} samples of {low if low == high else f'{low} to {high}'} pixels, {colours}"


def _counted(name: str, labels: Int[np.ndarray, " sample"], known: Sequence[str]) -> list[str]:
    """What is missing, or too few; a class of which there is one sample raises."""
    counts = np.bincount(labels, minlength=len(known))
    single = np.flatnonzero(counts == 1)
    if len(single):
        raise FairshotError(
            f"{name} has one sample of '{known[single[0]]}': diversity needs two at least, {USUAL} are usual"
        )
    notes, missing = [], np.flatnonzero(counts == 0)
    if len(missing):
        notes.append(
            f"{name} has no sample of {len(missing)} of {len(known)} classes, such as '{known[missing[0]]}': the "
            "others are judged alone, beside the drawings of people of the same classes"
        )
    few, many = counts[counts > 0].min(), counts.max()
    if few != many:
        notes.append(f"{name} has {few} to {many} samples a class: sums over pairs (chords) cannot be compared")
    if few < USUAL:
        notes.append(f"{name} has {few} samples a class where {USUAL} are usual: single classes are noisier")
    return notes
