"""Words to data: sources, splits and parts by name, and anything a Python user has in hand."""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError, kind_of, unknown, unreadable
from fairshot.runtime.grammar.data import (
    FORMS,
    DataSpec,
    Files,
    SourceSpec,
    parse_data,
    parse_rule,
    parse_share,
    parse_source,
    parse_split,
    split_joined,
    split_seed,
)
from fairshot.runtime.grammar.name import Code, Name
from fairshot.runtime.grammar.settings import parameters, type_settings
from fairshot.sources.array import as_source
from fairshot.sources.own import open_own_source
from fairshot.sources.recipe import RAW, Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.sources.union import join
from fairshot.specs.registry import find_module, names
from fairshot.splits.own import open_own_split
from fairshot.splits.split import PARTS, Split
from fairshot.splits.union import join_splits

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier

EVERY_SOURCE = "any_source"  # the module of splits that any source has
RANDOM = "random"  # the split of sources that no split is named with


class NotForVectors(FairshotError):
    """A recipe for images, and data that has none."""


def find_source(name: str, recipe: Recipe = RAW, groups: str | None = None, *, skip_bad: bool = False) -> Source:
    """A whole source by name: `omniglot`, `glyphs:alphabets=50`, `folder:PATH`, `array:FILE.npz`, `path.py:name`."""
    from fairshot.sources.store import apply_recipe

    spec = parse_source(name)
    if isinstance(spec, Name):
        _refuse_path(name, spec)
    is_folder = isinstance(spec, Files) and spec.name == "folder"
    if groups is not None and not is_folder:
        raise FairshotError(f"groups is for folder:PATH, and {name} has its groups in itself")
    if skip_bad and not _holds_pictures(spec):
        raise FairshotError(f"skip_bad is for folder:PATH, and {name} is read whole or not at all")
    # The usual filter is applied while reading, so that large photographs need not be kept; others come after.
    size = recipe.size if recipe.filter == "bilinear" and recipe.rotations == (0,) else None
    reading = {"size": size, "groups": groups, "skip_bad": skip_bad}
    source = _load(spec, reading)
    _refuse_recipe(recipe, source, name)
    return apply_recipe(source, recipe) if source.has_images else source


def unknown_path(text: str) -> FairshotError:
    """The error for a path without a word that says what lies there."""
    hint = f"folder:{text}" if Path(text).is_dir() else f"array:{text}"
    return FairshotError(f"unknown source '{text}': did you mean {hint}?")


def _refuse_path(text: str, spec: Name) -> None:
    """Raises for a path without a word that says what lies there, and for a source that is not there."""
    if spec.name not in names("sources") and Path(text).exists():
        raise unknown_path(text)
    find_module("sources", spec.name)


def _load(spec: SourceSpec, reading: Mapping[str, Any]) -> Source:
    """A source as it is; `reading` says how images are read, of which each kind of source takes what it knows."""
    if isinstance(spec, Code):
        return open_own_source(spec)
    load = find_module("sources", spec.name).load
    wanted = parameters(load)
    known = {name: value for name, value in reading.items() if name in wanted}
    source: Source
    if isinstance(spec, Files):
        source = load(spec.path, **known)
    else:
        own = {name: hint for name, hint in wanted.items() if name != "size"}
        source = load(**type_settings(spec.settings, own, spec.name), **known)
    return source


def known_splits(source: str) -> dict[str, Any]:
    """The published splits of a source, by name."""
    return dict(published_fact(source, "SPLITS", {}))


def published_fact(source: str, name: str, default: Any) -> Any:
    """What the module of a source's splits holds under a name; the default where it has no such module."""
    spec = parse_source(source)
    has_splits = not isinstance(spec, Code) and spec.name in names("splits")
    return getattr(find_module("splits", spec.name), name, default) if has_splits else default


def find_split(
    source: Any, name: str = "", *, recipe: str | int | None = None, groups: str | None = None, skip_bad: bool = False
) -> Split:
    """A split by name, `omniglot/lake` or source and split apart; a published one brings the recipe of its own system
    unless another is given. Arrays and a Source are split at random, unless a rule or a file is named. Several splits,
    `a/x+b/y` or a list of them, become one.
    """
    if pieces := several(source):
        given: dict[str, Any] = {"recipe": recipe, "groups": groups, "skip_bad": skip_bad}
        return join_splits([find_split(piece, name, **given) for piece in pieces])
    if not isinstance(source, str | Path):
        return _split_in_hand(source, name or RANDOM, recipe=recipe, groups=groups, skip_bad=skip_bad)
    source = _as_words(source)
    if not name:
        source, name = source_and_split(source)
    if own := open_own_split(name):
        split = own.load(find_source(source, find_recipe(recipe or own.recipe or "raw"), groups, skip_bad=skip_bad))
        return split.hold_out(parse_share(own.heldout)) if own.heldout else split
    asked = parse_split(name)
    name = asked.name
    published = known_splits(source)
    rule = name if name in published else _without_seed(name, published)
    chosen = find_recipe(recipe or (published[rule].recipe if rule else "raw"))
    seeded = importlib.import_module(f"fairshot.splits.{EVERY_SOURCE}")
    reason = published_fact(source, "NO_OTHERS", "")
    if reason and not rule:
        raise FairshotError(f"{source} has no split '{name}': {reason}; choose {', '.join(published)}")
    spec = parse_source(source)
    if not rule and parse_rule(name) is None:
        if isinstance(spec, Name):
            find_module("sources", spec.name)  # one that is not there has no splits at all
        raise unknown(f"split of {source}", name, [*published, *seeded.RULES])
    whole = find_source(source, chosen, groups, skip_bad=skip_bad)
    module = find_module("splits", spec.name) if rule else seeded
    split = module.load(name, whole)
    return split if asked.heldout is None else split.hold_out(parse_share(asked.heldout))


def several(data: Any) -> list[Any]:
    """The data of each source, where more than one is named: `a/x+b/y`, or a list; otherwise nothing."""
    if isinstance(data, str):
        pieces = split_joined(data, names("sources"))
        return pieces if len(pieces) > 1 else []
    return list(data) if isinstance(data, list) and all(isinstance(one, str | Split | Source) for one in data) else []


def _split_in_hand(data: Any, name: str, **asked: Any) -> Split:
    """A split of arrays or of a Source, by a rule that any source has or by a file; a Split as it is."""
    if isinstance(data, Split):
        _refuse_given(data, **asked)
        return data
    source = _source_in_hand(data, **asked)
    if own := open_own_split(name):
        split = own.load(source)
        return split.hold_out(parse_share(own.heldout)) if own.heldout else split
    rule = parse_split(name)
    seeded = importlib.import_module(f"fairshot.splits.{EVERY_SOURCE}")
    if parse_rule(rule.name) is None:
        raise unknown(f"split of {source.name}", rule.name, seeded.RULES)
    split = seeded.load(rule.name, source)
    return split if rule.heldout is None else split.hold_out(parse_share(rule.heldout))


def _source_in_hand(data: Any, *, recipe: str | int | None = None, **asked: Any) -> Source:
    """Arrays or a Source, whose images are prepared by the recipe, if one was given."""
    from fairshot.sources.store import apply_recipe

    _refuse_given(data, **asked)
    source = as_source(data)
    if recipe is None:
        return source
    chosen = find_recipe(recipe)
    if source.recipe.key not in (RAW.key, chosen.key):
        raise FairshotError(
            f"{source.name} was prepared by the recipe {source.recipe.name}, and cannot be by {chosen.name} too: leave "
            "out the recipe"
        )
    _refuse_recipe(chosen, source, source.name)
    return apply_recipe(source, chosen) if source.has_images and source.recipe.key != chosen.key else source


def _refuse_given(data: Any, **asked: Any) -> None:
    """Raises where something was asked for that only data given by name can have."""
    for name, value in asked.items():
        if value is not None and value is not False:
            raise FairshotError(f"{name} is for data given by name, and this is {kind_of(data)}: leave it out")


def _refuse_recipe(recipe: Recipe, source: Source, name: str) -> None:
    if recipe.key != RAW.key and not source.has_images:
        raise NotForVectors(f"the recipe {recipe.name} is for images, and {name} holds feature vectors: leave it out")


def _as_words(data: str | Path) -> str:
    """A path as the spec that names it."""
    if isinstance(data, str):
        return data
    return f"folder:{data}" if data.is_dir() else f"array:{data}"


def _without_seed(name: str, published: Mapping[str, Any]) -> str:
    """The published split that takes seeds, where the name is such a split's with `-SEED`; else nothing."""
    rule, seed = split_seed(name)
    return rule if seed is not None and rule in published and getattr(published[rule], "seeded", False) else ""


def source_and_split(what: str) -> tuple[str, str]:
    """`SOURCE/SPLIT` taken apart, where a split may be a file; data of somebody's own is split at random."""
    data = read_data(what)
    if data.stands_alone:
        return what, RANDOM
    if not data.split or data.part is not None:
        raise FairshotError(f"'{what}' names no split: write SOURCE/SPLIT, such as omniglot/lake, or folder:PATH")
    return str(data.source), data.split


def read_data(what: str) -> DataSpec:
    """A source with the split and the part that stand behind its name."""
    try:
        return parse_data(what, names("sources"))
    except FairshotError:
        if Path(what).exists():
            raise unknown_path(what) from None
        raise


def find_part(
    what: Any,
    *,
    split: str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
) -> Source:
    """What is to be evaluated: `omniglot/lake/novel`, or a source with `split` and `part` beside it; arrays too."""
    return as_part(what, split=split, part=part, recipe=recipe, groups=groups, skip_bad=skip_bad)[0]


def find_part_and_split(
    what: str,
    *,
    split: str | None,
    part: str | None,
    recipe: str | int | None,
    groups: str | None,
    skip_bad: bool = False,
) -> tuple[Source, Split | None]:
    """The same with the split that the part belongs to; a whole source belongs to none."""
    data = read_data(what)
    source = str(data.source)
    if data.split is not None:
        if split or part:
            raise unreadable(what, *FORMS)
        split, part = data.split, data.part
    if split is None:
        if part:
            raise FairshotError(f"a part of {source} needs a split: add one, such as random")
        return find_source(source, find_recipe(recipe or "raw"), groups, skip_bad=skip_bad), None
    if part is not None and part not in PARTS:
        raise unknown("part", part, PARTS)
    found = find_split(source, split, recipe=recipe, groups=groups, skip_bad=skip_bad)
    return found.part(part or "novel"), found


def as_part(
    data: Any,
    *,
    split: str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
    learners: Sequence["Classifier"] = (),
) -> tuple[Source, Split | None]:
    """Whatever stands for data, as a part and the split it belongs to: a Source, a Split, arrays (X, y), or a spec.

    Without a recipe, images get the one that the trained learners among `learners` are used to. Several, `a/x+b/y` or a
    list, are joined.
    """
    asked: dict[str, Any] = {"split": split, "part": part, "groups": groups, "skip_bad": skip_bad}
    if pieces := several(data):
        return join([as_part(piece, **asked, recipe=recipe, learners=learners)[0] for piece in pieces]), None
    if isinstance(data, str | Path):
        data = _as_words(data)
        try:
            return find_part_and_split(data, **asked, recipe=recipe or trained_recipe(learners, data))
        except NotForVectors:
            if recipe:
                raise
            return find_part_and_split(data, **asked, recipe=None)  # the learner itself says what it was trained on
    given: dict[str, Any] = {"groups": groups, "skip_bad": skip_bad}
    if isinstance(data, Split):
        _refuse_given(data, split=split, recipe=recipe, **given)
    if part is not None and part not in PARTS:
        raise unknown("part", part, PARTS)
    if part is not None and split is None and not isinstance(data, Split):
        raise FairshotError(f"a part of {kind_of(data)} needs a split: add one, such as split='random'")
    if not isinstance(data, Split):
        _refuse_given(data, **given)
        data = as_source(data)
        untouched = data.has_images and data.recipe.key == RAW.key and len(data) == len(data.store)
        recipe = trained_recipe(learners) if recipe is None and untouched else recipe
    if isinstance(data, Split) or split is not None:
        found = _split_in_hand(data, split or "", recipe=recipe, **given)
        return found.part(part or "novel"), found
    return _source_in_hand(data, recipe=recipe, **given), None


def trained_recipe(learners: Sequence["Classifier"], what: str | None = None) -> str | None:
    """The recipe that trained learners are used to, if they agree; with rotations only where the split has them.

    Photographs of a folder are read at the size that encoders want, the largest where there are several.
    """
    from fairshot.learners.fitted import trained_learner

    recipes = {fitted.record.recipe for learner in learners if (fitted := trained_learner(learner))}
    if not recipes and what is not None and _holds_pictures(read_data(what).source):
        sizes = [one.encoder.pixels for one in learners if one.encoder is not None and one.encoder.pixels]
        return str(max(sizes)) if sizes else None
    if len(recipes) != 1:
        return None
    recipe, split = recipes.pop(), None
    if what is not None:
        data = read_data(what)
        split = known_splits(str(data.source)).get(parse_split(data.split or "").name)
    return recipe if split and split.recipe == recipe else {"centroid": "centroid-upright"}.get(recipe, recipe)


def _holds_pictures(spec: SourceSpec) -> bool:
    """Whether data of somebody's own are pictures, of any size."""
    return isinstance(spec, Files) and spec.name in ("folder", "table")
