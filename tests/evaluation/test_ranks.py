"""The verb ranks: tables, matrix and picture from files, comparisons and evaluations alike."""

import json
from pathlib import Path

import numpy as np
import pytest

import fairshot as fs


def rows(methods: dict[str, float], sets: int = 1, items: int = 150) -> list[dict[str, object]]:
    rng = np.random.default_rng(0)
    made = []
    for number in range(sets):
        hard = rng.normal(size=items)
        for method, ability in methods.items():
            right = ability + hard + 0.5 * rng.normal(size=items) > 0
            made += [{"method": method, "item": i, "correct": r, "dataset": f"d{number}"} for i, r in enumerate(right)]
    return made


def test_places_groups_and_matrix() -> None:
    ranked = fs.ranks(rows({"good": 1.0, "also": 0.95, "bad": -0.5}))
    one = ranked["d0"]
    assert [(place.low, place.high) for place in one.places] == [(1, 2), (1, 2), (3, 3)]
    assert one.places[2].groups == "b"
    assert sum(place.first for place in one.places) == pytest.approx(1)
    assert ranked.summary().startswith("Any of 2 may be first for new items")
    assert ranked.tables()[1].rows[2][1:] == ["<", "<", "."]
    assert json.loads(ranked.to_json())["lists"][0]["better"]
    with pytest.raises(fs.FairshotError, match="unknown population 'persons': there are: items"):
        fs.ranks(rows({"a": 1, "b": 0}), over="persons")


def test_data_sets_have_the_last_word_with_demsar_beside() -> None:
    ranked = fs.ranks(rows({"good": 1.0, "middle": 0.2, "bad": -0.5}, sets=6))
    assert len(ranked) == 7
    assert ranked[-1].population == "data sets"
    assert ranked.mean_ranks.means.tolist() == [1.0, 2.0, 3.0]
    assert "Friedman's test p = 0.002" in str(ranked)
    assert fs.ranks(rows({"a": 1, "b": 0}, sets=3), over="items")[-1].population == "items"


def test_evaluations_and_comparisons_rank_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(15), 20)
    X = rng.normal(size=(15, 8))[y] + rng.normal(size=(300, 8))
    e = fs.evaluate((X, y), ["prototypes", "ridge", "chance"], query=5, episodes=300)
    ranked = e.ranks()
    assert ranked[0].population == "classes"
    assert ranked[0].places[2].method == "chance"
    assert ranked[0].places[2].low == 3
    assert ranked.to_json() == e.compare().ranks().to_json()
    assert ranked.plot(tmp_path / "r.svg") is not None
    assert "<svg" in (tmp_path / "r.svg").read_text()
