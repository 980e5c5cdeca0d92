"""The mean of several training runs of one method, or of several seeds of one learner, as a row of its own."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairshot.evaluation.cell import Cell, estimate_fields
from fairshot.results.schema import Row
from fairshot.runtime.fingerprints import fingerprint
from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Estimate, Spread, refuse
from fairshot.statistics.intervals.runs import mean_of_runs, over_runs, over_runs_and_classes
from fairshot.statistics.scores import Scores
from fairshot.statistics.sequential import inflation


def mean_row(name: str, cells: Sequence[Cell], rows: Sequence[Row], scores: Sequence[Scores]) -> Row:
    """The mean of several runs, with intervals for other runs too."""
    values = np.stack([run.values for run in scores])
    per_query = all(cell.per_query for cell in cells)
    answers = [cell.answers(run, per_query) for cell, run in zip(cells, scores, strict=True)]
    mean_answers = mean_of_runs(answers)
    estimates = cells[0].estimates(mean_answers, values.mean(axis=0), rows[0].sequential)
    estimates |= _over_runs(cells[0], answers, values, sequential=rows[0].sequential, classes="classes" in estimates)
    keys = [row.scores_key for row in rows]
    return rows[0].model_copy(
        update={
            "learner": name,
            "settings": {"runs": [row.learner for row in rows]},
            "scores_key": fingerprint(keys),
            "runs": keys,
            "per_query": per_query,
            "scores": None if rows[0].scores is None else values.mean(axis=0).tolist(),
            **estimate_fields(estimates, mean_answers.layout),
        }
    )


def _over_runs(
    cell: Cell, answers: Sequence[Answers], values: np.ndarray, *, sequential: bool, classes: bool
) -> dict[str, Estimate]:
    """The mean with intervals for other runs, and where there is one for classes, for both at once."""
    spreads = {"runs": over_runs(values)}
    if classes:
        spreads["runs and classes"] = over_runs_and_classes(list(answers))
    mean, worst = values.mean(axis=0), cell.worst(mean_of_runs(list(answers)))
    estimates = {}
    for population, spread in spreads.items():
        if isinstance(spread, Spread) and sequential:
            spread = replace(spread, sampling=inflation(mean) * spread.sampling)
        estimates[population] = (
            refuse(float(mean.mean()), population, spread) if isinstance(spread, str) else spread.estimate(worst=worst)
        )
    return estimates
