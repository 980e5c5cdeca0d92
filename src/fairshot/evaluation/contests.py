"""Candidates for a choice: the means and the covariance of everything that was scored on the same items or episodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.evaluation.compare import Entry, difference_of, entries_of
from fairshot.leaderboards.files import is_foreign, read_leaderboard
from fairshot.leaderboards.leaderboard import Board
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.statistics.answers import Answers
from fairshot.statistics.clusters import cluster_covariance, cluster_degrees
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.populations import spread_over
from fairshot.statistics.winner import Contest

OF_CLASSES = 5  # classes from which they are the units, and not their items
OF_EVALUATIONS = ("parents", "classes", "values", "images")  # what learners may vary over, the widest first


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """Everything that could have been chosen on one data set or task."""

    task: str
    names: tuple[str, ...]
    contest: Contest
    population: str
    units: int

    def turned(self) -> "Candidates":
        """The same where lower is better: higher is better inside."""
        return replace(self, contest=replace(self.contest, means=-self.contest.means))


def from_board(board: Board, *, average_runs: bool = False, over: str | None = None) -> Candidates:
    """The methods, or their runs, of one data set, on the items that all of them were scored on."""
    names, rows = _rows(board, average_runs)
    values = np.stack(rows)
    common = ~np.isnan(values).any(axis=0)
    if common.sum() < 2:
        raise FairshotError(
            f"{board.name} has no two items that all {len(names)} candidates were scored on: leave some out"
        )
    values = values[:, common]
    population, clusters = _clusters(board, common, over)
    contest = Contest(values.mean(axis=1), cluster_covariance(values, clusters), cluster_degrees(clusters))
    units = int(clusters.max()) + 1
    return Candidates(task=board.name, names=names, contest=contest, population=population, units=units)


def _rows(board: Board, average_runs: bool) -> tuple[tuple[str, ...], list[np.ndarray]]:
    names, rows = list[str](), list[np.ndarray]()
    for entry in board.entries:
        if average_runs or len(entry.runs) == 1:
            names.append(entry.method)
            rows.append(entry.scores.mean(axis=0))
        else:
            names += [f"{entry.method}, run {run}" for run in entry.runs]
            rows += list(entry.scores)
    return tuple(names), rows


def _clusters(board: Board, common: np.ndarray, over: str | None) -> tuple[str, np.ndarray]:
    """What varies: classes where there are some, or groups, or else the items themselves."""
    kinds = (("classes", board.classes, OF_CLASSES), ("groups", board.groups, 2))
    for population, codes, least in kinds:
        asked = over == population or (over is None and codes is not None and len(np.unique(codes[common])) >= least)
        if codes is not None and asked:
            return population, np.unique(codes[common], return_inverse=True)[1]
    if over not in (None, board.unit):
        raise unknown("population", over, {board.unit, *(name for name, codes, _ in kinds if codes is not None)})
    return board.unit, np.arange(int(common.sum()))


def from_evaluations(given: Sequence[Any], over: str | None = None) -> list[Candidates]:
    """The learners of evaluations on each task; how they vary together follows from every two of them."""
    entries = [entry for place, one in enumerate(given) for entry in entries_of(one, place)]
    inside = {key for entry in entries for key in entry.row.runs}
    by_task: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        if entry.row.scores_key not in inside:
            by_task.setdefault((entry.row.task, entry.row.metric, entry.row.episodes_key), []).append(entry)
    return [_from_entries(task, own, over) for (task, _, _), own in by_task.items()]


def _from_entries(task: str, entries: Sequence[Entry], over: str | None) -> Candidates:
    count = min(entry.row.episodes for entry in entries)
    population, spreads = _widest(task, entries, count, over)
    variances = [spread.total for spread in spreads]
    covariance = np.diag(variances)
    for row, column in combinations(range(len(entries)), 2):
        apart = _spread_apart(entries[row], entries[column], population, count)
        shared = (variances[row] + variances[column] - apart) / 2
        covariance[row, column] = covariance[column, row] = shared
    degrees = max(float(np.median([spread.degrees for spread in spreads])), 1.0)
    contest = Contest(np.array([spread.value for spread in spreads]), covariance, degrees)
    return Candidates(
        task=task,
        names=tuple(entry.row.learner for entry in entries),
        contest=contest,
        population=population,
        units=_units(entries[0], population, count),
    )


def _units(entry: Entry, population: str, count: int) -> int:
    layout = entry.answers(count, entry.row.per_query).layout
    known = {"classes": len(layout.counts), "parents": len(np.unique(layout.parents)), "images": len(layout.image_ids)}
    return known.get(population, count)


def _widest(task: str, entries: Sequence[Entry], count: int, over: str | None) -> tuple[str, list[Spread]]:
    """How each learner varies, for the widest population that all of them have an interval for."""
    known_names = (*OF_EVALUATIONS, "episodes")
    if over is not None and over not in known_names:
        raise unknown("population", over, known_names)
    for population in known_names if over is None else (over,):
        spreads = [
            _spread(population, entry.values(count).mean(axis=0), entry.answers(count, entry.row.per_query))
            for entry in entries
            if population == "episodes" or population in entry.row.intervals
        ]
        known = [spread for spread in spreads if not isinstance(spread, str) and not spread.guesswork]
        if len(known) == len(entries):
            return population, known
    raise FairshotError(f"{task} has too few episodes for any interval: evaluate more")


def _spread_apart(first: Entry, second: Entry, population: str, count: int) -> float:
    """The variance of the difference of two learners; noisy as it may be, it is right on average over many pairs."""
    values = first.values(count).mean(axis=0) - second.values(count).mean(axis=0)
    spread = _spread(population, values, difference_of(first, second, count))
    return 0.0 if isinstance(spread, str) else spread.total


def _spread(population: str, scores: np.ndarray, answers: Answers) -> Spread | str:
    if population != "episodes":
        return spread_over(population, answers, scores)
    return Spread(
        value=float(scores.mean()),
        population=population,
        variance=0.0,
        sampling=float(scores.var(ddof=1)) / len(scores),
        noise=0.0,
        unit_degrees=len(scores) - 1.0,
        episodes=len(scores),
    )


def values_of(
    given: Sequence[Any], columns: Mapping[str, str] | None, *, average_runs: bool = False
) -> dict[str, float]:
    """The mean score of every candidate, over all data sets or tasks."""
    found: dict[str, list[float]] = {}
    if any(map(is_foreign, given)):
        for board in read_leaderboard(given, columns):
            for name, scores in zip(*_rows(board, average_runs), strict=True):
                found.setdefault(name, []).append(float(np.nanmean(scores)))
    else:
        for one in given:
            evaluation = Evaluation.load(one) if isinstance(one, str | Path) else one
            for row in evaluation.rows:
                if row.value is not None:
                    found.setdefault(row.learner, []).append(row.value)
    return {name: float(np.mean(values)) for name, values in found.items()}
