"""A Leaderboard: what methods scored on the same items, a Board for each data set; no images, no networks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.runtime.errors import FairshotError
from fairshot.tables.words import count_of

Unit = Literal["items", "episodes", "data sets"]
"""What a score is of: a question or an image; an episode of a few-shot benchmark; a whole data set."""
UNNAMED: dict[Unit, str] = {"items": "all items", "episodes": "all episodes", "data sets": "mean over data sets"}
"""What the one board is called where no data set was named."""
LARGEST_SHARE = 1.0  # scores above are no shares, and are shown as they are
POINTS = 0.01  # what one of a score that is no share counts: a point


@dataclass(frozen=True, eq=False)
class Entry:
    """One method on the items of one data set."""

    method: str
    runs: tuple[str, ...]
    """The names of its runs, or one empty name."""
    scores: Float[np.ndarray, "run item"]
    """Not a number where a run has no score."""

    @property
    def known(self) -> Bool[np.ndarray, " item"]:
        """The items that all runs have a score of."""
        return ~np.isnan(self.scores).any(axis=0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Board:
    """The methods on one data set."""

    name: str
    items: Sequence[str]
    entries: tuple[Entry, ...]
    classes: Int[np.ndarray, " item"] | None = None
    groups: Int[np.ndarray, " item"] | None = None
    unit: Unit = "items"

    @property
    def methods(self) -> list[str]:
        """The names of all methods."""
        return [entry.method for entry in self.entries]


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Every data set with the methods that were scored on it."""

    boards: tuple[Board, ...]
    notes: tuple[str, ...] = ()
    shares: bool = field(default=True)
    """Whether scores are shares between 0 and 1; others were divided by 100, so that a point is one of their units."""

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    @property
    def methods(self) -> list[str]:
        """The names of all methods."""
        return list(dict.fromkeys(name for board in self.boards for name in board.methods))


@dataclass(frozen=True, kw_only=True)
class Record:
    """One score: what a method got on an item."""

    method: str
    item: str
    score: float
    data_set: str = ""
    label: str = ""
    """The item's class."""
    group: str = ""
    run: str = ""
    unit: Unit = "items"


def make_leaderboard(records: Sequence[Record], where: str, notes: Sequence[str] = ()) -> Leaderboard:
    """The leaderboard that records make; scores beyond 1 are taken as points."""
    if not records:
        raise FairshotError(f"{where} has no scores: give a row for each method and item")
    shares = all(-LARGEST_SHARE <= record.score <= LARGEST_SHARE for record in records)
    by_set: dict[str, list[Record]] = {}
    for record in records:
        by_set.setdefault(record.data_set, []).append(record)
    if len(by_set) > 1 and all(len({record.item for record in rows}) == 1 for rows in by_set.values()):
        whole = [replace(record, item=record.data_set, data_set="", unit="data sets") for record in records]
        by_set = {"": whole}  # one score of each data set: they are the items
    boards = tuple(_board(name, rows, 1.0 if shares else POINTS, where) for name, rows in by_set.items())
    return Leaderboard(boards, tuple(notes), shares)


def _board(name: str, records: Sequence[Record], scale: float, where: str) -> Board:
    items = {item: number for number, item in enumerate(dict.fromkeys(record.item for record in records))}
    runs: dict[str, dict[str, int]] = {}
    for record in records:
        own = runs.setdefault(record.method, {})
        own.setdefault(record.run, len(own))
    scores = {method: np.full((len(own), len(items)), np.nan) for method, own in runs.items()}
    for record in records:
        row, column = runs[record.method][record.run], items[record.item]
        if not np.isnan(scores[record.method][row, column]):
            of = " ".join(filter(None, (record.data_set, record.run and f"run {record.run}")))
            raise FairshotError(
                f"{where} has two scores of {record.method} on item {record.item}{f' ({of})' if of else ''}: name the "
                "run in a column run, or the data set in a column dataset"
            )
        scores[record.method][row, column] = record.score * scale
    return Board(
        name=name or UNNAMED[records[0].unit],
        items=list(items),
        entries=tuple(Entry(method, tuple(own), scores[method]) for method, own in runs.items()),
        classes=_codes(records, items, "label", where),
        groups=_codes(records, items, "group", where),
        unit=records[0].unit,
    )


def _codes(records: Sequence[Record], items: dict[str, int], what: str, where: str) -> np.ndarray | None:
    """The number of each item's class or group; None where no item has one."""
    words: dict[str, str] = {}
    for record in records:
        word = getattr(record, what)
        if words.setdefault(record.item, word) != word:
            noun = "class" if what == "label" else what
            raise FairshotError(
                f"{where} gives item {record.item} the {noun} '{words[record.item]}' and the {noun} '{word}': "
                "give every item one"
            )
    if not any(words.values()):
        return None
    lacking = [item for item, word in words.items() if not word]
    if lacking:
        noun = "class" if what == "label" else what
        raise FairshotError(
            f"{where} gives {count_of(len(lacking), 'item')} no {noun}, such as {lacking[0]}: fill it in"
        )
    return np.unique([words[item] for item in items], return_inverse=True)[1]
