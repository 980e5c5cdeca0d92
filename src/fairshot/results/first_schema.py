"""Tables that the first schema kept as text, read back: the numbers in full where rows have them."""

import math
import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from scipy import stats

NUMBER = r"[+-]?\d[\d,]*(?:\.\d+)?"
MEASURED = re.compile(rf"({NUMBER})(?: \[({NUMBER}), ({NUMBER})\])?")
DIFFERENCE = re.compile(rf"({NUMBER}) \[(?:none|({NUMBER}), ({NUMBER}))\](?: over (.+))?")
TRIALS = re.compile(r"(\d+)-way, each class asked for (\d+) times")
INSTEAD = " instead of "  # what only a row of a difference has in its task
PAIR_STATISTICS = {"spearman": "ρ", "pearson": "r", "r_squared": "R²"}
TRUTHS = ("NovelGen", "test images")  # what choices are judged by, as rows name it
SIDES = {"BaseGen": 2, "NovelGen": 4}  # the column with the difference of each

Fields = dict[str, Any]


class Facts(BaseModel):
    """A table as text."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str = ""


def typed_tables(facts: Sequence[Facts]) -> list[Fields]:
    """Tables whose cells are numbers, as they were shown, wherever they are numbers."""
    return [
        {
            "title": table.title,
            "columns": [{"name": name} for name in table.columns],
            "rows": [[_cell(text) for text in row] for row in table.rows],
            "notes": [table.note] if table.note else [],
        }
        for table in facts
    ]


def _cell(text: str) -> Fields | str | None:
    """A number with its interval, or the text that it is."""
    told = MEASURED.fullmatch(text)
    if not told:
        return text or None
    value, low, high = (None if part is None else _number(part) for part in told.groups())
    return {"value": value, "low": low, "high": high, "digits": len(told[1].partition(".")[2])}


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def pair_rows(rows: Sequence[Fields], facts: Sequence[Facts], classes: int) -> list[Fields]:
    """Rows of correlations with the table that each is from, its p value, and published bounds."""
    tables = {(line[0], line[1]): (table, line) for table in facts for line in table.rows if table.columns[0] == "one"}
    return [
        row | _pair_fields(row, *tables[row["learner"], row["task"]], classes)
        if row["metric"] in PAIR_STATISTICS and (row["learner"], row["task"]) in tables
        else row | {"difference": INSTEAD in row["task"]}
        for row in rows
    ]


def _pair_fields(row: Fields, table: Facts, line: Sequence[str], classes: int) -> Fields:
    published = line[table.columns.index(f"published {PAIR_STATISTICS[row['metric']]}")]
    above = _number(published.removeprefix("> ")) if published.startswith("> ") else None
    p_value = None
    if row["metric"] == "spearman" and row["value"] is not None:
        p_value = spearman_p(row["value"], classes)
    return {"kind": "agreement", "table": table.title, "p_value": p_value, "published_above": above}


def asked_times(facts: Sequence[Facts]) -> dict[str, int]:
    """How many classes a trial had, and how often each was asked for, as a note says."""
    told = next((told for table in facts if (told := TRIALS.match(table.note))), None)
    return {"way": int(told[1]), "times": int(told[2])} if told else {}


def spearman_p(correlation: float, count: int) -> float:
    """That ranks of so many things have nothing to do with one another, by the t distribution as scipy has it."""
    if abs(correlation) >= 1:
        return 0.0
    freedom = count - 2
    statistic = correlation * math.sqrt(freedom / ((correlation + 1) * (1 - correlation)))
    return float(2 * stats.t.sf(abs(statistic), freedom))


def choice_losses(rows: Sequence[Fields], facts: Sequence[Facts]) -> list[Fields]:
    """What every rule of choice lost, in fractions."""
    table = next(table for table in facts if table.title == "losses")
    values = {_place(row): row["value"] for row in rows if row["part"] in TRUTHS or row["task"] in TRUTHS}
    losses = []
    for line in table.rows:
        choice, learner = line[0], line[1] if len(line) == 7 else ""
        rule, chosen, best, plain, crossed = line[-5:]
        one, other = (values[choice, learner, name] for name in (best, chosen))
        losses.append(
            {
                "choice": choice,
                "learner": learner,
                "rule": rule,
                "chosen": chosen,
                "best": best,
                "plain": in_full(one - other, _number(plain) / 100, digits=4),
                "crossed": _number(crossed) / 100,
            }
        )
    return losses


def _place(row: Fields) -> tuple[str, str, str]:
    """By what a loss names a row: benchmark, learner and snapshot, or choice and variant."""
    if "snapshot" in row:
        return row["benchmark"], row["learner"], str(row["snapshot"])
    choice, _, variant = row["learner"].rpartition(": ")
    return choice, "", variant


def variant_differences(rows: Sequence[Fields], facts: Sequence[Facts]) -> list[Fields]:
    """What every variant scored more than the first of its choice, in fractions."""
    values = {(row["learner"], row["task"]): row["value"] for row in rows}
    differences, first = [], ""
    for line in (line for table in facts if table.title == "trades" for line in table.rows):
        if not line[2]:
            first = line[0]
            continue
        for task, column in SIDES.items():
            exact = values[line[0], task] - values[first, task]
            differences.append({"learner": line[0], "against": first, "task": task} | _difference(line[column], exact))
    return differences


def _difference(text: str, exact: float) -> Fields:
    told = DIFFERENCE.fullmatch(text)
    if not told:
        raise ValueError(f"'{text}' is no difference")
    value, low, high = (None if part is None else _number(part) / 100 for part in told.groups()[:3])
    assert value is not None
    interval = None if low is None else (low, high)
    return {"value": in_full(exact, value, digits=3), "interval": interval, "population": told[4] or ""}


def in_full(exact: float, rounded: float, *, digits: int) -> float:
    """The number that rows give, if it is what the text says; otherwise that of the text."""
    return exact if abs(exact - rounded) <= 0.5001 * 10**-digits else rounded
