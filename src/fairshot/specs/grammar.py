"""The grammar of specs: `NAME`, `NAME:setting=value,setting=value`, `HEAD@BEHIND`, `path.py:name`, `Label=SPEC`.

Every string that names something is taken apart here and nowhere else.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from fairshot.runtime.errors import FairshotError, unknown

OWN_CODE = re.compile(r"(.*?\.py:[^@]+)(?:@(.*))?", re.DOTALL)
LABEL = re.compile(r"([^:@/\\=]*[^:@/\\=\s])\s*=\s*(.+)", re.DOTALL)


@dataclass(frozen=True)
class Spec:
    """A name with its settings, and what stands behind it."""

    name: str
    settings: str = ""
    behind: str = ""
    """What follows an `@`: weights, a folder of a run, or an encoder out of a file."""


def parse_spec(text: str) -> Spec:
    """`HEAD:settings@BEHIND` taken apart; only the first `@` separates."""
    head, _, behind = text.partition("@")
    name, _, settings = head.partition(":")
    return Spec(name, settings, behind)


def split_label(text: str) -> tuple[str, str]:
    """`Ours=mine.py:pipe` as label and spec; without a label the spec is its own."""
    match = LABEL.fullmatch(text)
    return (match[1].strip(), match[2]) if match else (text, text)


def split_code(text: str) -> tuple[str, str]:
    """`mine.py:Net@runs/x` as somebody's own code and what stands behind it; without code all stands behind."""
    match = OWN_CODE.fullmatch(text)
    return (match[1], match[2] or "") if match else ("", text)


def is_own_code(text: str) -> bool:
    """Whether a spec names something in a Python file."""
    return ".py:" in text


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


def parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a function with their types."""
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
        expected = "True or False" if kind is bool else f"a value of type {kind.__name__}"
        raise FairshotError(f"{what} is '{text}': give {expected}") from error
