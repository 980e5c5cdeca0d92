"""Learners that draw random numbers, with several seeds: would other numbers change the mean?"""

from collections.abc import Sequence
from typing import Any

from fairshot.evaluation.cell import Cell
from fairshot.evaluation.run_means import mean_row
from fairshot.learners.learner import Classifier
from fairshot.results.schema import Row
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.scores import Scores

NOT_RANDOM = "the learner draws no random numbers, so that other seeds would change nothing"

RUNS, BOTH, SEEDS = "runs", "runs and classes", "seeds"


def refuse_seeds(count: int | None, runs: str | None) -> None:
    """Raises where a number of seeds makes no sense."""
    if count is not None and count < 2:
        raise FairshotError(f"{count} seeds of each learner were asked for: ask for at least 2, one tells of no others")
    if count is not None and runs is not None:
        raise FairshotError("runs and learner_seeds cannot be had at once: leave one of them out")


def seeds_of(learner: Classifier, count: int | None) -> list[Classifier]:
    """A random learner with so many seeds, from 0 on; any other, or where nobody asks, as it is."""
    return [learner] if count is None or not learner.random else [learner.reseeded(seed) for seed in range(count)]


def by_learner(cells: Sequence[Cell], rows: Sequence[Row], scores: Sequence[Scores]) -> list[Row]:
    """A row for each learner: the mean of its seeds, made as that of training runs, or its only one and why it is."""
    merged = []
    for name in dict.fromkeys(row.learner for row in rows):
        places = [place for place, row in enumerate(rows) if row.learner == name]
        first = rows[places[0]]
        if len(places) == 1:
            merged.append(_alone(first))
            continue
        settings = {**first.settings, "learner_seeds": len(places)}
        mean = mean_row(
            name,
            [cells[place] for place in places],
            [rows[place] for place in places],
            [scores[place] for place in places],
        )
        merged.append(_of_seeds(mean, settings))
    return merged


def _alone(row: Row) -> Row:
    notes = [*row.notes, f"{SEEDS}: {NOT_RANDOM}"]
    return row.model_copy(update={"intervals": {**row.intervals, SEEDS: None}, "notes": notes})


def _of_seeds(mean: Row, settings: dict[str, Any]) -> Row:
    """A mean of training runs as one of seeds, which are as good as other episodes for telling of other classes."""
    intervals = {SEEDS if name == RUNS else name: ends for name, ends in mean.intervals.items() if name != BOTH}
    notes = [
        note.replace(f"{RUNS}:", f"{SEEDS}:", 1) if note.startswith(f"{RUNS}:") else note
        for note in mean.notes
        if not note.startswith(f"{BOTH}:")
    ]
    return mean.model_copy(update={"intervals": intervals, "notes": notes, "settings": settings})
