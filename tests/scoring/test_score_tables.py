"""The report of scores: what stands in it, within 80 columns."""

import pytest

from fairshot.scoring.measures.measure import find_measures
from fairshot.scoring.sample_scores import SampleScores
from tests.scoring.small_world import value


def test_names_of_sets_are_no_emoji(found: SampleScores) -> None:
    rows = [row.model_copy(update={"learner": f"{row.learner}:ok:"}) for row in found.rows]
    shown = str(found.model_copy(update={"rows": rows, "notes": ["mine.py:ok: was read"]}))
    assert "copy:ok:" in shown
    assert "Note: mine.py:ok: was read." in shown


def test_many_sets_stand_in_several_tables(found: SampleScores) -> None:
    copies = [row for row in found.rows if row.learner == "copy"]
    rows = [row.model_copy(update={"learner": f"generator{n}"}) for n in range(11) for row in copies]
    text = found.model_copy(update={"rows": rows}).to_text(width=80)
    lines = [line.split() for line in text.splitlines() if line.startswith("vendi ")]
    assert [len(line) for line in lines] == [5, 5, 4], "four sets and people"


def test_the_report_has_every_number_that_counts(found: SampleScores) -> None:
    text = found.to_text(width=80)
    assert max(map(len, text.splitlines())) <= 80
    words = " ".join(text.split())
    assert text.startswith("Of 3 sets, fresh is nearest to people by its distance of ")
    assert words.startswith(found.verdict)
    assert "6 classes of glyphs/parents/novel, recipe diversity, by the critics" in words
    assert "4-way by prototypes, each class asked for 40 times." in words
    for measure in find_measures():
        assert measure in text
    assert "Note: the exemplar is never the human drawing that is to be recognised." in text
    assert "Spearman" in text
    assert "line length" in text


def test_tables_hold_the_numbers_of_the_rows(found: SampleScores) -> None:
    axes, differences, distances, *_ = found.tables()
    assert axes.rows[0][0] == "copy"
    assert [column.name for column in axes.columns] == ["samples", "diversity", "recognizability", "copies", "distance"]
    for row in axes.rows:
        for column, cell in zip(axes.columns[1:], row[1:], strict=True):
            assert (cell is None) == (row[0] == "human" and column.name == "distance")
            assert cell is None or cell.value == value(found, str(row[0]), column.name)
    assert [column.name for column in differences.columns] == ["one", "other", "diversity", "p", "recognizability", "p"]
    (apart,) = [row for row in differences.rows if row[:2] == ["copy", "human"]]
    assert apart[2].value == pytest.approx(-value(found, "human", "diversity"))
    assert apart[2].low < apart[2].high < 0
    assert apart[3].value < 0.05, "copies do not differ, and drawings of people do"
    assert [row[:2] for row in distances.rows] == [["copy", "strangers"], ["copy", "fresh"], ["strangers", "fresh"]]


def test_shares_are_typed_as_such(found: SampleScores) -> None:
    axes, differences, *_ = found.tables()
    assert [cell.unit for cell in axes.rows[0][1:]] == ["", "share", "share", ""]
    assert [cell.unit for cell in differences.rows[0][2:5]] == ["", "p", "points"]


def test_other_parents_are_named(found: SampleScores) -> None:
    rows = [row.model_copy(update={"intervals": {**row.intervals, "parents": None}}) for row in found.rows]
    assert "of other parents where they count" not in found.to_text(width=200)
    assert "of other parents where they count" in found.model_copy(update={"rows": rows}).to_text(width=200)
