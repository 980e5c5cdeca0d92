"""Words to data: sources, splits and parts by name, and anything a Python user has in hand."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.sources.array import as_source
from fairshot.sources.own import is_own_source, open_own_source
from fairshot.sources.recipe import RAW, Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.specs.grammar import parameters, parse_settings
from fairshot.specs.registry import find_module, names
from fairshot.splits.own import open_own_split
from fairshot.splits.split import PARTS, Split

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier

EVERY_SOURCE = "any_source"  # the module of splits that any source has
WHOLE = ("folder", "array")  # sources whose names hold slashes


def find_source(name: str, recipe: Recipe = RAW, groups: str | None = None, *, skip_bad: bool = False) -> Source:
    """A whole source by name: `omniglot`, `glyphs:alphabets=50`, `folder:PATH`, `array:FILE.npz`, `path.py:name`."""
    from fairshot.sources.store import cook

    kind, _, rest = name.partition(":")
    if kind not in names("sources") and not is_own_source(name) and Path(name).exists():
        hint = f"folder:{name}" if Path(name).is_dir() else f"array:{name}"
        raise FairshotError(f"unknown source '{name}': did you mean {hint}?")
    load: Callable[..., Source] = open_own_source if is_own_source(name) else find_module("sources", kind).load
    if groups is not None and kind != "folder":
        raise FairshotError(f"--groups is for folder:PATH, and {name} has its groups in itself")
    if skip_bad and kind != "folder":
        raise FairshotError(f"--skip-bad is for folder:PATH, and {name} is read whole or not at all")
    wanted = parameters(load)
    # The usual filter is applied while reading, so that large photographs need not be kept; others come after.
    size = recipe.size if recipe.filter == "bilinear" and recipe.rotations == (0,) else None
    if kind == "folder":
        source = load(rest, size=size, groups=groups, skip_bad=skip_bad)
    elif kind == "array" or is_own_source(name):
        source = load(rest if kind == "array" else name)
    else:
        settings = parse_settings(rest, {key: hint for key, hint in wanted.items() if key != "size"}, kind)
        source = load(**settings | ({"size": size} if "size" in wanted else {}))
    if recipe.key != RAW.key and not source.has_images:
        raise FairshotError(f"the recipe {recipe.name} is for images, and {name} holds feature vectors: leave it out")
    return cook(source, recipe) if source.has_images else source


def known_splits(source: str) -> dict[str, Any]:
    """The published splits of a source, by name."""
    return dict(published_fact(source, "SPLITS", {}))


def published_fact(source: str, name: str, default: Any) -> Any:
    """What the module of a source's splits holds under a name; the default where it has no such module."""
    own = source.partition(":")[0]
    return getattr(find_module("splits", own), name, default) if own in names("splits") else default


def find_split(
    source: str, name: str = "", *, recipe: str | None = None, groups: str | None = None, skip_bad: bool = False
) -> Split:
    """A split by name, `omniglot/lake` or source and split apart; a published one brings the recipe of its own system
    unless another is given.
    """
    if not name:
        source, _, name = source.rpartition("/") if source.partition(":")[0] not in WHOLE else (source, "", "random")
    if own := open_own_split(name):
        split = own.load(find_source(source, find_recipe(recipe or own.recipe or "raw"), groups, skip_bad=skip_bad))
        return split.hold_out(_share(own.heldout)) if own.heldout else split
    name, plus, heldout = name.partition("+")
    published = known_splits(source)
    rule = name if name in published else _without_seed(name, published)
    chosen = find_recipe(recipe or (published[rule].recipe if rule else "raw"))
    seeded = importlib.import_module(f"fairshot.splits.{EVERY_SOURCE}")
    reason = published_fact(source, "NO_OTHERS", "")
    if reason and not rule:
        raise FairshotError(f"{source} has no split '{name}': {reason}; choose {', '.join(published)}")
    if not rule and seeded.NAME.fullmatch(name) is None:
        find_module("sources", source.partition(":")[0])  # one that is not there has no splits at all
        raise unknown(f"split of {source}", name, [*published, *seeded.RULES])
    whole = find_source(source, chosen, groups, skip_bad=skip_bad)
    module = find_module("splits", source.partition(":")[0]) if rule else seeded
    split = module.load(name, whole)
    return split.hold_out(_share(heldout)) if plus else split


def _without_seed(name: str, published: Mapping[str, Any]) -> str:
    """The published split that takes seeds, where the name is such a split's with `-SEED`; else nothing."""
    rule, _, seed = name.rpartition("-")
    return rule if seed.isdecimal() and rule in published and getattr(published[rule], "seeded", False) else ""


def _share(text: str) -> int | float:
    """A number of images, or a share of each class."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError as error:
        raise FairshotError(f"'+{text}' holds out nothing: write +6 (images) or +0.2 (share of each class)") from error


def find_part(
    what: str,
    *,
    split: str | None = None,
    part: str | None = None,
    recipe: str | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
) -> Source:
    """What is to be evaluated: `omniglot/lake/novel`, or a source with `split` and `part` beside it."""
    return find_part_and_split(what, split=split, part=part, recipe=recipe, groups=groups, skip_bad=skip_bad)[0]


def find_part_and_split(
    what: str,
    *,
    split: str | None,
    part: str | None,
    recipe: str | None,
    groups: str | None,
    skip_bad: bool = False,
) -> tuple[Source, Split | None]:
    """The same with the split that the part belongs to; a whole source belongs to none."""
    source = what
    if what.partition(":")[0] not in WHOLE and not is_own_source(what):
        source, *rest = what.split("/")
        if len(rest) > 2 or (rest and (split or part)):
            raise FairshotError(f"cannot read '{what}': write SOURCE, SOURCE/SPLIT or SOURCE/SPLIT/PART")
        split, part = [*rest, None][:2] if rest else (split, part)
    if split is None:
        if part:
            raise FairshotError(f"a part of {source} needs a split: add --split, such as --split random")
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
    recipe: str | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
    learners: Sequence["Classifier"] = (),
) -> tuple[Source, Split | None]:
    """Whatever stands for data, as a part and the split it belongs to: a Source, a Split, arrays (X, y), or a spec.

    Without a recipe, images get the one that the trained learners among `learners` are used to.
    """
    if isinstance(data, Path):
        data = f"folder:{data}" if data.is_dir() else f"array:{data}"
    if isinstance(data, str):
        recipe = recipe or trained_recipe(learners, data)
        return find_part_and_split(data, split=split, part=part, recipe=recipe, groups=groups, skip_bad=skip_bad)
    asked = {"split": split, "recipe": recipe, "groups": groups, "skip_bad": skip_bad or None}
    for name, value in asked.items():
        if value is not None:
            raise FairshotError(f"{name} is for data given by name, and this is a {type(data).__name__}: leave it out")
    if isinstance(data, Split):
        return data.part(part or "novel"), data
    if part is not None:
        raise FairshotError(f"a part needs a split, and this is a {type(data).__name__}: give split.{part} itself")
    return as_source(data), None


def trained_recipe(learners: Sequence["Classifier"], what: str) -> str | None:
    """The recipe that trained learners are used to, if they agree; with rotations only where the split has them."""
    from fairshot.learners.fitted import trained_learner

    recipes = {fitted.record.recipe for learner in learners if (fitted := trained_learner(learner))}
    if len(recipes) != 1:
        return None
    source, _, rest = what.partition("/")
    split = None if ":" in source else known_splits(source).get(rest.partition("/")[0])
    recipe = recipes.pop()
    return recipe if split and split.recipe == recipe else {"centroid": "centroid-upright"}.get(recipe, recipe)
