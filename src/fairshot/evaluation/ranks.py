"""The verb `ranks`: which places methods may have, who cannot be distinguished, and who may be first."""

import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fairshot
from fairshot.evaluation.compare import compare, listed_results
from fairshot.evaluation.comparisons import Comparisons
from fairshot.leaderboards.files import is_foreign, read_leaderboard
from fairshot.leaderboards.leaderboard import Board
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.ranks import (
    alike_groups,
    certain_claims,
    first_chances,
    gaps_between,
    population_of,
    rank_bounds,
)
from fairshot.statistics.source_ranks import SourceRanks, rank_means
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

KIND = "ranks"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, kw_only=True)
class Place:
    """One method: its place by the mean, and the places that it may have."""

    method: str
    place: int
    low: int
    high: int
    first: float | None
    """The probability that it is truly the best; None where it is not known."""
    behind: float
    """How far it is behind the best mean."""
    groups: str
    """A letter for each group of methods that cannot be distinguished and that it is in."""


@dataclass(frozen=True, kw_only=True)
class RankList:
    """The methods on one task or data set, the best first."""

    task: str
    population: str
    """For whom the places hold."""
    unit: str
    places: tuple[Place, ...]
    better: tuple[tuple[str, str], ...]
    """Pairs of methods of which the first is surely better."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(Tabular):
    """What `ranks` gives: the places of all methods, task by task."""

    lists: tuple[RankList, ...]
    mean_ranks: SourceRanks | None = None
    """Mean places over data sets with Friedman's test and Nemenyi's critical difference, where there are several."""
    methods: tuple[str, ...] = ()
    """Whose mean places these are."""
    notes: tuple[str, ...] = ()

    def in_brief(self) -> str:
        """How many methods were ranked on how many tasks."""
        return f"{count_of(len(self.lists[0].places), 'method')} on {count_of(len(self.lists), 'task')}"

    def __getitem__(self, task: str | int) -> RankList:
        if isinstance(task, int):
            return self.lists[task]
        by_name = {one.task: one for one in self.lists}
        if task not in by_name:
            raise unknown("task", task, by_name)
        return by_name[task]

    def __len__(self) -> int:
        return len(self.lists)

    def summary(self) -> str:
        """Who may be first on each task."""
        return importlib.import_module("fairshot.reports.ranks").summary(self)

    def tables(self) -> list[Table]:
        """A table of places for each task, and who is surely better than whom."""
        return importlib.import_module("fairshot.reports.ranks").tables(self)

    @checked
    def plot(self, path: Path | str | None = None) -> Any:
        """The places of all methods as a chart of Altair; a path also gets a file: .svg, .png, .html."""
        chart = importlib.import_module("fairshot.reports.charts.ranks").rank_chart(self)
        if path is not None:
            importlib.import_module("fairshot.reports.charts.chart").save(chart, Path(path))
        return chart

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it."""
        head = {"schema": 1, "kind": KIND, "fairshot": fairshot.__version__, "command": list(command)}
        mean = self.mean_ranks
        over = (
            None
            if mean is None
            else {
                "p": mean.p_value,
                "critical_difference": mean.critical,
                "mean_ranks": dict(zip(self.methods, mean.means.tolist(), strict=True)),
            }
        )
        lists = [asdict(one) for one in self.lists]
        return json.dumps({**head, "notes": list(self.notes), "lists": lists, "over_data_sets": over}, indent=1)


def ranks(
    results: Any,
    *others: Any,
    over: str | None = None,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool = True,
) -> Ranks:
    """The places that methods may have, all at once with 95% probability, on every task or data set.

    `results` are whatever `compare` takes, or what it gave. `over` names the population that places are to hold for:
    items, groups, classes, images, episodes, data sets; the widest that there is where nothing is said.
    """
    if isinstance(results, Comparisons):
        return rank_comparisons(results, over)
    given = listed_results(results, others)
    if not any(map(is_foreign, given)):
        return rank_comparisons(compare(given), over)
    leaderboard = read_leaderboard(given, columns)
    compared = compare(leaderboard, higher_is_better=higher_is_better)
    made = rank_comparisons(compared, over)
    methods, means = _means(leaderboard.boards)
    if len(means) < 2 or len(methods) < 2:
        return made
    mean_ranks = rank_means(means if higher_is_better else -means)
    return Ranks(made.lists, mean_ranks, methods, compared.notes)


def rank_comparisons(comparisons: Comparisons, over: str | None = None) -> Ranks:
    """The places that follow from comparisons that are there already."""
    by_task: dict[tuple[str, str], list[Comparison]] = {}
    for pair in comparisons:
        by_task.setdefault((pair.task, pair.metric), []).append(pair)
    lists = [one for (task, _), pairs in by_task.items() if (one := _rank(task, pairs, over)) is not None]
    if not lists:
        known = {name for pair in comparisons for name in pair.differences}
        raise unknown("population", over, known) if over else FairshotError("there are no two methods to be ranked")
    return Ranks(tuple(lists), notes=comparisons.notes)


def _rank(task: str, pairs: Sequence[Comparison], over: str | None) -> RankList | None:
    population = over or population_of(pairs)
    if not any(population in pair.differences for pair in pairs):
        return None
    methods = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    gaps = gaps_between(methods, pairs, population)
    claims = certain_claims(gaps)
    low, high = rank_bounds(claims)
    order = np.argsort(-gaps.lead, kind="stable").tolist()
    groups = alike_groups(claims, order)
    chances = first_chances(gaps)
    places = tuple(
        Place(
            method=methods[number],
            place=place,
            low=int(low[number]),
            high=int(high[number]),
            first=None if chances is None else float(chances[number]),
            behind=float(gaps.lead[order[0]] - gaps.lead[number]),
            groups="".join(_letter(at) for at, group in enumerate(groups) if number in group),
        )
        for place, number in enumerate(order, 1)
    )
    better = tuple((methods[row], methods[column]) for row, column in zip(*np.nonzero(claims), strict=True))
    return RankList(task=task, population=population, unit=pairs[0].unit, places=places, better=better)


def _letter(number: int) -> str:
    """a to z, then a2, b2 ..."""
    again, at = divmod(number, len(LETTERS))
    return LETTERS[at] + (str(again + 1) if again else "")


def _means(boards: Sequence[Board]) -> tuple[tuple[str, ...], np.ndarray]:
    """The mean scores of the methods that every data set has, data set by data set."""
    if len(boards) == 1 and boards[0].unit == "data sets":
        entries = boards[0].entries
        known = np.all([entry.known for entry in entries], axis=0)
        return tuple(boards[0].methods), np.stack([entry.scores.mean(axis=0)[known] for entry in entries], axis=1)
    common = [name for name in boards[0].methods if all(name in board.methods for board in boards)]
    means = np.array(
        [[next(np.nanmean(e.scores) for e in board.entries if e.method == name) for name in common] for board in boards]
    )
    return tuple(common), means.reshape(len(boards), len(common))
