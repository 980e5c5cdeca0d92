"""Sets of samples, whatever they are given as: files, arrays, a generator or function, a yardstick, or fresh glyphs."""

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from fairshot.generators.generator import ForeignGenerator, Generator
from fairshot.learners.seen import refuse_seen
from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.runtime.grammar.name import Name, is_own_code, parse_code, split_label
from fairshot.runtime.grammar.settings import type_settings
from fairshot.runtime.user_file import load_from_file, make_own
from fairshot.scoring.sample_scores import HUMAN
from fairshot.sources.array import from_arrays
from fairshot.sources.glyphs import glyphs
from fairshot.sources.glyphs.fresh import redraw
from fairshot.sources.images.pictures import Labelled, open_support
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK
from fairshot.sources.images.sample_files import USUAL, Ink, Samples, from_generated, open_samples, read_samples
from fairshot.sources.recipe import Recipe
from fairshot.sources.source import Source
from fairshot.specs.data import read_data
from fairshot.specs.generators import find_named_generator
from fairshot.specs.registry import names

FRESH = "fresh"


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """What is asked of every set: images of the classes of a part, after exemplars, made alike by a recipe."""

    part: Source
    exemplars: Float[np.ndarray, "class channel height width"]
    recipe: Recipe
    on: str
    """How the part was named; fresh glyphs are drawn by its settings."""
    count: int = USUAL
    ink: Ink = "auto"
    seed: int = 0
    allow_seen: bool = False
    """Whether generators may draw classes that they were trained on."""

    @property
    def class_names(self) -> list[str]:
        """The classes that samples may be of."""
        return [self.part.class_names[c] for c in self.part.classes]

    @property
    def exemplar_ink(self) -> int:
        """How exemplars look: with light ink, where the recipe inverts."""
        return LIGHT_ON_DARK if self.recipe.invert or self.recipe.binarise else DARK_ON_LIGHT


def name_sets(samples: Any) -> dict[str, Any]:
    """Sets by name: a mapping as it is; one or several specs under their text or label, objects under their names."""
    if isinstance(samples, Mapping):
        named = [(str(name), given) for name, given in samples.items()]
    else:
        listed = list(samples) if isinstance(samples, list) or _is_tuple_of_sets(samples) else [samples]
        named = [_name(given) for given in listed]
    if not named:
        raise FairshotError("no samples were given: name at least one set, such as 'copy'")
    found: dict[str, Any] = {}
    for name, given in named:
        if isinstance(given, str) and given == HUMAN:
            name = HUMAN
        elif name == HUMAN:
            raise FairshotError(f"'{HUMAN}' is what the drawings of people are called: give the samples another name")
        if name in found and not (isinstance(given, str) and found[name] == given):
            raise FairshotError(f"two sets of samples are called {name}: give them names of their own, as a dictionary")
        found[name] = given
    return found


def _is_tuple_of_sets(samples: Any) -> bool:
    """Whether a tuple holds sets, and not the images and labels of one."""
    return isinstance(samples, tuple) and not any(hasattr(given, "__array__") for given in samples)


def _name(given: Any) -> tuple[str, Any]:
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    if isinstance(given, str):
        return (given, given) if os.path.exists(given) else split_label(given)
    if hasattr(given, "__array__") or isinstance(given, tuple):
        return "samples", given
    return getattr(given, "__name__", None) or getattr(given, "name", None) or type(given).__name__, given


def draw_samples(given: Any, request: Request, *, name: str = "") -> Samples:
    """The samples of one set, made like the images of the part; generators are shown its exemplars."""
    if request.count < 1:
        raise FairshotError(f"cannot draw {request.count} images of each class: say count={USUAL}, or 1 at least")
    name = name or _name(given)[0]
    if isinstance(given, str) and given == FRESH:
        drawn = redraw(_world(request.on), request.part.classes, request.count)
        return _read(from_generated(name, drawn, request.class_names), request, ink="dark")
    generator = as_generator(given, name)
    seen = refuse_seen(name, getattr(generator, "seen", None), request.part, allow=request.allow_seen)
    if generator is None and not _is_array(given):
        return _read(_open(given, name), request, ink=request.ink)
    images = (
        _as_array(given) if generator is None else generator.generate(request.exemplars, request.count, request.seed)
    )
    labelled = from_generated(name, images, request.class_names)
    # What is said of somebody's ink says nothing of a yardstick's, which is known.
    is_known = generator is not None and not isinstance(generator, ForeignGenerator)
    known: Ink = "light" if request.exemplar_ink == LIGHT_ON_DARK else "dark"
    # A generator draws like the exemplars it is shown.
    samples = _read(labelled, request, ink=known if is_known else request.ink, drawn=request.exemplar_ink)
    if generator is not None and images.shape[1] != request.count:
        seen = [*seen, f"{name} gave {images.shape[1]} images per class, and was asked for {request.count}"]
    return replace(samples, notes=(*seen, *samples.notes))


def _read(labelled: Labelled, request: Request, *, ink: Ink, drawn: int = 0) -> Samples:
    channels = request.exemplars.shape[1]
    return read_samples(labelled, request.class_names, request.recipe, channels=channels, ink=ink, drawn=drawn)


def as_generator(given: Any, name: str) -> Generator | None:
    """A generator by its spec, as an object or as a function `generate(exemplars, count, seed)`; None if it is none."""
    if isinstance(given, str):
        return find_generator(given, name)
    if isinstance(given, Generator) and type(given).__module__.startswith("fairshot.generators."):
        return given
    if isinstance(given, type) or callable(given) or hasattr(given, "generate"):
        return _foreign(given, name)
    return None


def find_generator(spec: str, name: str = "") -> Generator | None:
    """`NAME`, `NAME:setting=value`, a run's folder or `path.py:name`; None if it is something else."""
    if is_own_code(spec):
        code = parse_code(spec)
        return _foreign(make_own(load_from_file(code)[0], code), name or spec)
    return find_named_generator(spec)


def _foreign(target: Any, name: str) -> Generator:
    target = make_own(target, name) if isinstance(target, type) else target
    function = getattr(target, "generate", target)
    if not callable(function):
        raise FairshotError(
            f"{name} is no generator: give a function generate(exemplars, count, seed), or an object with such a method"
        )
    return ForeignGenerator(function, name)


def _is_array(given: Any) -> bool:
    return hasattr(given, "__array__") and not isinstance(given, str)


def _as_array(given: Any) -> np.ndarray:
    return np.asarray(given.detach().cpu() if hasattr(given, "detach") else given)


def _open(given: Any, name: str) -> Labelled:
    """Files, images with labels, or a source."""
    if isinstance(given, str | os.PathLike):
        return replace(open_samples(os.fspath(given)), name=name)
    if isinstance(given, tuple) and len(given) == 2:
        given = from_arrays(*map(_as_array, given))
    if not isinstance(given, Source):
        raise FairshotError(
            f"the samples of {name} are {kind_of(given)}: give a folder, an .npz file, an array (class, "
            "sample, height, width), arrays (images, labels), a generator or a function generate(exemplars, count, "
            "seed)"
        )
    return replace(open_support(given), name=name)


def shadowed(specs: Sequence[Any]) -> list[str]:
    """Notes on names that are those of a file or folder too, which was not read."""
    own = [spec for spec in specs if isinstance(spec, str) and spec in (HUMAN, FRESH, *names("generators"))]
    return [
        f"{spec} is what fairshot calls so: write ./{spec} for the folder or file of that name"
        for spec in own
        if Path(spec).exists()
    ]


def _world(on: str) -> glyphs.World:
    """The world of glyphs that a part is of."""
    spec = read_data(on).source
    if not isinstance(spec, Name) or spec.name != "glyphs":
        raise FairshotError(
            f"fresh drawings can be had of glyphs alone, and these are of {spec.name}: leave out {FRESH}"
        )
    defaults = {key: found.default for key, found in inspect.signature(glyphs.load).parameters.items()}
    return glyphs.World(**defaults | type_settings(spec.settings, dict.fromkeys(defaults, int), spec.name))
