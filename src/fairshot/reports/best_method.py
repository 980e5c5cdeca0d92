"""Which method? The first line of an evaluation or a comparison: who is best, and who is as good as it may be."""

from collections import Counter
from collections.abc import Sequence

from fairshot.reports.forecasts import answer_alike, differ_alike
from fairshot.results.evaluation import Evaluation
from fairshot.results.population_headings import POPULATIONS, WIDEST_FIRST
from fairshot.results.records import NoRecords
from fairshot.results.schema import Row
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.words import at_level, listed, plain, singular

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


def _sentence(pairs: Sequence[Comparison], best: str) -> str:
    """Who is best; who cannot be distinguished from it; who is worse, and by how much."""
    similar: list[str] = []
    alike: list[str] = []
    constant: list[str] = []
    ahead_here: list[str] = []
    worse: list[tuple[float, str]] = []
    populations: dict[str, None] = {}
    every = singular(pairs[0].unit) if pairs else "episode"
    level = next((each.estimate.level for pair in pairs for each in pair.differences.values()), LEVEL)
    for pair in (pair for pair in pairs if best in (pair.first, pair.second)):
        other = pair.second if pair.first == best else pair.first
        if answer_alike(pair):
            alike.append(other)
            continue
        if differ_alike(pair):
            constant.append(f"{other} is behind by {_points(abs(pair.value))} in every {singular(pair.unit)}")
            continue
        population, (low, high) = _widest(pair)
        if low <= 0 <= high:
            similar.append(other)
            continue
        if population == "episodes" and len(pair.differences) > 1:
            ahead_here.append(f"{other} is behind by {_points(abs(pair.value))} here")
            continue
        populations[POPULATIONS[population].heading] = None
        near, far = sorted(abs(end) for end in (low, high))
        gap = abs(pair.value)
        worse.append((gap, f"{other} is worse by {_points(gap)} [{_points(near)}, {_points(far)}]"))
    parts = [f"{best} is best"] if similar or worse or constant or ahead_here else []
    if alike:
        parts.append(f"{listed([best, *alike])} answer alike in every {every}")
    if similar:
        parts.append(f"{listed(similar)} cannot be distinguished from it")
    parts += [*(text for _, text in sorted(worse)), *constant]
    if ahead_here:
        parts.append(f"{', '.join(ahead_here)}, but more episodes are needed to say whether other images would agree")
    about = f" Points, {at_level(level)} intervals for {' or '.join(populations)}." if populations else ""
    return "; ".join(parts) + "." + about


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
