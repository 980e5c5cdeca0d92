"""Which column of a table is what: labels, parents, groups, attributes, and features that are all the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np
from jaxtyping import Shaped

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.grammar.settings import Setting, split_values

FRAME = "the data frame"  # what errors call one that is in memory
LABELS = ("label", "class", "y")
PER_ROW = {"label": "y", "parent": "parents", "group": "groups"}
"""The settings that name one column each, with the array that the column becomes."""
ATTRIBUTE = "attribute."  # begins the name of an attribute: attribute.writer, attribute.material.suede
LEAST_NUMBERED = 10  # rows: fewer may be numbered by chance
SPLIT = "split"  # the column that says which rows are for training and which for testing
SETTINGS = (*PER_ROW, "features", "ignore")


@dataclass(frozen=True)
class Columns:
    """The columns of a table by what they hold."""

    words: Mapping[str, str]
    """For each array that is no feature (y, parents, groups, attribute.NAME) its column."""
    features: tuple[str, ...]
    """What may be a feature, in order: columns of text among them are left out unless they were asked for."""
    chosen: bool = False
    """Whether the features were named, so that all of them must be numbers."""


@dataclass(frozen=True)
class Settings:
    """What a person said about the columns: `label=species,ignore=id+date`."""

    single: Mapping[str, str] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def column_settings(settings: Sequence[Setting]) -> Settings:
    """`label=COLUMN,parent=COLUMN,group=COLUMN,features=A+B,ignore=C+D`, in any order; f* stands for many columns."""
    said: dict[str, str] = {}
    for setting in settings:
        name = setting.name
        if name not in SETTINGS:
            raise unknown("setting of a table", name, SETTINGS)
        if not setting.value:
            raise FairshotError(f"the setting '{setting}' of a table names no column: write {name}=COLUMN")
        said[name] = setting.value
    single = {name: said[name] for name in PER_ROW if name in said}
    features, ignore = (split_values(said[name]) if name in said else () for name in SETTINGS[-2:])
    return Settings(single, features, ignore)


def choose_columns(names: Sequence[str], settings: Settings, where: str, *, labelled: bool = True) -> Columns:
    """The columns of a table with these names; a label is needed unless what is read is to be labelled."""
    double = [name for number, name in enumerate(names) if name in names[:number]]
    if double:
        raise FairshotError(f"{where} has two columns '{double[0]}': give each column a name of its own")
    words = {PER_ROW[setting]: _named(column, names, where) for setting, column in settings.single.items()}
    if "y" not in words:
        words |= _label(names, where, labelled)
    for setting in ("parent", "group"):
        if setting in names and setting not in words.values():
            words.setdefault(PER_ROW[setting], setting)
    taken = {*words.values(), *_matching(settings.ignore, names, where)}
    words |= {name: name for name in names if name.startswith(ATTRIBUTE) and name not in taken}
    words |= {f"{ATTRIBUTE}{SPLIT}": SPLIT} if SPLIT in names and SPLIT not in taken else {}
    taken |= set(words.values())
    wanted = _matching(settings.features, names, where) if settings.features else names
    features = tuple(name for name in wanted if name not in taken)
    if not features:
        raise FairshotError(f"{where} has no column of features beside {_list(names)}: give a column for each number")
    return Columns(words, features, chosen=bool(settings.features))


def _label(names: Sequence[str], where: str, labelled: bool) -> dict[str, str]:
    likely = [name for name in LABELS if name in names]
    if len(likely) > 1:
        raise FairshotError(f"{where} has the columns {' and '.join(likely)}: {_advice(where, likely[0])}")
    if not likely and labelled:
        raise FairshotError(f"{where} has no column label, class or y, but {_list(names)}: {_advice(where, 'COLUMN')}")
    return {"y": likely[0]} if likely else {}


def _advice(where: str, column: str) -> str:
    if where == FRAME:
        return "call the labels label, and nothing else by these names"
    return f"say which one is the label, as in {where}:label={column}"


def _named(column: str, names: Sequence[str], where: str) -> str:
    if column not in names:
        raise unknown(f"column of {where}", column, names)
    return column


def _matching(patterns: Sequence[str], names: Sequence[str], where: str) -> list[str]:
    """The columns that the patterns name, in the order of the table; one that names none raises."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise unknown(f"column of {where}", pattern, names)
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def _list(names: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "nothing"


def left_out(text: Sequence[str], columns: Columns, where: str) -> list[str]:
    """A note on the columns of text that are no features; raises if they were asked for, or nothing else is there."""
    if text and columns.chosen:
        raise FairshotError(f"column '{text[0]}' of {where} holds no numbers: name columns of numbers as features")
    if len(text) == len(columns.features):
        raise FairshotError(
            f"{where} has no column of numbers beside its labels, but {_list(text)}: give a column for each feature"
        )
    if not text:
        return []
    verbs = ("holds", "was") if len(text) == 1 else ("hold", "were")
    return [f"{_list(text)} of {where} {verbs[0]} no numbers and {verbs[1]} left out"]


def running_numbers(
    X: Shaped[np.ndarray, "row feature"], features: Sequence[str], columns: Columns, where: str
) -> list[str]:
    """A note on the features that number the rows, in whatever order: an id gives the class away where rows are sorted.

    Columns that were named as features are meant.
    """
    if columns.chosen or len(features) != X.shape[1] or len(X) < LEAST_NUMBERED:
        return []
    found = [name for name, values in zip(features, X.T, strict=True) if _numbers_rows(values)]
    return [
        f"'{name}' of {where} numbers the rows, and was taken as a feature: drop the column, or say ignore={name}"
        for name in found
    ]


def _numbers_rows(values: Shaped[np.ndarray, " row"]) -> bool:
    ordered = np.sort(values)
    return bool(np.array_equal(ordered, ordered[0] + np.arange(len(values))))
