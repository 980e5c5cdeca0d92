"""Comparisons as tables."""

import itertools

from fairshot.reports.comparisons import comparison_tables
from fairshot.statistics.comparison import Comparison, Difference
from fairshot.statistics.estimate import Estimate
from fairshot.tables.render import to_text


def make_comparison(first: str, second: str, value: float, p_value: float | None) -> Comparison:
    reason = "" if p_value is not None else "too few episodes"
    low, high = (value - 0.01, value + 0.01) if p_value is not None else (None, None)
    estimate = Estimate(
        value=value, low=low, high=high, level=0.95, method="pairs, t", population="classes", reason=reason
    )
    difference = Difference(estimate, p_value, 0.02 if p_value is not None else None, 2.5)
    return Comparison(
        first=first,
        second=second,
        task="one",
        value=value,
        improvement=0.5,
        differences={"classes": difference},
        units={"classes": 40, "episodes": 100},
    )


def shown(comparisons: list[Comparison], *, pairs: bool = False) -> str:
    return to_text(comparison_tables(comparisons, pairs=pairs), width=80)


def test_many_learners_are_a_matrix_whose_stars_survive_holm() -> None:
    values = {"a": 0.9, "b": 0.8, "c": 0.795, "[d]": 0.5}
    p_values = {("a", "b"): 0.001, ("a", "c"): 0.03, ("b", "c"): 0.9}
    pairs = [
        make_comparison(one, two, values[one] - values[two], p_values.get((one, two), None if two == "[d]" else 1.0))
        for one, two in itertools.combinations(values, 2)
    ]
    lines = [line.split() for line in shown(pairs).splitlines() if line.strip()]
    assert lines[3] == ["1", "a", "+10.0*", "+10.5", "+40.0?"]
    assert lines[6] == ["4", "[d]", "-40.0?", "-30.0?", "-29.5?"]
    assert "at p < 0.05 after Holm" in " ".join(shown(pairs).split())
    assert "needed to distinguish" not in shown(pairs)
    assert shown(pairs, pairs=True).count("needed to distinguish") == 6


def test_few_learners_are_pairs_that_say_what_it_would_take() -> None:
    text = shown([make_comparison("a", "b", 0.005, 0.4)])
    assert "100 classes (now 40)" in text


def test_no_line_is_wider_than_80_columns_and_no_number_is_cut() -> None:
    names = [f"learner with a long name, number {number}" for number in range(9)]
    pairs = [make_comparison(one, two, -0.123456, 1e-9) for one, two in itertools.combinations(names, 2)]
    for text in (shown(pairs), shown(pairs, pairs=True), shown(pairs[:1])):
        assert max(map(len, text.splitlines())) <= 80
        assert "…" not in text
    assert "[-13.35, -11.35]" in shown(pairs[:1])
