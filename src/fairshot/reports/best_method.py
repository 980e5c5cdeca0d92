"""Which method? The first line of an evaluation or a comparison: who is best, and who is as good as it may be."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from fairshot.reports.forecasts import answer_alike, differ_alike, flip_chance
from fairshot.results.evaluation import Evaluation
from fairshot.results.population_headings import POPULATIONS, WIDEST_FIRST
from fairshot.results.records import NoRecords
from fairshot.results.schema import Row
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.words import at_level, listed, plain, signed_points, singular

HOLDS_ON = {
    "classes": "on new classes of this kind",
    "parents": "on new parents of this kind",
    "images": "on new images of these classes",
    "episodes": "on more episodes of the same images",
}
"""Where a lead holds, in a sentence; others are called by the headings of their columns."""
MOST_TASKS = 4  # on more tasks than these a sentence each would be a page, and a count says more


def best_method(evaluation: Evaluation) -> str:
    """A sentence for each task on which at least two learners were evaluated, where the scores behind are there."""
    if isinstance(evaluation.records, NoRecords):
        return ""
    lines = []
    for task, metric in dict.fromkeys((row.task, row.metric) for row in evaluation.rows):
        rows = [row for row in evaluation.rows if (row.task, row.metric) == (task, metric)]
        rows = [row for row in rows if row.value is not None and row.scores_key and not _inside(row, evaluation.rows)]
        if len(rows) > 1:
            best = _best_row(rows)
            lines.append((task, best, _against_best(evaluation, rows, best)))
    return _joined(lines)


def best_of_pairs(comparisons: Sequence[Comparison]) -> str:
    """The same out of comparisons that are there already."""
    lines = []
    for task in dict.fromkeys(comparison.task for comparison in comparisons):
        pairs = [comparison for comparison in comparisons if comparison.task == task]
        best = _best(pairs)
        lines.append((task, best, _sentence(pairs, best)))
    return _joined(lines)


def _joined(lines: Sequence[tuple[str, str, str]]) -> str:
    """A sentence for each task with its best learner; of many tasks, how often each learner is best."""
    if len(lines) <= MOST_TASKS:
        return "\n".join(f"{task}: {sentence}" if len(lines) > 1 else sentence for task, _, sentence in lines)
    counts = Counter(best for _, best, _ in lines).most_common()
    if len(counts) == 1:
        return f"{counts[0][0]} has the best mean on all {len(lines)} tasks; 'compare' says where that is certain."
    often = listed([f"{name} on {count}" for name, count in counts])
    return f"Of {len(lines)} tasks, {often} has the best mean; 'compare' says where that is certain."


def _inside(row: Row, rows: Sequence[Row]) -> bool:
    """Whether a row is one of the runs that another one is the mean of."""
    return any(row.scores_key in other.runs for other in rows)


def _best_row(rows: Sequence[Row]) -> str:
    sign = 1 if rows[0].higher_is_better else -1
    return max(rows, key=lambda row: sign * row.number).learner


def _against_best(evaluation: Evaluation, rows: Sequence[Row], best: str) -> str:
    pairs = evaluation.compare(only=[(best, row.learner) for row in rows if row.learner != best])
    same = [pair for pair in pairs if (pair.task, pair.metric) == (rows[0].task, rows[0].metric)]
    return _sentence(same, best)


def _best(pairs: Sequence[Comparison]) -> str:
    """The learner that no other is ahead of."""
    behind = {
        pair.second if (pair.value > 0) == pair.higher_is_better and pair.value != 0 else pair.first
        for pair in pairs
        if pair.value != 0
    }
    names = dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second))
    return next((name for name in names if name not in behind), next(iter(names)))


@dataclass
class _Standings:
    """What the pairs of the best learner say of all others."""

    alike: list[str] = field(default_factory=list)
    similar: list[tuple[float, str, Comparison]] = field(default_factory=list)
    worse: list[tuple[float, str, Comparison]] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)
    here: list[str] = field(default_factory=list)
    """Those that are behind in these episodes, of which nothing is known for other images."""

    def add(self, other: str, pair: Comparison) -> None:
        """Sorts one pair in."""
        gap = abs(pair.value)
        population, (low, high) = _widest(pair)
        if answer_alike(pair):
            self.alike.append(other)
        elif differ_alike(pair):
            self.constant.append(f"{other} is behind by {_points(gap)} in every {singular(pair.unit)}")
        elif low <= 0 <= high:
            self.similar.append((gap, other, pair))
        elif population == "episodes" and len(pair.differences) > 1:
            self.here.append(f"{other} is behind by {_points(gap)} here")
        else:
            self.worse.append((gap, other, pair))


def _sentence(pairs: Sequence[Comparison], best: str) -> str:
    """Who is best and by how much, and how likely others reverse it; who cannot be distinguished; who is worse."""
    found = _Standings()
    for pair in (pair for pair in pairs if best in (pair.first, pair.second)):
        found.add(pair.second if pair.first == best else pair.first, pair)
    worse = sorted(found.worse, key=lambda one: one[0])
    parts = [f"{listed([best, *found.alike])} answer alike in every {singular(pairs[0].unit)}"] if found.alike else []
    if worse and not (found.similar or found.constant or found.here):
        parts = [_lead(best, *worse[0][1:]), *parts]
        worse = worse[1:]
    elif found.similar or worse or found.constant or found.here:
        parts = [f"{best} is best", *parts]
    parts += [_undecided(found.similar)] if found.similar else []
    parts += [_worse(worse)] if worse else []
    parts += found.constant
    if found.here:
        parts.append(f"{', '.join(found.here)}, but more episodes are needed to say whether other images would agree")
    return ". ".join(parts) + "." + _about([pair for *_, pair in found.worse])


def _worse(worse: Sequence[tuple[float, str, Comparison]]) -> str:
    """All that are clearly worse in one sentence, the nearest first."""
    (_, first, nearest), *others = worse
    more = [f"{other} by {_gap(pair)}" for _, other, pair in others]
    return listed([f"{first} is worse by {_gap(nearest)}", *more])


def _lead(best: str, other: str, pair: Comparison) -> str:
    """The best learner against the next one: for whom it holds, and how likely others show the opposite."""
    population, ends = _widest(pair)
    sign = 1 if pair.first == best else -1
    low, high = sorted(sign * end for end in ends)
    where = HOLDS_ON.get(population, f"on {POPULATIONS[population].heading}")
    lead = f"{signed_points(sign * pair.value)} points [{_points(low)}, {_points(high)}]"
    return "; ".join([f"{best} beats {other} {where}: {lead}", *flip_chance(pair)])


def _undecided(similar: Sequence[tuple[float, str, Comparison]]) -> str:
    """Who may be as good, and how likely others show the nearest of them ahead."""
    _, nearest, pair = min(similar, key=lambda one: one[0])
    same = f"{listed([other for _, other, _ in similar])} cannot be distinguished from it"
    flips = flip_chance(pair)
    return f"{same}: {nearest} is behind by {_points(abs(pair.value))} points, and {flips[0]}" if flips else same


def _gap(pair: Comparison) -> str:
    near, far = sorted(abs(end) for end in _widest(pair)[1])
    return f"{_points(abs(pair.value))} [{_points(near)}, {_points(far)}]"


def _about(pairs: Sequence[Comparison]) -> str:
    """What the numbers in brackets are."""
    if not pairs:
        return ""
    populations = dict.fromkeys(POPULATIONS[_widest(pair)[0]].heading for pair in pairs)
    level = next((each.estimate.level for pair in pairs for each in pair.differences.values()), LEVEL)
    return f" Points, {at_level(level)} intervals for {' or '.join(populations)}."


def _points(share: float) -> str:
    return plain(100 * share)


def _widest(pair: Comparison) -> tuple[str, tuple[float, float]]:
    """The population to quote, or else the widest that has an interval; without any, all differences are possible."""
    order = [pair.headline, *WIDEST_FIRST] if pair.headline else list(WIDEST_FIRST)
    for name in order:
        difference = pair.differences.get(name)
        if difference is not None and difference.estimate.interval is not None:
            return name, difference.estimate.interval
    return "episodes", (-1.0, 1.0)
