"""Comparisons as tables."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from fairshot import reports
from fairshot.reports.best_method import best_of_pairs
from fairshot.reports.comparisons import comparison_tables
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.comparison import Comparison, Difference
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.forecast import Between, forecast
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


def with_level(comparison: Comparison, level: float) -> Comparison:
    made = {
        name: replace(one, estimate=replace(one.estimate, level=level)) for name, one in comparison.differences.items()
    }
    return replace(comparison, differences=made)


def test_the_level_is_that_of_the_intervals() -> None:
    assert "95% interval" in shown([make_comparison("a", "b", 0.005, 0.4)])
    text = shown([with_level(make_comparison("a", "b", 0.005, 0.4), 0.9)])
    assert "90% interval" in text
    assert "95%" not in text
    clear = with_level(make_comparison("a", "b", 0.1, 0.001), 0.995)
    assert best_of_pairs([clear]).endswith(" Points, 99.5% intervals for new classes.")


def test_no_report_has_a_level_of_its_own() -> None:
    written = {file.name for file in Path(reports.__file__).parent.rglob("*.py") if "95%" in file.read_text()}
    assert written == set()


def test_learners_that_answer_alike_are_said_to() -> None:
    nothing = Estimate(value=0.0, low=0.0, high=0.0, level=0.95, method="pairs, t", population="classes")
    between = Between(0.0, 0.0, 5.0, 40)
    difference = Difference(nothing, 1.0, 0.0, None, between, forecast(0.0, between))
    same = replace(make_comparison("a", "b", 0.0, 1.0), differences={"classes": difference})
    text = " ".join(shown([same]).split())
    assert "a - b, one: they answer alike in every episode" in text
    assert "Both answer alike in every episode, so what other classes would show is not known." in text
    assert "may show either ahead" not in text
    assert best_of_pairs([same]) == "a and b answer alike in every episode."
    worse = make_comparison("a", "c", 0.1, 0.001), make_comparison("b", "c", 0.1, 0.001)
    told = best_of_pairs([same, *worse])
    lead = "a beats c on new classes of this kind: +10.0 points [9.0, 11.0]. a and b answer alike in every episode. "
    assert told.startswith(lead)


def with_forecast(first: str, second: str, value: float, width: float, headline: str = "classes") -> Comparison:
    between = Between((width / 2) ** 2, 0.0, 30.0, 20)
    estimate = Estimate(value=value, low=value - width, high=value + width, level=0.95, method="t", population=headline)
    difference = Difference(estimate, 0.01, 0.01, None, between, forecast(value, between))
    return replace(make_comparison(first, second, value, 0.01), differences={headline: difference}, headline=headline)


def test_the_first_sentence_says_for_whom_a_lead_holds_and_how_likely_it_flips() -> None:
    sure = with_forecast("a", "b", 0.013, 0.009)
    chance = sure.differences["classes"].forecast.probability
    lead = f"+1.3 points [0.4, 2.2]; on 20 other classes this would flip in {100 * chance:.0f}% of the cases."
    assert 0.01 < chance < 0.2
    assert best_of_pairs([sure]).startswith(f"a beats b on new classes of this kind: {lead} Points, 95% intervals")
    lower = replace(with_forecast("b", "a", 0.013, 0.009, "parents"), higher_is_better=False)
    assert best_of_pairs([lower]).startswith("a beats b on new parents of this kind: -1.3 points [-2.2, -0.4]; on 20 ")
    near = with_forecast("a", "b", 0.003, 0.009)
    chance = near.differences["classes"].forecast.probability
    assert best_of_pairs([near]) == (
        "a is best. b cannot be distinguished from it: b is behind by 0.3 points, and on 20 other classes this would flip "
        f"in {100 * chance:.0f}% of the cases."
    )


def test_a_difference_that_never_varies_is_no_certainty() -> None:
    comparison = make_comparison("a", "b", 0.4, 0.0)
    known = comparison.differences["classes"]
    constant = replace(known, estimate=replace(known.estimate, low=0.4, high=0.4))
    alike = replace(comparison, differences={"classes": constant}, headline="classes")
    text = shown([alike])
    assert "[+40.00, +40.00]*" not in text
    assert "The difference is the same in every episode, so how much others vary is not" in text
    assert best_of_pairs([alike]) == "a is best. b is behind by 40.0 in every episode."


def test_of_many_tasks_it_is_counted_who_is_best() -> None:
    values = [0.1, 0.1, -0.1, 0.1, 0.1]
    pairs = [replace(make_comparison("a", "b", value, 0.01), task=f"task {n}") for n, value in enumerate(values)]
    assert best_of_pairs(pairs) == (
        "Of 5 tasks, a on 4 and b on 1 has the best mean; 'compare' says where that is certain."
    )
    assert best_of_pairs([*pairs[:2], *pairs[3:], replace(pairs[0], task="last")]) == (
        "a has the best mean on all 5 tasks; 'compare' says where that is certain."
    )
    assert best_of_pairs(pairs[:4]).count("\n") == 3, "a sentence each"


def test_a_mean_without_a_difference_is_not_called_alike() -> None:
    between = Between(1e-4, 1e-5, 5.0, 40)
    level = make_comparison("a", "b", 0.0, 1.0)
    tied = replace(level.differences["classes"], between=between, forecast=forecast(0.0, between))
    text = " ".join(shown([replace(level, differences={"classes": tied})]).split())
    assert "a - b, one: no difference in the mean" in text
    assert "Neither is ahead, so 40 other classes may show either ahead." in text


def test_no_line_is_wider_than_80_columns_and_no_number_is_cut() -> None:
    names = [f"learner with a long name, number {number}" for number in range(9)]
    pairs = [make_comparison(one, two, -0.123456, 1e-9) for one, two in itertools.combinations(names, 2)]
    for text in (shown(pairs), shown(pairs, pairs=True), shown(pairs[:1])):
        assert max(map(len, text.splitlines())) <= 80
        assert "…" not in text
    assert "[-13.35, -11.35]" in shown(pairs[:1])


def test_a_matrix_says_for_whom_no_interval_could_be_given_and_what_it_leaves_out() -> None:
    pairs = [make_comparison(*names, 0.1, None) for names in itertools.combinations("abcd", 2)]
    text = " ".join(shown(pairs).split())
    assert "?: no interval for new classes could be given. Every pair in full: --pairs." in text
    assert "--pairs" not in shown(pairs, pairs=True), "nothing is left out"


def test_other_classes_are_answered_by_pairs_in_full() -> None:
    pairs = [make_comparison(*names, 0.1, 0.5) for names in itertools.combinations("abcd", 2)]
    assert len(comparison_tables(pairs)) == 1
    assert len(comparison_tables(pairs, classes=7)) == 1 + len(pairs)
    with pytest.raises(FairshotError, match="0 other classes were asked for: ask for at least 1"):
        comparison_tables(pairs, classes=0)
