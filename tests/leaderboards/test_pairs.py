"""Methods compared on the items of a leaderboard: populations, runs, data sets, and levels under the null."""

import numpy as np
import pytest
from scipy import stats

import fairshot as fs
from fairshot.leaderboards.leaderboard import Board, Entry, Record, make_leaderboard
from fairshot.leaderboards.pairs import compare_board, compare_methods


def records(scores: dict[str, np.ndarray], *, data_set: str = "", group: int = 0, label: int = 0) -> list[Record]:
    """Scores of (run, item) or (item,) by method; so many items a group or a class."""
    made = []
    for method, values in scores.items():
        for run, row in enumerate(np.atleast_2d(values)):
            for item, score in enumerate(row):
                made.append(
                    Record(
                        method=method,
                        item=str(item),
                        score=float(score),
                        run=str(run) if values.ndim > 1 else "",
                        data_set=data_set,
                        group=f"g{item // group}" if group else "",
                        label=f"c{item // label}" if label else "",
                    )
                )
    return made


def test_items_alone_are_the_paired_test_of_scipy() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.random(50), rng.random(50)
    (pair,) = compare_methods(make_leaderboard(records({"a": one, "b": other}), "x"))
    known = stats.ttest_rel(one, other)
    assert pair.differences["items"].p_value == pytest.approx(known.pvalue)
    assert pair.headline == "items"
    assert pair.units == {"items": 50, "runs": 1}


def test_groups_take_the_place_of_items_and_classes_stand_beside() -> None:
    rng = np.random.default_rng(1)
    scores = {"a": rng.random(48), "b": rng.random(48)}
    (pair,) = compare_methods(make_leaderboard(records(scores, group=4, label=12), "x"))
    assert list(pair.differences) == ["groups", "classes"]
    means = (scores["a"] - scores["b"]).reshape(12, 4).mean(axis=1)
    assert pair.differences["groups"].p_value == pytest.approx(stats.ttest_1samp(means, 0).pvalue)
    assert pair.headline == "classes"
    assert pair.differences["classes"].forecast is not None


def test_runs_are_welch_and_add_to_items() -> None:
    rng = np.random.default_rng(2)
    one, other = (
        rng.random((4, 30)) + 0.3 * rng.normal(size=(4, 1)) + rng.random(30),
        rng.random((3, 30)) + 0.3 * rng.normal(size=(3, 1)),
    )
    (pair,) = compare_methods(make_leaderboard(records({"a": one, "b": other}), "x"))
    known = stats.ttest_ind(one.mean(axis=1), other.mean(axis=1), equal_var=False)
    points = 1.0 if np.abs(np.concatenate([one, other])).max() <= 1 else 0.01
    assert pair.differences["runs"].p_value == pytest.approx(known.pvalue)
    both, runs = (pair.differences[name].estimate.deviation or 0 for name in ("runs and items", "runs"))
    assert both > runs > 0
    assert pair.value == pytest.approx(points * (one.mean() - other.mean()))


def test_data_sets_are_compared_one_by_one_and_together() -> None:
    rng = np.random.default_rng(3)
    gaps, made = np.array([0.1, 0.3, 0.2, 0.4]), []
    for number, gap in enumerate(gaps):
        made += records({"a": 0.4 + gap + 0.1 * rng.random(40), "b": 0.4 + 0.1 * rng.random(40)}, data_set=f"d{number}")
    *each, together = compare_methods(make_leaderboard(made, "x"))
    assert [pair.task for pair in each] == ["d0", "d1", "d2", "d3"]
    values = [pair.value for pair in each]
    assert together.differences["data sets"].p_value == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
    assert together.differences["items"].estimate.deviation < together.differences["data sets"].estimate.deviation
    assert together.headline == "data sets"


def test_one_score_for_each_data_set_makes_data_sets_the_items() -> None:
    rows = [
        {"model": model, "dataset": f"d{number}", "score": score}
        for model, scores in (("a", [0.5, 0.7, 0.6]), ("b", [0.4, 0.5, 0.55]))
        for number, score in enumerate(scores)
    ]
    pair = fs.compare(rows)["a", "b"]
    known = stats.ttest_rel([0.5, 0.7, 0.6], [0.4, 0.5, 0.55])
    assert pair.unit == "data sets"
    assert pair.differences["data sets"].p_value == pytest.approx(known.pvalue)


def test_items_of_one_method_only_are_left_out_and_named() -> None:
    rows = [{"method": "a", "item": i, "correct": i % 2} for i in range(10)]
    rows += [{"method": "b", "item": i, "correct": i % 3 == 0} for i in range(4, 12)]
    compared = fs.compare(rows)
    assert compared["a", "b"].units["items"] == 6
    assert "6 items of all items left out: only one of the two was scored there" in str(compared).replace("\n", " ")


def test_false_alarms_with_groups_and_runs_are_at_their_level() -> None:
    rng, alarms, repetitions = np.random.default_rng(5), 0, 300
    for _ in range(repetitions):
        hard = rng.normal(size=20).repeat(4)
        scores = {
            name: hard + rng.normal(size=20).repeat(4) + 0.5 * rng.normal(size=(5, 1)) + rng.normal(size=(5, 80))
            for name in "ab"
        }
        entries = tuple(Entry(name, tuple("01234"), values) for name, values in scores.items())
        board = Board(name="x", items=[], entries=entries, groups=np.arange(20).repeat(4))
        (pair,) = compare_board(board)
        # The truth is that of no run and no group in particular: only both at once have the level.
        alarms += pair.differences["runs and items"].p_value < 0.05
    assert 0.02 <= alarms / repetitions <= 0.08


def test_lower_may_be_better() -> None:
    rows = [{"method": m, "item": i, "score": s + i / 10} for m, s in (("a", 0.1), ("b", 0.2)) for i in range(5)]
    rows[0]["score"] = 0.15
    assert fs.compare(rows, higher_is_better=False)["a", "b"].improvement == 1.0
    assert fs.compare(rows, higher_is_better=False).summary().startswith("a beats b on ")
