"""Sources that are made once and then memory-mapped from the cache."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from jaxtyping import UInt8

from fairshot.runtime.cache import arrays_once
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.image_file import write_images
from fairshot.sources.recipe import RAW, Recipe
from fairshot.sources.source import Source

FORMAT = 2  # raised when the files below change their meaning
NEEDED = ("images", "class_ids", "class_names", "parents", "content", "uncooked", "root")
_ATTRIBUTE, _CLASS_ATTRIBUTE = "attribute-", "class-attribute-"


def load_once(name: str, key: object, build: Callable[[Path], Source]) -> Source:
    """The Source that `build` makes, from the cache from the second time on.

    `build` gets the cache folder to be and may let the Source's store be a memory map of images.npy there. Where it
    was killed it gets the folder as it left it.
    """
    folder_name = f"{name.replace(':', '-')}-{fingerprint(FORMAT, key)}"
    arrays = arrays_once(
        "sources", folder_name, lambda folder: _save(folder, build(folder)), needed=NEEDED, resume=True
    )
    return Source(
        name,
        store=arrays["images"],
        image_ids=np.arange(len(arrays["images"])),
        class_ids=np.array(arrays["class_ids"]),
        class_names=tuple(arrays["class_names"].tolist()),
        parents=tuple(arrays["parents"].tolist()),
        content=str(arrays["content"]),
        uncooked=str(arrays["uncooked"]),
        root=str(arrays["root"]),
        attributes=_beginning_with(_ATTRIBUTE, arrays),
        class_attributes=_beginning_with(_CLASS_ATTRIBUTE, arrays),
        notes=tuple(arrays["notes"].tolist()) if "notes" in arrays else (),
    )


def _beginning_with(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): np.array(values) for name, values in arrays.items() if name.startswith(prefix)}


def cook(source: Source, recipe: Recipe) -> Source:
    """A whole source under a recipe; rotations other than 0 become classes of their own, after all the others."""
    if len(source) != len(source.store):
        raise FairshotError(f"{source.name} is a part: a recipe is for the whole source, before it is split")
    if recipe.key == RAW.key:
        return replace(source, recipe=recipe)
    if recipe.leaves_alone(source.store.shape[2:]):  # images that were read at the recipe's size are not copied
        return replace(source, recipe=recipe, content=fingerprint(source.content, recipe.key))
    cooked = load_once(source.name, [source.content, recipe.key], lambda folder: _cook(source, recipe, folder))
    return replace(cooked, recipe=recipe, notes=source.notes)


def _cook(source: Source, recipe: Recipe, folder: Path) -> Source:
    turns, count = len(recipe.rotations), len(source)
    sample = recipe.cook(source.store[:1])

    def read(start: int, stop: int) -> UInt8[np.ndarray, "image channel height width"]:
        """Rows of all turns one after the other, which may begin in one turn and end in the next."""
        cuts = sorted({start, stop, *(turn * count for turn in range(turns) if start < turn * count < stop)})
        return np.concatenate(
            [
                recipe.cook(source.store[first % count : (last - 1) % count + 1], recipe.rotations[first // count])
                for first, last in pairwise(cuts)
            ]
        )

    channels, height, width = sample.shape[1:]
    plan = fingerprint(source.content, recipe.key)
    images = write_images(
        folder, (turns * count, channels, height, width), read, plan=plan, what=f"{source.name}, recipe {recipe.name}"
    )
    endings = [f"/rot{rotation:03d}" if turns > 1 else "" for rotation in recipe.rotations]
    classes = len(source.class_names)
    tables = {key: np.tile(values, turns) for key, values in source.class_attributes.items()}
    if turns > 1:
        tables["rotation"] = np.repeat(np.array(recipe.rotations), classes)
    return Source(
        source.name,
        store=images,
        image_ids=np.arange(len(images)),
        class_ids=np.concatenate([source.class_ids + turn * classes for turn in range(turns)]),
        class_names=tuple(name + ending for ending in endings for name in source.class_names),
        # A turned alphabet is an alphabet of its own: its characters do not meet those of the upright one.
        parents=tuple(parent + ending for ending in endings for parent in source.parents),
        content=fingerprint(source.content, recipe.key),
        uncooked=fingerprint(source.uncooked, list(recipe.rotations)) if turns > 1 else source.uncooked,
        root=source.root,
        attributes={key: np.tile(values, turns) for key, values in source.attributes.items()},
        class_attributes=tables,
    )


def _save(folder: Path, source: Source) -> None:
    if isinstance(source.store, np.memmap):
        if source.store.mode != "r":
            source.store.flush()
    else:
        np.save(folder / "images.npy", source.store)
    tables = {_ATTRIBUTE + key: values for key, values in source.attributes.items()}
    tables |= {_CLASS_ATTRIBUTE + key: values for key, values in source.class_attributes.items()}
    tables |= {
        "class_ids": source.class_ids,
        "class_names": np.array(source.class_names),
        "parents": np.array(source.parents),
    }
    tables |= {"content": np.array(source.content), "uncooked": np.array(source.uncooked)}
    tables["root"] = np.array(source.root)
    if source.notes:
        tables["notes"] = np.array(source.notes)
    for name, values in tables.items():
        np.save(folder / f"{name}.npy", values)
