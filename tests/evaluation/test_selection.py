"""The verb selection: candidates from files and evaluations, runs, validation, and one-line errors."""

import json

import numpy as np
import pytest

import fairshot as fs


def rows(candidates: int = 30, items: int = 200, runs: int = 0, seed: int = 0) -> list[dict[str, object]]:
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=items)
    made = []
    for number in range(candidates):
        for run in range(max(runs, 1)):
            right = 0.8 + 0.7 * hard + 0.7 * rng.normal(size=items) > 0
            made += [{"method": f"epoch {number}", "item": i, "correct": r} for i, r in enumerate(right)]
            if runs:
                made[-items:] = [{**row, "run": run} for row in made[-items:]]
    return made


def test_the_best_of_equals_is_printed_too_well() -> None:
    found = fs.selection(rows())[0]
    assert found.candidates == 30
    assert found.value > 0.02
    assert found.low < found.value < found.high
    assert found.honest[0].estimate.value == pytest.approx(found.reported.value - found.value)
    assert found.honest[0].estimate.value == pytest.approx(found.mean, abs=0.03)
    assert "The best of 30 candidates is printed" in str(fs.selection(rows()))
    assert json.loads(fs.selection(rows()).to_json())["inflations"][0]["best"] == found.best


def test_val_chooses_and_test_judges() -> None:
    found = fs.selection(rows(), val=rows(seed=1))[0]
    by_val = found.honest[0]
    assert by_val.rule == "val"
    assert by_val.chosen.startswith("epoch")
    assert by_val.estimate.interval is not None
    with pytest.raises(fs.FairshotError, match="val has no scores of epoch 9: give those of every candidate"):
        fs.selection(rows(10), val=rows(9))


def test_runs_are_candidates_unless_they_are_averaged() -> None:
    given = rows(4, runs=5)
    assert fs.selection(given)[0].candidates == 20
    assert fs.selection(given, average_runs=True)[0].candidates == 4
    assert fs.selection(given)[0].value > fs.selection(given, average_runs=True)[0].value


def test_lower_may_be_better() -> None:
    given = [{**row, "score": 1.0 - row["correct"]} for row in rows()]
    errors = fs.selection([{k: v for k, v in row.items() if k != "correct"} for row in given], higher_is_better=False)
    right = fs.selection(rows())
    assert errors[0].value == pytest.approx(right[0].value)
    assert errors[0].honest[0].estimate.value == pytest.approx(1 - right[0].honest[0].estimate.value)
    assert errors[0].reported.low < errors[0].reported.value < errors[0].reported.high


def test_learners_of_an_evaluation_are_candidates() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(20), 20)
    X = rng.normal(size=(20, 8))[y] + 2 * rng.normal(size=(400, 8))
    e = fs.evaluate((X, y), ["prototypes", "ridge", "neighbours"], query=5, episodes=1000, shot=3)
    found = fs.selection(e)[0]
    assert found.population == "classes"
    assert found.reported.value == pytest.approx(max(row.value for row in e.rows))
    assert found.low < found.value < found.high
    assert found.value >= -1e-12


def test_one_candidate_is_no_choice() -> None:
    with pytest.raises(fs.FairshotError, match="there is one candidate: give the scores of at least two"):
        fs.selection(rows(1))
