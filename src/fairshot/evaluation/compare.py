"""The verb `compare`: learners that answered the same episodes, two by two."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from fairshot.results.folder import load_episodes, scores_path
from fairshot.results.schema import Row, read_result
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.answers import Answers, tabulate
from fairshot.statistics.comparison import Comparison, Difference, compare_answers, improvement, judge_spread
from fairshot.statistics.forecast import Between, estimate_prior, forecast
from fairshot.statistics.intervals.headline import headline
from fairshot.statistics.intervals.populations import MOST, spread_over
from fairshot.statistics.intervals.runs import mean_of_runs, over_runs_of_both, together
from fairshot.statistics.scores import load_scores
from fairshot.statistics.sequential import inflation


@dataclass(frozen=True)
class Kept:
    """A row of a result, and the folder it is kept in."""

    folder: Path
    row: Row

    @property
    def keys(self) -> list[str]:
        """The scores behind it: its own, or those of its training runs."""
        return self.row.runs or [self.row.scores_key]


def compare(folders: Sequence[Path], *, only: Sequence[tuple[str, str]] | None = None) -> list[Comparison]:
    """Every two learners that answered the same episodes under the same metric; nothing to compare is an error.

    With `only`, no others than these pairs, in whichever order, and maybe none. Training runs that were summed up as
    one method are not compared one by one.
    """
    results = [(folder, read_result(folder / "result.json")) for folder in folders]
    rows = [Kept(folder, row) for folder, result in results for row in result.rows if row.value is not None]
    inside = {key for kept in rows for key in kept.row.runs}
    pairs = [pair for pair in combinations(rows, 2) if _pairable(*pair, inside)]
    if only is not None:
        wanted = {frozenset(pair) for pair in only}
        pairs = [pair for pair in pairs if frozenset(kept.row.learner for kept in pair) in wanted]
        return _with_prior([_compared(*pair) for pair in pairs])
    if not pairs:
        raise FairshotError(
            f"no two of the {len(rows)} rows in {', '.join(map(str, folders))} are on the same episodes: evaluate both "
            "learners on the same part and tasks, with the same seed and metric"
        )
    return _with_prior([_compared(first, second) for first, second in pairs])


def _with_prior(comparisons: list[Comparison]) -> list[Comparison]:
    """Forecasts with the prior that all comparisons on one task suggest, where they are many."""
    known: dict[tuple[str, str], list[tuple[float, Between]]] = {}
    for one in comparisons:
        for name, own in one.differences.items():
            if own.between is not None:
                known.setdefault((one.task, name), []).append((own.estimate.value, own.between))
    priors = {key: estimate_prior(*zip(*pairs, strict=True)) for key, pairs in known.items()}

    def forecast_again(one: Comparison, name: str, own: Difference) -> Difference:
        if own.between is None:
            return own
        return replace(own, forecast=forecast(own.estimate.value, own.between, prior=priors[one.task, name]))

    return [
        replace(one, differences={name: forecast_again(one, name, own) for name, own in one.differences.items()})
        for one in comparisons
    ]


def _pairable(first: Kept, second: Kept, inside: set[str]) -> bool:
    same = first.row.episodes_key == second.row.episodes_key and first.row.metric == second.row.metric
    own = {first.row.scores_key, second.row.scores_key}
    return same and len(own) == 2 and not own & inside


def _compared(first: Kept, second: Kept) -> Comparison:
    count = min(first.row.episodes, second.row.episodes)
    values = [_values(kept, count) for kept in (first, second)]
    differences = values[0].mean(axis=0) - values[1].mean(axis=0)
    answers = _difference(first, second, min(count, MOST))
    sequential = count > 1 and (first.row.sequential or second.row.sequential)
    found = compare_answers(answers, differences, sequential=sequential)
    told = {name: found[name] for name in found if name in first.row.intervals}
    if any("runs" in kept.row.intervals for kept in (first, second)):  # of seeds, episodes tell enough
        told |= _over_runs(answers, values, sequential)
    better = improvement(differences if first.row.higher_is_better else -differences)
    value, runs = float(differences.mean()), min(map(len, values))
    warnings = tuple(dict.fromkeys([*first.row.warnings, *second.row.warnings]))
    units = _units(answers, count, runs)
    best = headline({name: own.estimate for name, own in told.items()}, units["parents"])
    return Comparison(*_names(first, second), first.row.task, value, better, told, units, warnings, best)


def _units(answers: Answers, episodes: int, runs: int) -> dict[str, int]:
    layout = answers.layout
    parents = len(np.unique(layout.parents))
    images = int(np.median(layout.counts))
    return {"episodes": episodes, "images": images, "classes": len(layout.counts), "parents": parents, "runs": runs}


def _values(kept: Kept, count: int) -> np.ndarray:
    """The scores of each run."""
    return np.stack([load_scores(scores_path(kept.folder, key)).values[:count] for key in kept.keys])


def _difference(first: Kept, second: Kept, count: int) -> Answers:
    """What the one answers minus what the other answers, on the first episodes."""
    layout, episodes = load_episodes(first.folder, first.row.episodes_key)
    per_query = first.row.per_query and second.row.per_query
    means = []
    for kept in (first, second):
        scores = [load_scores(scores_path(kept.folder, key))[:count] for key in kept.keys]
        means.append(mean_of_runs([tabulate(layout, episodes[:count], each, per_query=per_query) for each in scores]))
    sign = -1 if per_query and first.row.metric == "error" else 1  # an error counts what is not correct
    values = None if means[0].values is None or means[1].values is None else means[0].values - means[1].values
    return replace(means[0], correct=sign * (means[0].correct - means[1].correct), values=values)


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


def _names(first: Kept, second: Kept) -> tuple[str, str]:
    """The learners, with their folders where that is needed to tell them apart."""
    if first.row.learner != second.row.learner:
        return first.row.learner, second.row.learner
    return f"{first.row.learner} ({first.folder})", f"{second.row.learner} ({second.folder})"
