"""Which concepts suit which set: beside plain correlations of hand-made distances."""

import numpy as np
import pytest
from scipy import stats

from fairshot.scoring.concept_suitability import nearest_concepts, suited_concepts
from fairshot.scoring.sample_scores import SampleScores

NAMES = [f"c{number}" for number in range(40)]


def test_a_set_that_fails_where_lines_are_long() -> None:
    rng = np.random.default_rng(0)
    length = rng.uniform(20, 100, 40)
    distances = {"short": length / 50 + rng.normal(0, 0.1, 40), "long": 2 - length / 50, "flat": rng.random(40)}
    found = suited_concepts(distances, {"line length": length}, NAMES, None)
    assert [(pair.first, pair.second) for pair in found] == [("short", "long"), ("short", "flat"), ("long", "flat")]
    first = found[0]
    assert first.spearman == pytest.approx(stats.spearmanr(distances["short"] - distances["long"], length)[0])
    assert first.interval is not None
    assert 0.9 < first.interval[0] < first.spearman < first.interval[1]
    order = np.argsort(distances["short"])[:8]
    assert first.concepts["short"] == [NAMES[place] for place in order]
    assert first.means["short"] == pytest.approx(length[order].mean())
    assert first.means["short"] < first.mean < first.means["long"]
    assert found[2].spearman < 0, "what is long suits the first"


def test_few_concepts_are_halved_and_equal_ones_have_no_order() -> None:
    assert nearest_concepts(np.array([3.0, 1.0, 2.0, 4.0, 0.5])).tolist() == [4, 1]
    same = np.ones(5)
    assert suited_concepts({"a": same, "b": same}, {"line length": np.arange(5.0)}, NAMES[:5], None) == []


def test_scores_tell_it_of_every_two_sets(found: SampleScores) -> None:
    assert {(pair.first, pair.second) for pair in found.suited} == {
        ("copy", "strangers"),
        ("copy", "fresh"),
        ("strangers", "fresh"),
    }
    assert {pair.amount for pair in found.suited} == {"line length", "strokes"}
    table = next(table for table in found.tables() if table.title == "Which concepts suit which set")
    assert len(table.rows) == len(found.suited)
    distances = [np.array(list(found[name].by_class("class_distance").values())) for name in ("copy", "fresh")]
    assert all(len(values) == found.classes for values in distances)
