"""Charts of the studies of both sides: places of learners, and how often other classes reverse a comparison."""

import json
from typing import Any

import pytest

from fairshot.reports.charts.chart import to_spec
from fairshot.reports.charts.flip_curves import MEASURED, PREDICTED
from fairshot.reports.study_pictures import draw_study_pictures
from fairshot.results.schema import Result, read_result
from fairshot.results.study_rows import FlipRow, RankRow
from tests.panels import datasets
from tests.paths import RESULTS

pytestmark = pytest.mark.results


def drawn(name: str) -> tuple[Result, dict[str, list[dict[str, Any]]]]:
    result = read_result(RESULTS / f"{name}.json")
    return result, {file: unique(to_spec(chart)) for file, chart in draw_study_pictures(result)}


def unique(spec: Any) -> list[dict[str, Any]]:
    """Rows that several layers share, once."""
    return list({json.dumps(row): row for rows in datasets(spec) for row in rows}.values())


def test_every_place_is_drawn_with_the_places_that_it_could_have() -> None:
    result, charts = drawn("two_sides_table1")
    ranked = [row for row in result.rows if isinstance(row, RankRow) and row.rank is not None]
    marks = {(row["learner"], row["benchmark"]): row for row in charts["places.svg"]}
    assert len(marks) == len(ranked)
    for row in ranked:
        mark = marks[row.learner, f"{row.task} ({row.side})"]
        assert (mark["rank"], mark["best"], mark["worst"]) == (row.rank, *row.ranks)


def test_every_flip_is_drawn_beside_what_was_predicted() -> None:
    result, charts = drawn("two_sides_flips")
    flips = [row for row in result.rows if isinstance(row, FlipRow)]
    marks = [row for row in charts["flips.svg"] if "kind" in row]
    measured = sorted(mark["share"] for mark in marks if mark["kind"] == MEASURED)
    assert measured == sorted(row.value for row in flips)
    assert sum(mark["kind"] == PREDICTED for mark in marks) == sum(row.predicted is not None for row in flips)
