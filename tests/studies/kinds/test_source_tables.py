"""What readers are shown of learners on many sources: every number in its place, and whom brackets are for."""

from functools import cache

import pytest

from fairshot.results.schema import parse_result
from fairshot.results.source_rows import ManySourcesResult, SourceRow
from fairshot.studies.kinds.source_tables import source_tables
from fairshot.tables.render import to_markdown
from fairshot.tables.table import Quantity, Table
from tests.studies.kinds.small_sources import HEADING, SETTINGS, SOURCES, make_result


@cache
def tables() -> dict[str, Table]:
    """By title."""
    return {table.title: table for table in source_tables(HEADING, make_result())}


def quantity(table: Table, row: str, column: str) -> Quantity:
    """The cell of a line, which its first cell names."""
    cell = table.column(column)[[line[0] for line in table.rows].index(row)]
    assert isinstance(cell, Quantity)
    return cell


def test_all_that_was_asked_for_has_a_table() -> None:
    assert list(tables()) == [
        "sources",
        "trainings",
        "accuracies in whole episodes, trained on one",
        "accuracies in whole episodes, trained on many",
        "gains by training on many sources",
        "published gains by training on many sources",
        "CSCC",
        "fine and coarse tasks",
        "accuracies in small episodes, trained on one",
        "accuracies in small episodes, trained on many",
        "ranks over sources",
        "directions that both documents share",
    ]


def test_accuracies_stand_under_their_learner_beside_their_source() -> None:
    for row in make_result().rows:
        if isinstance(row, SourceRow) and row.metric == "accuracy":
            table = tables()[f"accuracies in {'small' if row.small else 'whole'} episodes, trained on {row.setting}"]
            cell = quantity(table, row.source, row.head)
            assert (cell.value, cell.low) == (row.value, (row.quoted or row.intervals["episodes"])[0])


def test_gains_stand_beside_their_source_and_published_ones_apart() -> None:
    for one in make_result().differences:
        cell = quantity(tables()["gains by training on many sources"], one.source, one.learner)
        assert (cell.value, cell.population) == (one.value, one.population)
    published = tables()["published gains by training on many sources"]
    assert [column.name for column in published.columns] == ["source", "k-NN", "Prototypes"]
    assert quantity(published, "Fish", "k-NN").value == 0, "a published 0 is a number"
    assert published.rows[0][2] is None, "and what was not published is none"


def test_the_letter_behind_an_interval_says_whom_it_is_for() -> None:
    for table in tables().values():
        cells = [cell for line in table.rows for cell in line if isinstance(cell, Quantity)]
        marks = {cell.mark for cell in cells if cell.mark}
        (note,) = [note for note in table.notes if note.startswith("In brackets")] or [""]
        assert all(f"({mark})" in note for mark in marks)
    notes = " ".join(note for table in tables().values() for note in table.notes)
    assert "other classes of this kind, images too" in notes


def test_ratios_above_one_beyond_their_interval_are_named() -> None:
    def with_interval(low: float, high: float) -> Table:
        rows = [
            row.model_copy(update={"intervals": {"classes": (low, high)}, "headline": "classes"})
            if row.metric == "cscc" and (row.source, row.setting) == ("Marks", "many")
            else row
            for row in make_result().rows
        ]
        (table,) = [
            table
            for table in source_tables(HEADING, make_result().model_copy(update={"rows": rows}))
            if table.title == "CSCC"
        ]
        return table

    assert "Clusters: above 1 beyond its interval on Marks (many)." in with_interval(1.01, 1.2).notes
    assert "Clusters: above 1 beyond its interval on no source." in with_interval(0.99, 1.2).notes
    assert quantity(tables()["CSCC"], "Fish", "published, Clusters (one)").value == 0.5


def test_fine_and_coarse_tasks_have_a_line_for_each_height_and_kind_of_parents() -> None:
    lines = [(line[0], line[1]) for line in tables()["fine and coarse tasks"].rows]
    for setting in SETTINGS:
        heights = sorted({int(point.low_x) for point in make_result().points if point.axis == "height"})
        assert [kind for own, kind in lines if own == setting] == [
            *(f"height {height}" for height in heights),
            "any parents",
            "one parent",
        ]


def test_ranks_end_with_both_tests() -> None:
    table = tables()["ranks over sources"]
    assert [line[0] for line in table.rows] == [*HEADING.ranked, "Friedman's p", "critical difference"]
    for rank in make_result().ranks:
        cell = quantity(table, rank.learner, rank.setting)
        assert (cell.value, cell.low, cell.high) == (rank.value, *rank.interval)
    assert quantity(table, "Friedman's p", "one").value == make_result().friedman["one"]


def test_a_part_of_the_study_shows_its_trainings_alone() -> None:
    part = ManySourcesResult(
        seed=0, source=make_result().source, episodes_key="k", rows=[], training={"start": {"steps": 3, "seconds": 4.0}}
    )
    (table,) = source_tables(HEADING, part)
    assert (table.title, table.rows[0][0], table.rows[0][2]) == ("trainings", "start", 3)


def test_tables_are_the_same_after_a_file(tmp_path: object) -> None:
    again = parse_result(make_result().model_dump(mode="json", by_alias=True))
    assert isinstance(again, ManySourcesResult)
    assert again == make_result()
    assert source_tables(HEADING, again) == list(tables().values())


@pytest.mark.parametrize("tested", SOURCES)
def test_what_a_source_lacks_stands_beside_it(tested: object) -> None:
    assert tested.lacks in to_markdown(list(tables().values()))
