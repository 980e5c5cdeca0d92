"""The registry is the file system: an instance is found by the name of its file, in this package or in a plugin.

A plugin is a package with the same folders (`metrics/mine.py`, `studies/mine.py`). It is named by an entry point of the
group `fairshot.plugins`, or by its folder in `FAIRSHOT_PLUGINS`. Its modules are imported only when asked for by name.
"""

import ast
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.grammar.name import Name, is_own_code, parse_spec

PACKAGE = Path(__file__).parents[1]
PLUGINS = "FAIRSHOT_PLUGINS"
FOLDERS: dict[str, tuple[str, ...]] = {
    "sources": ("sources", "sources/glyphs"),
    "splits": ("splits",),
    "tasks": ("tasks",),
    "learners": ("learners/classifiers", "learners/clusterers"),
    "encoders": ("learners/encoders",),
    "networks": ("learners/networks",),
    "generators": ("generators",),
    "metrics": ("metrics",),
    "measures": ("scoring/measures",),
    "checks": ("checks",),
    "sampler_checks": ("checks/samplers",),
    "studies": ("studies",),
    "sections": ("reports/pages",),
}
SINGULAR = {"studies": "study"}


def names(kind: str) -> dict[str, str]:
    """Every instance of a kind with the first line of its docstring; nothing is imported for it."""
    return {path.stem: line for path, line in instances(kind)}


def find_name(kind: str, spec: str) -> Name | None:
    """The name and the settings of an instance, where a spec begins with its name; None for everything else."""
    parsed = None if is_own_code(spec) else parse_spec(spec)
    return parsed if isinstance(parsed, Name) and parsed.stem in names(kind) else None


def find_module(kind: str, name: str) -> ModuleType:
    """The module of an instance; dashes and underscores are the same."""
    stem = name.replace("-", "_")
    known = {path.stem: path for path, _ in instances(kind)}
    if stem not in known:
        raise unknown(SINGULAR.get(kind, kind.removesuffix("s")), name, known)
    return _import(known[stem])


def find_class(kind: str, name: str) -> type:
    """The class of an instance, which has the name of its file."""
    return getattr(find_module(kind, name), class_name(name.replace("-", "_")))


def class_name(stem: str) -> str:
    """The class that a file holds: `within_parent` holds `WithinParent`."""
    return "".join(word.capitalize() for word in stem.split("_"))


def instances(kind: str) -> Iterator[tuple[Path, str]]:
    """The file of every instance of a kind, and what it says of itself in a line."""
    for root in (PACKAGE, *plugin_folders()):
        for folder in FOLDERS[kind]:
            for path in sorted((root / folder).glob("*.py")):
                line = _description(path, kind, path.stat().st_mtime_ns)
                if line is not None:
                    yield path, line


def plugin_folders() -> list[Path]:
    """The folders of all plugins; one that is not there is an error."""
    listed = [Path(name) for name in os.environ.get(PLUGINS, "").split(os.pathsep) if name]
    for folder in listed:
        if not folder.is_dir():
            raise FairshotError(f"{PLUGINS} lists {folder}, which is no folder: correct it or leave it out")
    return [*listed, *_entry_points()]


@cache
def _entry_points() -> tuple[Path, ...]:
    from importlib.metadata import entry_points

    specs = [importlib.util.find_spec(entry.value) for entry in entry_points(group="fairshot.plugins")]
    return tuple(Path(spec.origin).parent for spec in specs if spec is not None and spec.origin is not None)


def _import(path: Path) -> ModuleType:
    if path.is_relative_to(PACKAGE):
        return importlib.import_module(".".join(("fairshot", *path.relative_to(PACKAGE).with_suffix("").parts)))
    return _import_plugin(path, path.stat().st_mtime_ns)


@cache
def _import_plugin(path: Path, modified: int) -> ModuleType:
    """The module of a plugin, under a name that no other file has; other processes get its classes by value."""
    from cloudpickle import register_pickle_by_value

    name = f"fairshot_plugin_{path.stem}_{abs(hash((path, modified)))}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            raise FairshotError(f"the plugin {path} cannot be imported ({type(error).__name__}: {error})") from error
        register_pickle_by_value(module)
    return sys.modules[name]


@cache
def _description(path: Path, kind: str, modified: int) -> str | None:
    """The first sentence of the docstring with settings and presets; None for a file that holds no instance."""
    tree = ast.parse(path.read_text())
    if not any(_defines_instance(node, path.stem) for node in tree.body):
        return None
    doc = " ".join((ast.get_docstring(tree) or "").split())
    line = re.split(r"(?<=[a-z0-9)])\. (?=[A-Z`])", doc)[0].removesuffix(".")
    settings = _settings(tree, path.stem) if kind in ("learners", "generators") else ""
    presets = _presets(tree) if kind in ("learners", "generators") else ""
    line += f"; settings: {settings}" if settings else ""
    return line + (f"; trains: {presets}" if presets else "")


def _settings(tree: ast.Module, stem: str) -> str:
    """What can be set, with its default, as written in the class and in what it derives from."""
    shown = [node for node in _fields(tree, class_name(stem)) if "ClassVar" not in ast.unparse(node.annotation)]
    defaults = {ast.unparse(node.target): ast.unparse(node.value).strip("'") for node in shown if node.value}
    return ", ".join(f"{name}={value}" for name, value in defaults.items())


def _fields(tree: ast.Module, name: str) -> list[ast.AnnAssign]:
    """The annotated names of a class, those of classes of this package that it derives from first."""
    found: list[ast.AnnAssign] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            for base in node.bases:
                found += _imported_fields(tree, ast.unparse(base))
            found += [field for field in node.body if isinstance(field, ast.AnnAssign)]
    return found


def _imported_fields(tree: ast.Module, name: str) -> list[ast.AnnAssign]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fairshot."):
            file = PACKAGE.joinpath(*str(node.module).split(".")[1:]).with_suffix(".py")
            if any(alias.name == name for alias in node.names) and file.exists():
                return _fields(ast.parse(file.read_text()), name)
    return []


def _presets(tree: ast.Module) -> str:
    """The names of the plans that a class can be trained by, as written in it."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.target) == "presets"
            and isinstance(node.value, ast.Dict)
        ):
            return ", ".join(str(key.value) for key in node.value.keys if isinstance(key, ast.Constant))
    return ""


def _defines_instance(node: ast.stmt, stem: str) -> bool:
    """An instance defines `load`, assigns `STUDY`, or derives a class with the name of its file."""
    if isinstance(node, ast.FunctionDef):
        return node.name == "load"
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "STUDY" for target in node.targets)
    if not isinstance(node, ast.ClassDef) or node.name != class_name(stem):
        return False
    bases = [ast.unparse(base) for base in node.bases]
    return bool(bases) and "ABC" not in bases
