"""The verb `compare`: learners that answered the same episodes, two by two."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.result import Row, read_result
from fairshot.statistics.answers import tabulate
from fairshot.statistics.comparison import Comparison, compare_answers, improvement
from fairshot.statistics.intervals import MOST
from fairshot.statistics.records import load_episodes, scores_path
from fairshot.statistics.scores import load_scores


@dataclass(frozen=True)
class Kept:
    """A row of a result, and the folder it is kept in."""

    folder: Path
    row: Row


def compare(folders: Sequence[Path]) -> list[Comparison]:
    """Every two learners that answered the same episodes under the same metric; nothing to compare is an error."""
    rows = [Kept(folder, row) for folder in folders for row in read_result(folder / "result.json").rows]
    pairs = [pair for pair in combinations(rows, 2) if _pairable(*pair)]
    if not pairs:
        raise FairshotError(
            f"no two of the {len(rows)} rows in {', '.join(map(str, folders))} are on the same episodes: evaluate both "
            "learners on the same part and tasks, with the same seed and metric"
        )
    return [_compared(first, second) for first, second in pairs]


def _pairable(first: Kept, second: Kept) -> bool:
    same = first.row.episodes_key == second.row.episodes_key and first.row.metric == second.row.metric
    return same and first.row.scores_key != second.row.scores_key


def _compared(first: Kept, second: Kept) -> Comparison:
    count = min(first.row.episodes, second.row.episodes)
    one, other = (load_scores(scores_path(kept.folder, kept.row.scores_key))[:count] for kept in (first, second))
    layout, episodes = load_episodes(first.folder, first.row.episodes_key)
    few = min(count, MOST)
    per_query = first.row.per_query and second.row.per_query
    swapped = per_query and first.row.metric == "error"  # an error counts what is not correct
    plus, minus = (other, one) if swapped else (one, other)
    answers = tabulate(layout, episodes[:few], plus[:few], minus=minus[:few], per_query=per_query)
    differences = one.values - other.values
    return Comparison(
        *_names(first, second),
        first.row.task,
        float(differences.mean()),
        improvement(differences),
        {name: found for name, found in compare_answers(answers, differences).items() if name in first.row.intervals},
    )


def _names(first: Kept, second: Kept) -> tuple[str, str]:
    """The learners, with their folders where that is needed to tell them apart."""
    if first.row.learner != second.row.learner:
        return first.row.learner, second.row.learner
    return f"{first.row.learner} ({first.folder})", f"{second.row.learner} ({second.folder})"
