"""Settings of whatever a spec names: `k=5,metric=cosine` as text, as pairs, and as values of the right types."""

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fairshot.runtime.errors import FairshotError, unknown

NOTHING = inspect.Parameter.empty
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
CONSTANTS = {"True": True, "False": False, "None": None}


@dataclass(frozen=True)
class Setting:
    """A setting as it is written, `k=5`."""

    name: str
    value: str | None = None
    """The text behind the equals sign; None where there is no such sign."""

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value}"


Settings = tuple[Setting, ...]


def split_settings(text: str, separators: str = ",") -> Settings:
    """`k=5,metric=cosine` as pairs; every sign of `separators` ends a setting, and nothing between two is nothing."""
    for separator in separators[1:]:
        text = text.replace(separator, separators[0])
    return tuple(_split_setting(item) for item in text.split(separators[0]) if item)


def _split_setting(item: str) -> Setting:
    name, equals, value = item.partition("=")
    return Setting(name, value if equals else None)


def join_settings(settings: Settings, separator: str = ",") -> str:
    """Settings as they are written."""
    return separator.join(map(str, settings))


def split_values(text: str) -> tuple[str, ...]:
    """`a+b` as the values of a setting that takes several."""
    return tuple(text.split("+"))


def parse_settings(text: str, types: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """`k=5,metric=cosine` as typed values; every unknown or ill-typed setting is named."""
    return type_settings(split_settings(text), types, owner)


def type_settings(settings: Settings, types: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """The values of settings by name, each of the type that its owner takes."""
    typed = {}
    for setting in settings:
        name = setting.name
        if name not in types:
            raise unknown(f"setting of {owner}", name, types)
        if setting.value is None:
            raise FairshotError(f"the setting '{setting}' of {owner} has no value: write {name}=VALUE")
        typed[name] = _convert(setting.value, types[name], f"{name} of {owner}")
    return typed


def parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a function or a class with their types; one without an annotation has that of its default."""
    code = function.__init__ if isinstance(function, type) else function
    try:
        hints = get_type_hints(code)
    except Exception:  # names in somebody's annotations that are not there when they are looked up
        hints = {}
    try:
        listed = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # what is written in C may not say what it takes
        return {}
    return {one.name: hints.get(one.name, _default_type(one.default)) for one in listed if one.kind not in VARIADIC}


def _default_type(default: Any) -> Any:
    """The type of a default; anything goes where that says nothing."""
    return type(default) if isinstance(default, bool | int | float | str) else Any


def _convert(text: str, kind: Any, what: str) -> Any:
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise unknown(what, text, get_args(kind))
        return text
    kinds = [kind]
    if get_origin(kind) in (Union, types.UnionType):  # such as a name or nothing
        kinds = [one for one in get_args(kind) if one is not types.NoneType]
    for one in kinds:
        try:
            return _value(text, one)
        except Exception:
            continue
    raise FairshotError(f"{what} is '{text}': give {' or '.join(_wanted(one) for one in kinds)}")


def _value(text: str, kind: Any) -> Any:
    if kind is Any:
        return _guess(text)
    if kind is bool:
        return {"True": True, "False": False}[text]
    if get_origin(kind) is tuple:
        return tuple(_value(word, get_args(kind)[0]) for word in split_values(text))
    return kind(text)


def _guess(text: str) -> Any:
    """A number, True, False or None where the text is one, else the text."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _wanted(kind: Any) -> str:
    return "True or False" if kind is bool else f"a value of type {getattr(kind, '__name__', kind)}"
