"""The verb `compare`: learners that answered the same episodes, two by two."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.evaluation.comparisons import Comparisons
from fairshot.leaderboards.files import is_foreign, read_leaderboard
from fairshot.leaderboards.pairs import compare_methods
from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.runtime.errors import FairshotError, kind_of, shown, unknown
from fairshot.runtime.progress import Progress
from fairshot.statistics.answers import Answers, like
from fairshot.statistics.comparison import Comparison, Difference, compare_answers, improvement, judge_spread
from fairshot.statistics.forecast import Between, estimate_prior, forecast
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.populations import MOST, spread_over
from fairshot.statistics.intervals.runs import over_runs_of_both, together
from fairshot.statistics.sequential import inflation

AS_THEY_ARE = "Scores are not all between -1 and 1: they are shown as they are, and a point is one of their units."
MOST_WARNINGS = 4  # of pairs with items that only one was scored on


@dataclass(frozen=True, eq=False)
class Entry:
    """A row of an evaluation, with its scores and answers, which are made once however many pairs it is in."""

    evaluation: Evaluation
    row: Row
    origin: str
    """Where it comes from, for names that two evaluations share."""
    made: dict[Any, Any] = field(default_factory=dict)
    asked: dict[Any, Answers] = field(default_factory=dict)
    """Answers of the first entry with the same episodes, for all entries."""

    def values(self, count: int) -> np.ndarray:
        """The scores of the first episodes, run by run."""
        if "values" not in self.made:
            self.made["values"] = np.stack([scores.values for scores in self.evaluation.scores(self.row)])
        return self.made["values"][:, :count]

    def answers(self, count: int, per_query: bool) -> Answers:
        """Every query of the first episodes."""
        key = count, per_query
        if key not in self.made:
            made = self.evaluation.answers(self.row, count, per_query=per_query)
            # What learners were asked is the same for all, and much larger than what they answered: kept once.
            self.made[key] = like(self.asked.setdefault((self.row.episodes_key, *key), made), made)
        return self.made[key]


def compare(
    results: Any,
    *others: Any,
    only: Sequence[Any] | None = None,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool = True,
) -> Comparisons:
    """Every two learners that answered the same episodes under the same metric; nothing to compare is an error.

    `results` are evaluations or folders that evaluations were saved to, one or several; or results from elsewhere:
    files, data frames or rows of (method, item, score), in which `columns` says what is what where names do not, and
    scores may be better the lower they are. With `only`, no others than these pairs of learners, in whichever order,
    and maybe none. Training runs that were summed up as one method are not compared one by one.
    """
    given = listed_results(results, others)
    if not given:
        raise FairshotError("nothing was given to compare: give evaluations, or folders they were saved to")
    _refuse_twice(given)
    if any(map(is_foreign, given)):
        return _compare_foreign(given, only, columns, higher_is_better)
    if columns or not higher_is_better:
        raise FairshotError("an evaluation has no columns to be named: leave out columns and higher_is_better")
    asked: dict[Any, Answers] = {}
    entries = [replace(entry, asked=asked) for place, one in enumerate(given) for entry in entries_of(one, place)]
    inside = {key for entry in entries for key in entry.row.runs}
    pairs = [pair for pair in combinations(entries, 2) if _pairable(*pair, inside)]
    if only is not None:
        known = {name for entry in entries for name in entry.evaluation.learners}
        wanted = {_pair(pair, known) for pair in only}
        pairs = [pair for pair in pairs if frozenset(one.row.learner for one in pair) in wanted]
    elif not pairs:
        where = ", ".join(dict.fromkeys(entry.origin for entry in entries))
        if len({entry.row.learner for entry in entries}) < 2 and len(given) == 1:
            raise FairshotError(f"{where} has one learner: give two or more to compare")
        raise FairshotError(
            f"no two of the {len(entries)} rows in {where} are on the same episodes: evaluate both "
            "learners on the same part and tasks, with the same seed and metric"
        )
    progress, comparisons = Progress("comparing", len(pairs), "pairs"), []
    for pair in pairs:
        comparisons.append(_compare_pair(*pair))
        progress(len(comparisons))
    return Comparisons(tuple(_with_prior(comparisons)))


def _refuse_twice(given: Sequence[Any]) -> None:
    """The same evaluation twice would count every pair several times, and correct p values for pairs that are none."""
    names = [str(Path(one).resolve()) if isinstance(one, str | Path) else id(one) for one in given]
    for place, name in enumerate(names):
        if name in names[:place]:
            called = given[place] if isinstance(name, str) else "the same evaluation"
            raise FairshotError(f"{called} is given twice: give it once")


def listed_results(results: Any, others: Sequence[Any] = ()) -> list[Any]:
    """What was given, one by one; rows in hand are one thing."""
    rows = isinstance(results, list | tuple) and is_foreign(results)
    return [*(results if isinstance(results, list | tuple) and not rows else [results]), *others]


def _compare_foreign(
    given: Sequence[Any], only: Sequence[Any] | None, columns: Mapping[str, str] | None, higher_is_better: bool
) -> Comparisons:
    """Every two methods of results from elsewhere."""
    leaderboard = read_leaderboard(given, columns)
    methods = leaderboard.methods
    if len(methods) < 2:
        raise FairshotError(f"{given[0]} has one method, {methods[0]}: give two or more to compare")
    pairs = compare_methods(leaderboard, higher_is_better=higher_is_better)
    if not pairs:
        raise FairshotError("no two methods were scored on the same items: give items the same names for all methods")
    if only is not None:
        wanted = {_pair(pair, set(methods)) for pair in only}
        pairs = [pair for pair in pairs if frozenset((pair.first, pair.second)) in wanted]
    warnings = list(dict.fromkeys(warning for pair in pairs for warning in pair.warnings))
    notes = [*leaderboard.notes, *([] if leaderboard.shares else [AS_THEY_ARE]), *warnings[:MOST_WARNINGS]]
    return Comparisons(tuple(_with_prior(pairs)), notes=tuple(notes))


def _pair(pair: Any, learners: Collection[str]) -> frozenset[str]:
    """Two learners that are both there."""
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
        raise FairshotError(f"only has {shown(pair)}: give pairs of learners, such as ('ridge', 'prototypes')")
    for name in pair:
        if name not in learners:
            raise unknown("learner", name, learners)
    return frozenset(pair)


def entries_of(given: Any, place: int = 0) -> Iterator[Entry]:
    """The rows of an evaluation, or of a folder that one is kept in, that have scores."""
    if isinstance(given, str | Path):
        evaluation, origin = Evaluation.load(given), str(given)
    elif isinstance(given, Evaluation):
        evaluation, origin = given, f"evaluation {place + 1}"
    else:
        raise FairshotError(f"cannot compare {kind_of(given)}: give evaluations, or folders they were saved to")
    for row in evaluation.rows:
        if row.value is not None and (row.scores_key or row.runs):
            yield Entry(evaluation, row, origin)


def _with_prior(comparisons: list[Comparison]) -> list[Comparison]:
    """Forecasts with the prior that all comparisons on one task suggest, where they are many."""
    known: dict[tuple[str, str], list[tuple[float, Between]]] = {}
    for comparison in comparisons:
        for name, difference in comparison.differences.items():
            if difference.between is not None:
                pair = (difference.estimate.value, difference.between)
                known.setdefault((comparison.task, name), []).append(pair)
    priors = {key: estimate_prior(*zip(*pairs, strict=True)) for key, pairs in known.items()}

    def forecast_again(task: str, name: str, difference: Difference) -> Difference:
        if difference.between is None:
            return difference
        prior = priors[task, name]
        return replace(difference, forecast=forecast(difference.estimate.value, difference.between, prior=prior))

    return [
        replace(
            comparison,
            differences={
                name: forecast_again(comparison.task, name, difference)
                for name, difference in comparison.differences.items()
            },
        )
        for comparison in comparisons
    ]


def _pairable(first: Entry, second: Entry, inside: set[str]) -> bool:
    same = first.row.episodes_key == second.row.episodes_key and first.row.metric == second.row.metric
    keys = {first.row.scores_key, second.row.scores_key}
    return same and len(keys) == 2 and not keys & inside


def _compare_pair(first: Entry, second: Entry) -> Comparison:
    count = min(first.row.episodes, second.row.episodes)
    values = [entry.values(count) for entry in (first, second)]
    differences = values[0].mean(axis=0) - values[1].mean(axis=0)
    answers = difference_of(first, second, min(count, MOST))
    sequential = count > 1 and (first.row.sequential or second.row.sequential)
    by_population = compare_answers(answers, differences, sequential=sequential)
    by_population = {name: by_population[name] for name in by_population if name in first.row.intervals}
    if any("runs" in one.row.intervals for one in (first, second)):  # of seeds, episodes tell enough
        by_population |= _over_runs(answers, values, sequential)
    units = _units(answers, count, runs=min(map(len, values)))
    names = _names(first, second)
    return Comparison(
        first=names[0],
        second=names[1],
        task=first.row.task,
        value=float(differences.mean()),
        improvement=improvement(differences if first.row.higher_is_better else -differences),
        differences=by_population,
        units=units,
        warnings=tuple(dict.fromkeys([*first.row.warnings, *second.row.warnings])),
        headline=headline({name: one.estimate for name, one in by_population.items()}, units["parents"]),
        metric=first.row.metric,
        higher_is_better=first.row.higher_is_better,
    )


def _units(answers: Answers, episodes: int, runs: int) -> dict[str, int]:
    layout = answers.layout
    parents = len(np.unique(layout.parents))
    images = int(np.median(layout.counts))
    return {"episodes": episodes, "images": images, "classes": len(layout.counts), "parents": parents, "runs": runs}


def difference_of(first: Entry, second: Entry, count: int) -> Answers:
    """What the one answers minus what the other answers, on the first episodes."""
    per_query = first.row.per_query and second.row.per_query
    one, other = (entry.answers(count, per_query) for entry in (first, second))
    sign = -1 if per_query and first.row.metric == "error" else 1  # an error counts what is not correct
    values = None if one.values is None or other.values is None else one.values - other.values
    return one.scored(sign * (one.correct - other.correct), values)


def _over_runs(answers: Answers, values: list[np.ndarray], sequential: bool) -> dict[str, Difference]:
    """The difference over other runs of both methods, and over other classes at once."""
    differences = values[0].mean(axis=0) - values[1].mean(axis=0)
    runs, classes, value = over_runs_of_both(*values), spread_over("classes", answers, differences), differences.mean()
    if sequential and not isinstance(runs, str):
        runs = replace(runs, sampling=inflation(differences) * runs.sampling)
    reason = next((spread for spread in (runs, classes) if isinstance(spread, str)), "")
    both = together(classes, runs) if not isinstance(runs, str) and not isinstance(classes, str) else reason
    spreads = {"runs": runs, "runs and classes": both}
    return {name: judge_spread(spread, float(value), name) for name, spread in spreads.items()}


def _names(first: Entry, second: Entry) -> tuple[str, str]:
    """The learners, with where they come from where that is needed to distinguish them."""
    if first.row.learner != second.row.learner:
        return first.row.learner, second.row.learner
    return f"{first.row.learner} ({first.origin})", f"{second.row.learner} ({second.origin})"
