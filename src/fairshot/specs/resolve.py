"""Names and file paths to objects: the file system is the registry, so adding a file is adding its name."""

import ast
import importlib
import importlib.util
import inspect
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import ModuleType, UnionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.user_file import load_from_file
from fairshot.sources.recipe import RAW, Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.splits.split import PARTS, Split

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier
    from fairshot.metrics.metric import Metric
    from fairshot.tasks.task import TaskDistribution

HERE = Path(__file__).parents[1]
FOLDERS: dict[str, tuple[str, ...]] = {
    kind: (kind,) for kind in ("sources", "splits", "tasks", "metrics", "checks", "studies")
}
FOLDERS["learners"] = ("learners/classifiers", "learners/clusterers")
FOLDERS["networks"] = ("learners/networks",)
FOLDERS["generators"] = ("generators",)
FOLDERS["sources"] = ("sources", "sources/glyphs")
EVERY_SOURCE = "any_source"  # the module of splits that any source has


def names(kind: str) -> dict[str, str]:
    """Every instance of a kind with the first line of what it says of itself; nothing is imported for it."""
    return {path.stem: line for path, line in _instances(kind)}


def _instances(kind: str) -> Iterator[tuple[Path, str]]:
    """An instance is a module that defines `load`, assigns `STUDY`, or derives a class with the module's own name."""
    for path in (path for folder in FOLDERS[kind] for path in sorted((HERE / folder).glob("*.py"))):
        tree = ast.parse(path.read_text())
        if any(_defines_instance(node, path.stem) for node in tree.body):
            doc = " ".join((ast.get_docstring(tree) or "").split())
            line = re.split(r"(?<=[a-z0-9)])\. (?=[A-Z`])", doc)[0].removesuffix(".")
            settings = _settings(tree, path.stem) if kind in ("learners", "generators") else ""
            presets = _presets(tree) if kind == "learners" else ""
            line += f"; settings: {settings}" if settings else ""
            yield path, line + (f"; trains: {presets}" if presets else "")


def _settings(tree: ast.Module, stem: str) -> str:
    """What can be set, with its default, as written in the class."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == _class_name(stem)]
    fields_ = [node for node in classes[0].body if isinstance(node, ast.AnnAssign) and node.value is not None]
    shown = [node for node in fields_ if "ClassVar" not in ast.unparse(node.annotation)]
    return ", ".join(
        f"{ast.unparse(node.target)}={ast.unparse(node.value).strip(chr(39))}" for node in shown if node.value
    )


def _presets(tree: ast.Module) -> str:
    """The names of the plans it can be trained by, as written in the class."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.target) == "presets"
            and isinstance(node.value, ast.Dict)
        ):
            return ", ".join(str(key.value) for key in node.value.keys if isinstance(key, ast.Constant))
    return ""


def _defines_instance(node: ast.stmt, stem: str) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name == "load"
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "STUDY" for target in node.targets)
    bases = (
        [ast.unparse(base) for base in node.bases]
        if isinstance(node, ast.ClassDef) and node.name == _class_name(stem)
        else []
    )
    return bool(bases) and "ABC" not in bases


def _class_name(stem: str) -> str:
    return "".join(word.capitalize() for word in stem.split("_"))


def find_module(kind: str, name: str) -> ModuleType:
    """The module of an instance; dashes and underscores are the same."""
    stem, known = name.replace("-", "_"), {path.stem: path for path, _ in _instances(kind)}
    if stem not in known:
        raise unknown({"studies": "study"}.get(kind, kind.removesuffix("s")), name, known)
    return importlib.import_module(".".join(("fairshot", *known[stem].relative_to(HERE).with_suffix("").parts)))


def find_class(kind: str, name: str) -> type:
    """The class of an instance."""
    return getattr(find_module(kind, name), _class_name(name.replace("-", "_")))


def parse_settings(text: str, types: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """`k=5,metric=cosine` as typed values; every unknown or ill-typed setting is named."""
    settings = {}
    for item in filter(None, text.split(",")):
        name, equals, value = item.partition("=")
        if name not in types:
            raise unknown(f"setting of {owner}", name, types)
        if not equals:
            raise FairshotError(f"the setting '{item}' of {owner} has no value: write {name}=VALUE")
        settings[name] = _convert(value, types[name], f"{name} of {owner}")
    return settings


def _parameters(function: Callable[..., Any]) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(function).items() if name != "return"}


def _convert(text: str, kind: Any, what: str) -> Any:
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise unknown(what, text, get_args(kind))
        return text
    if isinstance(kind, UnionType):  # such as a name or nothing
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        return tuple(text.split("+"))
    try:
        return {"True": True, "False": False}[text] if kind is bool else kind(text)
    except (ValueError, KeyError) as error:
        raise FairshotError(
            f"{what} is '{text}': give {'True or False' if kind is bool else f'a value of type {kind.__name__}'}"
        ) from error


def find_source(name: str, recipe: Recipe = RAW, groups: str | None = None) -> Source:
    """A whole source by name: `omniglot`, `glyphs:alphabets=50`, `folder:PATH`, `array:FILE.npz`."""
    from fairshot.sources.store import cook

    kind, _, rest = name.partition(":")
    if kind not in names("sources") and Path(name).exists():
        hint = f"folder:{name}" if Path(name).is_dir() else f"array:{name}"
        raise FairshotError(f"unknown source '{name}': did you mean {hint}?")
    load = find_module("sources", kind).load
    if groups is not None and kind != "folder":
        raise FairshotError(f"--groups is for folder:PATH, and {name} has its groups in itself")
    wanted = _parameters(load)
    # The usual filter is applied while reading, so that large photographs need not be kept; others come after.
    size = recipe.size if recipe.filter == "bilinear" and recipe.rotations == (0,) else None
    if kind == "folder":
        source = load(rest, size=size, groups=groups)
    elif kind == "array":
        source = load(rest)
    else:
        settings = parse_settings(rest, {key: hint for key, hint in wanted.items() if key != "size"}, kind)
        source = load(**settings | ({"size": size} if "size" in wanted else {}))
    if recipe.key != RAW.key and not source.has_images:
        raise FairshotError(f"the recipe {recipe.name} is for images, and {name} holds feature vectors: leave it out")
    return cook(source, recipe) if source.has_images else source


def known_splits(source: str) -> dict[str, Any]:
    """The published splits of a source, by name."""
    return dict(own_splits(source, "SPLITS", {}))


def own_splits(source: str, name: str, default: Any) -> Any:
    """What the splits of a source say under a name; the default where it has none of its own."""
    own = source.partition(":")[0]
    return getattr(find_module("splits", own), name, default) if own in names("splits") else default


def find_split(source: str, name: str, *, recipe: str | None = None, groups: str | None = None) -> Split:
    """A split of a source by name; a published one brings the recipe of its own system unless another is given."""
    name, plus, heldout = name.partition("+")
    published = known_splits(source)
    rule = name if name in published else _without_seed(name, published)
    chosen = find_recipe(recipe or (published[rule].recipe if rule else "raw"))
    seeded = importlib.import_module(f"fairshot.splits.{EVERY_SOURCE}")
    reason = own_splits(source, "NO_OTHERS", "")
    if reason and not rule:
        raise FairshotError(f"{source} has no split '{name}': {reason}; choose {', '.join(published)}")
    if not rule and seeded.NAME.fullmatch(name) is None:
        find_module("sources", source.partition(":")[0])  # one that is not there has no splits at all
        raise unknown(f"split of {source}", name, [*published, *seeded.RULES])
    whole = find_source(source, chosen, groups)
    module = find_module("splits", source.partition(":")[0]) if rule else seeded
    split: Split = module.load(name, whole)
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
) -> Source:
    """What is to be evaluated: `omniglot/lake/novel`, or a source with `split` and `part` beside it."""
    return find_part_and_split(what, split=split, part=part, recipe=recipe, groups=groups)[0]


def find_part_and_split(
    what: str, *, split: str | None, part: str | None, recipe: str | None, groups: str | None
) -> tuple[Source, Split | None]:
    """The same with the split that the part belongs to; a whole source belongs to none."""
    source = what
    if what.partition(":")[0] not in ("folder", "array"):
        source, *rest = what.split("/")
        if len(rest) > 2 or (rest and (split or part)):
            raise FairshotError(f"cannot read '{what}': write SOURCE, SOURCE/SPLIT or SOURCE/SPLIT/PART")
        split, part = [*rest, None][:2] if rest else (split, part)
    if split is None:
        if part:
            raise FairshotError(f"a part of {source} needs a split: add --split, such as --split random")
        return find_source(source, find_recipe(recipe or "raw"), groups), None
    if part is not None and part not in PARTS:
        raise unknown("part", part, PARTS)
    found = find_split(source, split, recipe=recipe, groups=groups)
    return found.part(part or "novel"), found


def find_task(name: str, settings: Mapping[str, Any]) -> "TaskDistribution":
    """A task by name with those of the settings that it has; `NAME:setting=value/setting=value` gives it more."""
    name, _, own = name.partition(":")
    kind = find_class("tasks", name)
    known = {field.name: settings[field.name] for field in fields(kind) if field.name in settings}
    return kind(**known | parse_settings(own.replace("/", ","), _parameters(kind.__init__), name))


def find_tasks(part: Source, options: Mapping[str, Any]) -> "list[TaskDistribution]":
    """Every named task with every way and shot, settled for the part."""
    fixed = {
        "query": options["query"],
        "skip_small": options["skip_small"],
        "dirichlet": options.get("dirichlet"),
        "unknown": options.get("unknown", 0),
    }
    if options["disjoint"]:
        fixed["disjoint"] = options["disjoint"]
    for name in options["task"]:
        _refuse_ignored(name.partition(":")[0], options)
    grid = itertools.product(options["task"], options["way"], options["shot"])
    tasks = [find_task(name, {**fixed, "way": way, "shot": shot}).settle(part) for name, way, shot in grid]
    return list(dict.fromkeys(tasks))


def _refuse_ignored(task: str, options: Mapping[str, Any]) -> None:
    """Raises if something was asked for that the task would pass over in silence."""
    known = {field.name for field in fields(find_class("tasks", task))}
    for name in ("disjoint", "dirichlet", "unknown", "skip_small"):
        asked = options.get(name)
        if asked and asked != "none" and name not in known:
            raise FairshotError(
                f"the task {task} knows no --{name.replace('_', '-')}: leave it out, or use --task uniform"
            )


def find_metric(name: str) -> "Metric":
    """A metric by name, with settings: `ece:bins=15`."""
    name, _, settings = name.partition(":")
    kind = find_class("metrics", name)
    return kind(**parse_settings(settings, _parameters(kind.__init__), name))


def find_learner(spec: str) -> "Classifier":
    """`NAME`, `NAME:setting=value,...`, `NAME@WEIGHTS`, a run folder, `path.py:name`, or `NAME@path.py:encoder`."""
    from fairshot.learners.foreign.encoders import Encoded
    from fairshot.learners.training.record import find_weights, is_trained

    if is_trained(spec) and Path(spec).exists():  # whatever signs are in its path
        return _trained(find_weights(spec), None)
    head, at, encoder = spec.partition("@")
    if at and ".py:" in encoder:
        target, digest = load_from_file(encoder)
        return Encoded(find_learner(head), _called(target, encoder), file=digest)
    if ".py:" in spec:
        return _adapt(*load_from_file(spec), spec)
    if at:
        return _trained(find_weights(encoder, head.partition(":")[0]), head)
    if is_trained(spec):
        return _trained(find_weights(spec), None)
    return _by_name(spec, {})


def _by_name(spec: str, known: Mapping[str, Any]) -> "Classifier":
    """A learner by name with settings, on top of those that are known."""
    name, _, settings = spec.partition(":")
    kind = find_class("learners", name)
    return kind(**{**known, **parse_settings(settings, _parameters(kind.__init__), name)})


def _trained(path: Path, spec: str | None) -> "Classifier":
    """Weights with the head they were trained with, or with the one that is asked for."""
    from fairshot.learners.fitted import load_fitted
    from fairshot.learners.networks.network import make_network
    from fairshot.learners.training.record import read_record

    record, _ = read_record(path)
    own = spec is None or spec.partition(":")[0].replace("-", "_") == record.learner
    try:
        head = _by_name(spec or record.learner, record.settings) if own else find_learner(str(spec))
        return load_fitted(path, make_network(record.plan.network, record.shape), head, own=own)
    except FairshotError:
        raise
    except Exception as error:  # a file cut short, other shapes, settings that are no more
        raise FairshotError(
            f"the weights {path} cannot be used ({type(error).__name__}): they are damaged or of another version, so "
            "train anew"
        ) from error


def _adapt(target: Any, digest: str, spec: str) -> "Classifier":
    """A learner out of whatever the user's file has under that name."""
    from torch import nn

    from fairshot.learners.foreign.code import Foreign
    from fairshot.learners.foreign.encoders import Encoded
    from fairshot.learners.foreign.estimators import Estimator, Function
    from fairshot.learners.learner import Classifier

    target = _made(target, spec)
    if isinstance(target, Classifier):
        return Foreign(target, digest)
    if isinstance(target, nn.Module):
        return Encoded(find_learner("prototypes"), target, file=digest)
    if hasattr(target, "fit") and hasattr(target, "predict"):
        return Estimator(target, file=digest)
    if callable(target):
        count = len([p for p in inspect.signature(target).parameters.values() if p.default is p.empty])
        if count == 3:
            return Function(target, name=spec, file=digest)
        if count == 1:
            return Encoded(find_learner("prototypes"), target, file=digest)
    raise FairshotError(
        f"{spec} is neither a scikit-learn estimator, nor f(support_x, support_y, query_x), nor an encoder f(images), "
        "nor a Classifier"
    )


def _called(target: Any, spec: str) -> Callable[[Any], Any]:
    made = _made(target, spec)
    if not callable(made):
        raise FairshotError(f"{spec} is not an encoder: give a function or a torch module from images to vectors")
    return made


def _made(target: Any, spec: str) -> Any:
    """What a class or a function without arguments makes; anything else is itself."""
    if not isinstance(target, type) and not (inspect.isfunction(target) and not inspect.signature(target).parameters):
        return target
    try:
        return target()
    except Exception as error:
        raise FairshotError(f"{spec} cannot be made without arguments ({type(error).__name__}: {error})") from error
