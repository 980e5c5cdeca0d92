"""Every two methods of a leaderboard, compared on the items that both were scored on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from jaxtyping import Bool, Float

from fairshot.leaderboards.leaderboard import Board, Entry, Leaderboard
from fairshot.statistics.clusters import over_both, over_clusters
from fairshot.statistics.comparison import Comparison, Difference, improvement, judge_spread
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.runs import noise_of_runs, over_runs_of_both, together
from fairshot.tables.words import count_of, singular

OVER_ALL = "mean of {count} data sets"
IN_ORDER = ("data sets", "classes", "runs and items", "groups", "items", "episodes")
"""Which population to quote: the widest that has an interval."""

Spreads = dict[str, Spread | str]


def compare_methods(leaderboard: Leaderboard, *, higher_is_better: bool = True) -> list[Comparison]:
    """Every two methods on every data set, and over all data sets where there are several."""
    comparisons = [pair for board in leaderboard for pair in compare_board(board, higher_is_better)]
    return [*comparisons, *_over_data_sets(comparisons, leaderboard, higher_is_better)]


def compare_board(board: Board, higher_is_better: bool = True) -> Iterator[Comparison]:
    """Every two methods on one data set; those without a common item are left out."""
    for first, second in combinations(board.entries, 2):
        common = first.known & second.known
        if common.any():
            yield _compare(board, (first, second), common, higher_is_better)


def _compare(
    board: Board, pair: tuple[Entry, Entry], common: Bool[np.ndarray, " item"], higher_is_better: bool
) -> Comparison:
    scores = [entry.scores[:, common] for entry in pair]
    differences = scores[0].mean(axis=0) - scores[1].mean(axis=0)
    spreads = item_spreads(board, differences, common)
    if max(map(len, scores)) > 1:
        spreads |= _over_runs(spreads, scores[0], scores[1])
    units = _units(board, common, runs=min(map(len, scores)))
    judged = _judge(spreads, float(differences.mean()), units)
    lacking = [int((entry.known & ~common).sum()) for entry in pair]
    return Comparison(
        first=pair[0].method,
        second=pair[1].method,
        task=board.name,
        value=float(differences.mean()),
        improvement=improvement(differences if higher_is_better else -differences),
        differences=judged,
        units=units,
        warnings=(_left_out(sum(lacking), board),) if any(lacking) else (),
        headline=_headline(judged),
        metric="score",
        higher_is_better=higher_is_better,
        unit=board.unit,
    )


def _left_out(count: int, board: Board) -> str:
    return f"{count_of(count, singular(board.unit))} of {board.name} left out: only one of the two was scored there"


def item_spreads(board: Board, values: Float[np.ndarray, " item"], chosen: Bool[np.ndarray, " whole"]) -> Spreads:
    """The spread of a mean over items for each population that a board can speak about."""
    alone = np.arange(len(values))
    if board.unit != "items":
        return {board.unit: over_clusters(values, alone, board.unit)}
    groups, classes = (None if each is None else _numbered(each[chosen]) for each in (board.groups, board.classes))
    spreads: Spreads = {}
    if groups is None:
        spreads["items"] = over_clusters(values, alone, "items")
    else:
        spreads["groups"] = over_clusters(values, groups, "groups")
    if classes is not None:
        if groups is None or _nested(groups, classes):
            spreads["classes"] = over_clusters(values, classes, "classes")
        else:
            spreads["classes"] = over_both(values, classes, groups, "classes")
    return spreads


def _numbered(codes: np.ndarray) -> np.ndarray:
    return np.unique(codes, return_inverse=True)[1]


def _nested(inner: np.ndarray, outer: np.ndarray) -> bool:
    """Whether each of the one lies within one of the other."""
    return len(np.unique(inner * (int(outer.max()) + 1) + outer)) == len(np.unique(inner))


def _over_runs(spreads: Spreads, one: Float[np.ndarray, "run item"], other: Float[np.ndarray, "to item"]) -> Spreads:
    """The spread over fresh runs on these items, and over fresh runs and items at once."""
    runs = over_runs_of_both(one, other) if one.shape[1] > 1 else "one item gives no interval"
    items = next(spread for name, spread in spreads.items() if name != "classes")
    if isinstance(runs, str) or isinstance(items, str):
        reason = runs if isinstance(runs, str) else str(items)
        return {"runs": runs if isinstance(runs, str) else replace(runs, sampling=0.0), "runs and items": reason}
    runs = replace(runs, sampling=0.0)  # these very items, and no others
    # What a run does to one item by itself is in how items vary, and in how runs do.
    twice = sum(noise_of_runs(scores) / scores.size for scores in (one, other))
    return {"runs": runs, "runs and items": replace(together(items, runs, twice), population="runs and items")}


def _judge(spreads: Spreads, value: float, units: Mapping[str, int]) -> dict[str, Difference]:
    return {
        name: judge_spread(spread, value, name, units=units["classes"] if name == "classes" else 0)
        for name, spread in spreads.items()
    }


def _units(board: Board, common: Bool[np.ndarray, " item"], runs: int) -> dict[str, int]:
    units = {board.unit: int(common.sum()), "runs": runs}
    for name, codes in (("groups", board.groups), ("classes", board.classes)):
        if codes is not None:
            units[name] = len(np.unique(codes[common]))
    return units


def _headline(differences: Mapping[str, Difference]) -> str:
    known = [name for name in IN_ORDER if name in differences and differences[name].estimate.interval is not None]
    return known[0] if known else ""


def _over_data_sets(
    comparisons: Sequence[Comparison], leaderboard: Leaderboard, higher_is_better: bool
) -> Iterator[Comparison]:
    """The mean of the differences on all data sets that have both methods, each counting as much as another."""
    if len(leaderboard.boards) < 2:
        return
    for first, second in combinations(leaderboard.methods, 2):
        pairs = [pair for pair in comparisons if {pair.first, pair.second} == {first, second}]
        if len(pairs) < 2:
            continue
        values = np.array([pair.value if pair.first == first else -pair.value for pair in pairs])
        spreads = _data_set_spreads(pairs, values)
        units = {"data sets": len(values)}
        judged = _judge(spreads, float(values.mean()), units)
        yield Comparison(
            first=first,
            second=second,
            task=OVER_ALL.format(count=len(values)),
            value=float(values.mean()),
            improvement=improvement(values if higher_is_better else -values),
            differences=judged,
            units=units,
            headline=_headline(judged),
            metric="score",
            higher_is_better=higher_is_better,
            unit="data sets",
        )


def _data_set_spreads(pairs: Sequence[Comparison], values: Float[np.ndarray, " set"]) -> Spreads:
    """The spread over other data sets, and over other items of these.

    Other data sets have other items too, so the first is at least as large as the second; few data sets may by chance
    agree better than their items allow.
    """
    sets = over_clusters(values, np.arange(len(values)), "data sets")
    spreads = _same_data_sets(pairs, float(values.mean()))
    items = spreads.get("items")
    if isinstance(items, Spread) and (isinstance(sets, str) or items.variance > sets.variance):
        sets = replace(items, population="data sets")
    return {"data sets": sets, **spreads}


def _same_data_sets(pairs: Sequence[Comparison], value: float) -> Spreads:
    """The spread over other items of the same data sets, if every data set has one."""
    parts = list[tuple[float, float]]()
    for pair in pairs:
        judged = pair.differences.get("groups") or pair.differences.get("items")
        if judged is None or judged.estimate.deviation is None or judged.degrees is None:
            return {}
        parts.append((judged.estimate.deviation, judged.degrees))
    variances = np.array([deviation**2 for deviation, _ in parts]) / len(parts) ** 2
    doubt = float(sum(variance**2 / degrees for variance, (_, degrees) in zip(variances, parts, strict=True)))
    total = float(variances.sum())
    spread = Spread(
        value=value,
        population="items",
        variance=total,
        sampling=0.0,
        noise=0.0,
        unit_degrees=total**2 / doubt if doubt > 0 else 1.0,
        episodes=sum(pair.units.get("items", 2) for pair in pairs),
    )
    return {"items": spread}
