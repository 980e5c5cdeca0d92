"""Arguments: what a person gave is held against the type that a signature promises, before anything is done with it."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from fairshot.runtime.errors import FairshotError, alternatives, shown

Parameters = ParamSpec("Parameters")
Given = TypeVar("Given")

WORDS = {
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    str: "text",
    Path: "a path",
    Sequence: "a list",
    Mapping: "a mapping",
    Callable: "a function",
    NoneType: "None",
}


def checked(function: Callable[Parameters, Given]) -> Callable[Parameters, Given]:
    """The same function, which refuses arguments of a wrong type in one line; numbers of NumPy become Python's own."""
    signature = inspect.signature(function)
    several = {name for name, one in signature.parameters.items() if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}

    @wraps(function)
    def call(*given: Parameters.args, **named: Parameters.kwargs) -> Given:
        try:
            bound = signature.bind(*given, **named)
        except TypeError:  # too many, too few or unknown: Python says it best
            return function(*given, **named)
        types = _types(function)
        for name, value in bound.arguments.items():
            if name in types and name not in several:
                bound.arguments[name] = fit(name, value, types[name])
        return function(*bound.args, **bound.kwargs)

    return call


def check_fields(made: Any) -> None:
    """Refuses an object of a frozen dataclass with a field of a wrong type; numbers of NumPy become Python's own."""
    types = _types(made.__class__)
    for field in fields(made):
        if field.name in types:
            object.__setattr__(made, field.name, fit(field.name, getattr(made, field.name), types[field.name]))


def fit(name: str, value: Any, kind: Any) -> Any:
    """The value, if it is of the kind that is wanted under that name."""
    kinds = get_args(kind) if isinstance(kind, UnionType) or get_origin(kind) is Union else (kind,)
    if Path in kinds and isinstance(value, str) and not value:
        raise FairshotError(f"{name} is empty: give {_describe(kinds)}")
    for one in kinds:
        found = _as_kind(value, one)
        if found is not _MISFIT:
            return found
    raise FairshotError(f"{name} is {shown(value)}: give {_describe(kinds)}")


_MISFIT = object()


@cache
def _types(target: Any) -> dict[str, Any]:
    """The types that a signature or a dataclass promises; none where it names some that are not there to be asked."""
    try:
        return get_type_hints(target)
    except (NameError, TypeError):
        return {}


def _as_kind(value: Any, kind: Any) -> Any:
    """The value as something of one kind; what can only be judged later is taken as it is."""
    plain = get_origin(kind) or kind
    if plain is Literal:
        return value if any(value is word or value == word for word in get_args(kind)) else _MISFIT
    if plain is bool:
        return bool(value) if type(value).__name__ in ("bool", "bool_") else _MISFIT
    if plain is int:
        return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else _MISFIT
    if plain is float:
        return _as_number(value)
    if plain is Path:
        return value if isinstance(value, os.PathLike) else _MISFIT
    if plain is Sequence:
        return _as_list(value, *get_args(kind))
    if plain is Callable or plain is get_origin(Callable[[], None]):
        return value if callable(value) else _MISFIT
    if plain is Any or not isinstance(plain, type) or hasattr(plain, "dims"):  # a variable, an array with a shape
        return value
    return value if isinstance(value, plain) else _MISFIT


def _as_number(value: Any) -> Any:
    if not isinstance(value, Real) or isinstance(value, bool):
        return _MISFIT
    return value if isinstance(value, int | float) else float(value)


def _as_list(value: Any, kind: Any = Any) -> Any:
    """A list or an array whose members are of a kind; text is none."""
    members = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(members, str) or not isinstance(members, Sequence):
        return _MISFIT
    fitting = [_as_kind(member, kind) for member in members]
    if any(member is _MISFIT for member in fitting):
        return _MISFIT
    return type(members)(fitting) if isinstance(members, list | tuple) else fitting


def _describe(kinds: Sequence[Any]) -> str:
    """What may be given, in words."""
    known: list[str] = []
    for kind in kinds:
        if kind is str and Path in kinds:
            continue
        plain = get_origin(kind) or kind
        if plain is Literal:
            known += [repr(word) for word in get_args(kind)]
        elif plain is Sequence and get_args(kind) == (int,):
            known.append("a list of whole numbers")
        else:
            known.append(WORDS.get(plain) or shown(kind))
    return alternatives(known)
