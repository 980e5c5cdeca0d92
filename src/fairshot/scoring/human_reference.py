"""The drawings of people that samples are compared with."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.critics import Critics
from fairshot.sources.images.pictures import Rows
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK, WORDS, polarity
from fairshot.sources.recipe import RAW, find_recipe
from fairshot.sources.source import Source
from fairshot.sources.store import apply_recipe
from fairshot.specs.data import find_part


def human_part(critics: Critics, on: str | Path | Source | None) -> tuple[Source, str]:
    """The drawings of people and their name: what was given, or the novel part of what the critics were trained on."""
    if on is None:
        return _novel_part(critics)
    if isinstance(on, Source):
        return _light_ink(_under_recipe(on, critics.diversity.record.recipe)), on.name
    if isinstance(on, Path):
        on = f"folder:{on}" if on.is_dir() else f"array:{on}"
    return _light_ink(find_part(on, recipe=critics.diversity.record.recipe)), on


def _under_recipe(source: Source, recipe: str) -> Source:
    """A source as critics see images; one that went through another recipe raises."""
    if source.recipe.key == RAW.key:
        return apply_recipe(source, find_recipe(recipe))
    if source.recipe.name != recipe:
        raise FairshotError(
            f"{source.name} went through the recipe {source.recipe.name}, and the critics see images by {recipe}: give "
            "the source raw, or under that recipe"
        )
    return source


def _novel_part(critics: Critics) -> tuple[Source, str]:
    """The novel part of what the critics were trained on; raises where their record does not say which that is."""
    record, seen = critics.diversity.record, critics.diversity.seen
    source, _, part = record.source.rpartition("/")
    where = f"{source}/novel"
    try:
        novel = find_part(where, recipe=record.recipe) if part == "base" else None
    except FairshotError:
        novel = None
    if novel is not None and _tone(novel) == DARK_ON_LIGHT:
        raise FairshotError(
            f"the critics of {critics.name} were trained on drawings with light ink, which the recipe "
            f"{novel.recipe.name} takes for paper: train them on dark ink"
        )
    if novel is None or seen is None or novel.root != seen.root:
        raise FairshotError(
            f"the critics of {critics.name} were trained on {record.source}, which does not tell what to compare "
            "samples with: say on which, such as on=omniglot/weak/novel"
        )
    return novel, where


def _tone(part: Source) -> int:
    """How its drawings look under the recipe of critics; 0 where nothing tells, or the recipe does not invert."""
    if not part.has_images or not (part.recipe.invert or part.recipe.binarise):
        return 0
    return polarity(Rows(np.asarray(part.read(slice(None))), tuple(map(str, part.image_ids))))


def _light_ink(part: Source) -> Source:
    """Drawings with light ink: recipes make it of dark, so those that had it already are inverted once more."""
    if _tone(part) != DARK_ON_LIGHT:
        return part
    images = np.asarray(part.store)
    drawn = np.ptp(images, axis=(1, 2, 3), keepdims=True) > 0
    note = f"the drawings of people, {part.name}, are {WORDS[LIGHT_ON_DARK]}: they were read as such"
    return replace(
        part,
        store=np.where(drawn, 255 - images, images),
        content=fingerprint(part.content, "inverted"),
        notes=(*part.notes, note),
    )


def parents_of(part: Source, classes: Int[np.ndarray, " class"]) -> Int[np.ndarray, " class"] | None:
    """Which of these classes come together, as those of one alphabet; None if all do, or none."""
    parents = part.parent_ids[np.searchsorted(part.classes, classes)]
    return parents if 1 < len(np.unique(parents)) < len(parents) else None
