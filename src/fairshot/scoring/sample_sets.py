"""SAMPLES as a command names them: files, a generator, a yardstick, or glyphs drawn once more."""

import inspect
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from fairshot.generators.generator import ForeignGenerator, Generator
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import as_a_guest, load_from_file
from fairshot.scoring.measures.human_distance import HUMAN
from fairshot.sources.glyphs import glyphs
from fairshot.sources.glyphs.fresh import redraw
from fairshot.sources.images.pictures import Labelled
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK
from fairshot.sources.images.sample_files import USUAL, Ink, Samples, from_generated, open_samples, read_samples
from fairshot.sources.recipe import Recipe
from fairshot.sources.source import Source
from fairshot.specs.grammar import parse_settings
from fairshot.specs.registry import find_class, names

FRESH = "fresh"


def find_generator(spec: str) -> Generator | None:
    """`NAME`, `NAME:setting=value` or `path.py:name`; None if it is something else."""
    if ".py:" in spec:
        return _foreign(load_from_file(spec)[0], spec)
    name, _, settings = spec.partition(":")
    if name.replace("-", "_") not in names("generators"):
        return None
    kind = find_class("generators", name)
    hints = {key: hint for key, hint in inspect.get_annotations(kind, eval_str=True).items() if key != "return"}
    return kind(**parse_settings(settings, hints, name))


def _foreign(target: Any, spec: str) -> Generator:
    try:
        with as_a_guest():
            target = target() if isinstance(target, type) else target
    except (Exception, SystemExit) as error:
        raise FairshotError(f"{spec} cannot be made without arguments ({type(error).__name__}: {error})") from error
    own = getattr(target, "generate", target)
    if not callable(own):
        raise FairshotError(
            f"{spec} is no generator: give a function generate(exemplars, count, seed), or an object with such a method"
        )
    return ForeignGenerator(own, spec)


def draw_samples(
    spec: str,
    part: Source,
    exemplars: Float[np.ndarray, "class channel height width"],
    recipe: Recipe,
    *,
    on: str,
    count: int,
    ink: Ink,
    seed: int,
) -> Samples:
    """The samples of a name, made like the images of the part; generators are shown its exemplars."""
    if count < 1:
        raise FairshotError(f"cannot draw {count} images of each class: say --count {USUAL}, or 1 at least")
    known = [part.class_names[c] for c in part.classes]
    given, drawn, notes = _given(spec, part, exemplars, known, on=on, count=count, seed=seed), 0, list[str]()
    if not isinstance(given, Labelled):
        # A generator draws like the exemplars it is shown: with light ink, where the recipe inverts.
        drawn = LIGHT_ON_DARK if recipe.invert or recipe.binarise else DARK_ON_LIGHT
        if given.ndim > 1 and given.shape[1] != count:
            notes.append(f"{spec} gave {given.shape[1]} images a class, and was asked for {count}")
        given = from_generated(spec, given, known)
        # What is said of somebody's ink says nothing of a yardstick's, which is known.
        ink = ink if ".py:" in spec else "light" if drawn == LIGHT_ON_DARK else "dark"
    elif spec == FRESH:
        ink = "dark"
    found = read_samples(given, known, recipe, channels=exemplars.shape[1], ink=ink, drawn=drawn)
    return replace(found, notes=(*notes, *found.notes))


def shadowed(specs: Sequence[str]) -> list[str]:
    """Which of them name a file or folder too, that was not read."""
    own = [spec for spec in specs if spec in (HUMAN, FRESH, *names("generators")) and Path(spec).exists()]
    return [f"{spec} is what fairshot calls so: write ./{spec} for the folder or file of that name" for spec in own]


def _given(
    spec: str,
    part: Source,
    exemplars: Float[np.ndarray, "class channel height width"],
    known: list[str],
    *,
    on: str,
    count: int,
    seed: int,
) -> Labelled | np.ndarray:
    if spec == FRESH:
        return from_generated(FRESH, redraw(_world(on), part.classes, count), known)
    generator = find_generator(spec)
    return open_samples(spec) if generator is None else generator.generate(exemplars, count, seed)


def _world(on: str) -> glyphs.World:
    """The world of glyphs that a part is of."""
    name, _, settings = on.partition("/")[0].partition(":")
    if name != "glyphs":
        raise FairshotError(f"fresh drawings can be had of glyphs alone, and these are of {name}: leave out {FRESH}")
    usual = {key: found.default for key, found in inspect.signature(glyphs.load).parameters.items()}
    return glyphs.World(**usual | parse_settings(settings, dict.fromkeys(usual, int), name))
