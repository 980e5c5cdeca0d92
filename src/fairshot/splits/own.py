"""Somebody's own split of a source: `FILE.json`, `FILE.csv`, or `path.py:name` in their own Python file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.grammar.data import parse_split
from fairshot.runtime.grammar.name import Code
from fairshot.runtime.user_file import as_a_guest, load_from_file, own_settings
from fairshot.sources.source import Source
from fairshot.splits.definition import HASH, define
from fairshot.splits.files import read_split
from fairshot.splits.split import PARTS, Split


@dataclass(frozen=True)
class OwnSplit:
    """A split that waits for its source."""

    load: Callable[[Source], Split]
    recipe: str = ""
    """The recipe that the source should go through, if the file names one."""
    heldout: str = ""
    """How many images, or which share, of each base class are held out; empty if none are."""


def open_own_split(spec: str) -> OwnSplit | None:
    """The split that a file holds, with `+6` behind it if images are to be held out; None if no file is named."""
    parsed = parse_split(spec)
    code, heldout = parsed.code, parsed.heldout or ""
    if parsed.is_file:
        definition = read_split(parsed.name)
        return OwnSplit(definition.split, definition.recipe, heldout)
    if code is None:
        return None
    target, _ = load_from_file(code)
    return OwnSplit(lambda source: _made(target, code, source), heldout=heldout)


def _made(target: Any, spec: Code, source: Source) -> Split:
    """What a function makes of the source with its settings, or a mapping with class lists."""
    settings = own_settings(target, spec)
    if callable(target):
        try:
            with as_a_guest():
                target = target(source, **settings)
        except FairshotError:
            raise
        except Exception as error:
            raise FairshotError(f"{spec} makes no split of {source.name} ({type(error).__name__}: {error})") from error
    name = f"{Path(spec.file).stem}.{spec.name}"
    if isinstance(target, Mapping):
        return define(target, name=name, where=str(spec)).split(source)
    if not isinstance(target, Split):
        raise FairshotError(
            f"{spec} gives {kind_of(target)} for {source.name}: return a Split, or a mapping with lists of "
            "class names under base, val and novel"
        )
    return _named(target, source, name)


def _named(split: Split, source: Source, name: str) -> Split:
    """The split with its content in its name; all its images must be of the source."""
    parts: dict[str, Source] = {part: getattr(split, part) for part in PARTS}
    if any(part.content != source.content for part in parts.values()):
        raise FairshotError(f"{name} gives parts of other data than {source.name}: select them from the source it gets")
    digest = fingerprint(*(part.image_ids for part in parts.values()))[:HASH]
    full = f"{source.name}/{name}-{digest}"
    renamed = {part: replace(source, name=f"{full}/{part}") for part, source in parts.items()}
    return Split(full, **renamed, apart=split.apart)
