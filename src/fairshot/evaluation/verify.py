"""The verb `verify`: does a result follow from the answers that it was kept with?

Nothing is answered anew, so no learner and no weights are needed: every number is made again from the correctness of
each query and from who was in each episode. With the data, it is compared, too.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.results.evaluation import Evaluation
from fairshot.results.passport import load_result
from fairshot.results.schema import Row
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import as_part
from fairshot.specs.metrics import find_metric
from fairshot.statistics.answers import Layout
from fairshot.statistics.intervals.populations import MOST, estimate_all
from fairshot.tables.table import Cell, Table, plain_columns
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of
from fairshot.tasks.episodes import PAD, Episodes

ROUNDING = 1e-9  # by how much another processor may differ


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: whether it is as it should be, and what was seen."""

    name: str
    holds: bool
    seen: str


@dataclass(frozen=True, repr=False)
class Verification(Tabular):
    """All that was looked at; true if all of it holds."""

    name: str
    checks: tuple[Check, ...]

    def __bool__(self) -> bool:
        return all(check.holds for check in self.checks)

    def __iter__(self) -> Iterator[Check]:
        return iter(self.checks)

    def in_brief(self) -> str:
        """What was verified, and how it ended."""
        return f"{self.name} {'holds' if self else 'does not hold'}"

    def summary(self) -> str:
        """The same as a sentence."""
        return f"{self.in_brief()}."

    def tables(self) -> list[Table]:
        """A line for each check."""
        rows: list[list[Cell]] = [[check.name, "ok" if check.holds else "WRONG", check.seen] for check in self.checks]
        return [Table(columns=plain_columns("check", "outcome", "seen"), rows=rows)]

    def to_json(self, command: Any = ()) -> str:
        """One JSON object."""
        checks = [asdict(check) for check in self.checks]
        return json.dumps({"command": list(command), "holds": bool(self), "checks": checks}, indent=1)


def verify(result: Any, data: Any = None, **where: Any) -> Verification:
    """Makes every number of a result again from its answers, and compares the data where it is given.

    `result` is an evaluation, a folder that one was saved to, or a passport; `where` says which part of the data it is
    of and how it is prepared, as for `evaluate`.
    """
    in_hand = isinstance(result, Evaluation)
    evaluation: Evaluation = result if in_hand else load_result(Path(result))
    rows = [row for row in evaluation.rows if row.value is not None and (row.scores_key or row.runs)]
    looks: list[tuple[str, Callable[[Row], str]]] = [
        ("episodes", lambda row: _wrong_episodes(*evaluation.records.episodes(row.episodes_key, row.episodes))),
        ("answers", lambda row: _wrong_answers(evaluation, row)),
        ("values", lambda row: _wrong_value(evaluation, row)),
        ("intervals", lambda row: _wrong_intervals(evaluation, row)),
    ]
    checks = [_look(name, look, rows) for name, look in looks]
    if data is not None:
        checks.append(_compare_data(evaluation, data, where))
    return Verification(evaluation.source.name if in_hand else str(result), tuple(checks))


def _look(name: str, look: Callable[[Row], str], rows: list[Row]) -> Check:
    """One look at every row; the first that is wrong is named."""
    for row in rows:
        try:
            wrong = look(row)
        except FairshotError as error:
            wrong = str(error)
        if wrong:
            return Check(name, False, f"{row.learner}, {row.task}: {wrong}")
    return Check(name, True, f"of {count_of(len(rows), 'row')}")


def _wrong_episodes(layout: Layout, episodes: Episodes) -> str:
    """What is wrong with the episodes: every image is of the class it stands for, and none is both shown and asked."""
    if layout.refused:
        return ""
    owner = np.full(int(layout.image_ids.max()) + 1, PAD)
    owner[layout.image_ids] = layout.classes[layout.owner]
    for ids, labels in ((episodes.support_ids, episodes.support_labels), (episodes.query_ids, episodes.query_labels)):
        real = labels != PAD
        named = np.take_along_axis(episodes.class_ids, np.maximum(labels, 0), 1)
        if ((ids < 0) | (ids >= len(owner)))[real].any() or (owner[ids[real]] != named[real]).any():
            return "an image is not of the class that it stands for"
    for support, query in zip(episodes.support_ids, episodes.query_ids, strict=True):
        if np.intersect1d(support[support != PAD], query[query != PAD]).size:
            return "an image is asked that was shown"
    return ""


def _wrong_answers(evaluation: Evaluation, row: Row) -> str:
    """What is wrong with the answers: there are as many as episodes and queries, and each was asked."""
    _, episodes = evaluation.records.episodes(row.episodes_key, row.episodes)
    for scores in evaluation.scores(row):
        if len(scores) < row.episodes or len(episodes) < row.episodes:
            return f"{min(len(scores), len(episodes))} episodes are kept, and it says {row.episodes}"
        width = min(scores.asked.shape[1], episodes.query_labels.shape[1])
        asked = episodes.query_labels[:, :width] != PAD
        if (scores.asked[:, :width] & ~asked).any() or scores.asked[:, width:].any():
            return "a query was answered that was not asked"
    return ""


def _wrong_value(evaluation: Evaluation, row: Row) -> str:
    """What is wrong with the mean."""
    every = [scores.values for scores in evaluation.scores(row)]
    if row.metric in ("accuracy", "error"):
        for scores in evaluation.scores(row):
            marked = find_metric(row.metric).marked(scores.correct) & scores.asked  # type: ignore[attr-defined]
            if not np.allclose(marked.sum(1) / scores.asked.sum(1), scores.values, rtol=0, atol=1e-6):
                return "scores are not the share of queries that they should be"
    mean = float(np.mean(every))
    return "" if abs(mean - (row.value or 0.0)) < ROUNDING else f"the mean is {mean!r}, and it says {row.value!r}"


def _wrong_intervals(evaluation: Evaluation, row: Row) -> str:
    """What is wrong with the intervals of a mean of shares; those of runs and of other metrics are not made again."""
    if row.runs or row.metric not in ("accuracy", "error") or "classes" not in row.intervals:
        return ""
    metric, (scores,) = find_metric(row.metric), evaluation.scores(row)
    answers = evaluation.answers(row, min(len(scores), MOST))
    if row.metric == "error":
        answers = replace(answers, correct=1 - answers.correct)
    worst = metric.of_hopeless(float((1 / answers.way).mean()))
    for name, estimate in estimate_all(answers, scores.values, sequential=row.sequential, worst=worst).items():
        said = row.intervals.get(name)
        if (said is None) != (estimate.interval is None):
            return f"the interval for {name} is {estimate.interval}, and it says {said}"
        if said is not None and not np.allclose(said, estimate.interval or (), rtol=0, atol=1e-6):
            return f"the interval for {name} is {estimate.interval}, and it says {said}"
    return ""


def _compare_data(evaluation: Evaluation, data: Any, where: dict[str, Any]) -> Check:
    """Whether the data is what the result says, pixel by pixel."""
    part, said = as_part(data, **where)[0], evaluation.source
    same = part.fingerprint == said.fingerprint
    seen = f"{part.name}, {part.recipe.name}: fingerprint {part.fingerprint}"
    return Check("data", same, seen if same else f"{seen}, and it says {said.fingerprint} ({said.name}, {said.recipe})")
