"""The drawings of people that samples are compared with."""

from dataclasses import replace

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.critics import Critics
from fairshot.sources.images.pictures import Rows
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK, WORDS, polarity
from fairshot.sources.source import Source
from fairshot.specs.data import find_part


def human_part(critics: Critics, on: str | None) -> tuple[Source, str]:
    """The drawings of people: what was named, or the novel part of what the critics were trained on."""
    if on is not None:
        return _light_ink(find_part(on, recipe=critics.diversity.record.recipe)), on
    source, _, part = critics.diversity.record.source.rpartition("/")
    where = f"{source}/novel"
    seen = critics.diversity.seen
    try:
        found = find_part(where, recipe=critics.diversity.record.recipe) if part == "base" else None
    except FairshotError:
        found = None
    if found is not None and _tone(found) == DARK_ON_LIGHT:
        raise FairshotError(
            f"the critics of {critics.name} were trained on drawings with light ink, which the recipe "
            f"{found.recipe.name} takes for paper: train them on dark ink"
        )
    if found is None or seen is None or found.root != seen.root:
        raise FairshotError(
            f"the critics of {critics.name} were trained on {critics.diversity.record.source}, which does not tell "
            "what to compare samples with: say --on, such as --on omniglot/weak/novel"
        )
    return found, where


def _tone(part: Source) -> int:
    """How its drawings look under the recipe of critics; 0 where nothing tells, or the recipe does not invert."""
    if not part.has_images or not (part.recipe.invert or part.recipe.binarise):
        return 0
    return polarity(Rows(np.asarray(part.read(slice(None))), tuple(map(str, part.image_ids))))


def _light_ink(part: Source) -> Source:
    """Recipes make light ink of dark: drawings that had light ink already are turned back, blank ones left alone."""
    if _tone(part) != DARK_ON_LIGHT:
        return part
    drawn = np.ptp(part.store, axis=(1, 2, 3), keepdims=True) > 0
    note = f"the drawings of people, {part.name}, are {WORDS[LIGHT_ON_DARK]}: they were read as such"
    return replace(
        part,
        store=np.where(drawn, 255 - part.store, part.store),
        content=fingerprint(part.content, "inverted"),
        notes=(*part.notes, note),
    )


def parents_of(part: Source, classes: Int[np.ndarray, " class"]) -> Int[np.ndarray, " class"] | None:
    """Which of these classes come together, as those of one alphabet; None if all do, or none."""
    own = part.parent_ids[np.searchsorted(part.classes, classes)]
    return own if 1 < len(np.unique(own)) < len(own) else None
