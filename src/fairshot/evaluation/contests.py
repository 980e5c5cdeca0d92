"""Candidates for a choice: the means and the covariance of everything that was scored on the same items or episodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.evaluation.comparisons import Comparisons
from fairshot.leaderboards.files import is_foreign, read_leaderboard
from fairshot.leaderboards.leaderboard import Board
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.clusters import cluster_covariance, cluster_degrees
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.populations import spread_over
from fairshot.statistics.ranks import IN_ORDER
from fairshot.statistics.winner import Contest

OF_CLASSES = 5  # classes from which they are the units, and not their items
LEAST_DEGREES = 1.0


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


def from_board(board: Board, *, average_runs: bool = False) -> Candidates:
    """The methods, or their runs, of one data set, on the items that all of them were scored on."""
    names, rows = _rows(board, average_runs)
    values = np.stack(rows)
    common = ~np.isnan(values).any(axis=0)
    if common.sum() < 2:
        raise FairshotError(
            f"{board.name} has no two items that all {len(names)} candidates were scored on: leave some out"
        )
    values = values[:, common]
    population, clusters = _clusters(board, common)
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


def _clusters(board: Board, common: np.ndarray) -> tuple[str, np.ndarray]:
    """What varies: classes where there are some, or groups, or else the items themselves."""
    kinds = (("classes", board.classes, OF_CLASSES), ("groups", board.groups, 2))
    for population, codes, least in kinds:
        if codes is not None and len(np.unique(codes[common])) >= least:
            return population, np.unique(codes[common], return_inverse=True)[1]
    return board.unit, np.arange(int(common.sum()))


def from_evaluations(comparisons: Comparisons, given: Sequence[Any]) -> list[Candidates]:
    """The learners of evaluations on each task; how they vary together follows from every two of them."""
    evaluations = [Evaluation.load(one) if isinstance(one, str | Path) else one for one in given]
    by_task: dict[tuple[str, str], list[Comparison]] = {}
    for pair in comparisons:
        by_task.setdefault((pair.task, pair.metric), []).append(pair)
    return [_from_pairs(task, metric, pairs, evaluations) for (task, metric), pairs in by_task.items()]


def _from_pairs(task: str, metric: str, pairs: Sequence[Comparison], evaluations: Sequence[Evaluation]) -> Candidates:
    names = tuple(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    spreads, population = _spreads(names, (task, metric), pairs, evaluations)
    place = {name: number for number, name in enumerate(names)}
    covariance = np.diag([spread.total for spread in spreads])
    for pair in pairs:
        row, column = place[pair.first], place[pair.second]
        deviation = pair.differences[population].estimate.deviation or 0.0
        shared = (covariance[row, row] + covariance[column, column] - deviation**2) / 2
        covariance[row, column] = covariance[column, row] = shared
    degrees = max(float(np.median([spread.degrees for spread in spreads])), LEAST_DEGREES)
    contest = Contest(np.array([spread.value for spread in spreads]), covariance, degrees)
    units = pairs[0].units.get(population, spreads[0].episodes)
    return Candidates(task=task, names=names, contest=contest, population=population, units=units)


def _spreads(
    names: Sequence[str], where: tuple[str, str], pairs: Sequence[Comparison], evaluations: Sequence[Evaluation]
) -> tuple[list[Spread], str]:
    """How each learner varies, for the widest population that all of them and all pairs have an interval for."""
    rows = {row.learner: (one, row) for one in evaluations for row in one.rows if (row.task, row.metric) == where}
    if len(pairs) < len(list(combinations(names, 2))) or any(name not in rows for name in names):
        raise FairshotError(f"not every two learners of {where[0]} are on the same episodes: evaluate them together")
    for population in IN_ORDER:
        if all(_has_deviation(pair, population) for pair in pairs):
            spreads = [_spread(*rows[name], population) for name in names]
            if not any(isinstance(spread, str) or spread.guesswork for spread in spreads):
                return [spread for spread in spreads if not isinstance(spread, str)], population
    raise FairshotError(f"{where[0]} has too few episodes for any interval: evaluate more")


def _has_deviation(pair: Comparison, population: str) -> bool:
    judged = pair.differences.get(population)
    return judged is not None and judged.estimate.deviation is not None


def _spread(evaluation: Evaluation, row: Any, population: str) -> Spread | str:
    scores = np.mean([one.values for one in evaluation.scores(row)], axis=0)
    if population != "episodes":
        return spread_over(population, evaluation.answers(row), scores)
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
