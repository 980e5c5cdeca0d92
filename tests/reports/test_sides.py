"""Two kinds of episodes side by side."""

import pytest

from fairshot.reports.result_tables import view_tables
from fairshot.reports.sides import sides
from fairshot.results.schema import Result
from fairshot.tables.render import to_text
from tests.reports.test_evaluations import FIXED, make_result, make_row


def both_sides(*others: object) -> Result:
    within = make_row("a", "within-parent 5-way", 0.25).model_copy(update={"counterpart": "5-way"})
    return make_result(make_row("a", "5-way", 0.5), within, *others)


def test_beside_two_kinds_of_episodes_a_fixed_list_is_told_apart() -> None:
    fixed = make_row("a", "Lake's 20 runs", 0.5).model_copy(update={"scores": [0.4, 0.6]})
    texts = [
        to_text(view_tables(both_sides(other), "sides"), width=80)
        for other in (fixed, make_row("a", "closed 5-way", 0.5))
    ]
    assert FIXED in " ".join(texts[0].split())
    assert ["learner", "episodes", "of", "accuracy,", "%", "such", "episodes,", "%"] in [
        line.split() for line in texts[0].splitlines()
    ]
    assert "Such episodes" not in texts[1]
    assert ["learner", "episodes", "of", "accuracy,", "%", "usual", "CI,", "%"] in [
        line.split() for line in texts[1].splitlines()
    ]


def test_rows_are_paired_by_their_counterpart_and_not_by_their_label() -> None:
    (pair,), others = sides(both_sides(make_row("b", "within-parent 5-way", 0.5)))
    assert (pair.any.task, pair.within.task, pair.ratio) == ("5-way", "within-parent 5-way", 1.5)
    assert [row.learner for row in others] == ["b"]
    (table, rest) = view_tables(both_sides(make_row("b", "within-parent 5-way", 0.5)), "sides")
    assert table.column("ratio of errors")[0].value == pytest.approx(1.5)
    assert rest.column("learner") == ["b"]
