"""Numbers as readers see them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.tables.quantities import reasons, show_cell, show_quantity, show_table
from fairshot.tables.table import Column, Quantity, Table


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity(value=0.9563, unit="share"), "95.6%"),
        (Quantity(value=0.9563, unit="share", low=0.949, high=0.961), "95.6% [94.9, 96.1]"),
        (Quantity(value=0.9563, unit="share", low=0.949, high=0.961, quoted=True), "95.6% [94.9, 96.1]*"),
        (Quantity(value=None, unit="share", low=0.949, high=0.961, quoted=True), "[94.9, 96.1]*"),
        (Quantity(value=0.013, unit="points", low=-0.0001, high=0.02), "+1.3 points [0.0, +2.0]"),
        (Quantity(value=0.0001, unit="points"), "0.0 points"),
        (Quantity(value=-0.0001, unit="points"), "0.0 points"),
        (Quantity(value=0.0005, unit="points", digits=2, signed=False), "0.05 points"),
        (Quantity(value=0.384, signed=True, digits=3), "+0.384"),
        (Quantity(value=5.0, deviation=0.31), "5.00 ± 0.31"),
        (Quantity(value=0.44, bound=">"), "> 0.44"),
        (Quantity(value=None, why="too few"), "N/A"),
        (Quantity(value=math.nan, unit="share"), "N/A"),
        (Quantity(value=0.5, unit="share", why="too few classes"), "50.0% [none]"),
        (Quantity(value=12345.0, unit="count"), "12,345"),
        (Quantity(value=2.5, unit="ratio", digits=1), "2.5"),
        (Quantity(value=0.0312, unit="p"), "0.031"),
        (Quantity(value=2.3e-37, unit="p"), "2e-37"),
        (Quantity(value=0.0, unit="p"), "0"),
        (Quantity(value=20.649, unit="seconds"), "20.65"),
    ],
)
def test_a_quantity_in_words(quantity: Quantity, text: str) -> None:
    assert show_quantity(quantity) == text


def test_other_cells_in_words() -> None:
    assert [show_cell(cell) for cell in (None, "a\nb", 12345, 0.5, True, False)] == [
        "",
        r"a\nb",
        "12,345",
        "0.50",
        "yes",
        "no",
    ]


def test_a_unit_stands_in_the_heading_only_where_the_whole_column_shares_it() -> None:
    share, number = Quantity(value=0.5, unit="share"), Quantity(value=0.5)
    columns = [Column(name="a"), Column(name="b"), Column(name="c")]
    shown = show_table(Table(columns=columns, rows=[[share, share, "x"], [share, number, None]]))
    assert shown.headings == ["a, %", "b", "c"]
    assert shown.rows == [["50.0", "50.0%", "x"], ["50.0", "0.50", ""]]
    assert shown.numeric == [True, True, False]


def test_reasons_are_told_once() -> None:
    lacking = [Quantity(value=None, why="no images"), Quantity(value=0.5, why="few"), Quantity(value=0.4, why="few")]
    table = Table(columns=[Column(name="a")], rows=[[cell] for cell in lacking])
    assert list(reasons(table)) == ["N/A: no images", "[none]: few"]
    many = Table(columns=[Column(name="a")], rows=[[Quantity(value=None, why=str(number))] for number in range(6)])
    assert list(reasons(many))[-1] == "2 more reasons for missing numbers: --json has them all"


@given(st.floats(-1, 1), st.integers(0, 3))
def test_nothing_left_after_rounding_has_no_sign(value: float, digits: int) -> None:
    text = show_quantity(Quantity(value=value, unit="points", digits=digits), with_unit=False)
    assert float(text) == pytest.approx(100 * value, abs=0.51 * 10**-digits)
    assert float(text) != 0 or text[0] == "0"
