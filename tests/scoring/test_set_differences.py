"""Every two sets, compared class by class."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from fairshot.scoring.class_values import over_class_values
from fairshot.scoring.critics import Critics
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from tests.scoring.small_world import DISTANCES, PROTOCOL, value


def test_every_two_sets_are_compared_class_by_class(found: SampleScores) -> None:
    pairs = [("copy", "strangers"), ("copy", "fresh"), ("copy", "human"), ("strangers", "fresh")]
    pairs += [("strangers", "human"), ("fresh", "human")]
    told = {(each.first, each.second, each.metric): each for each in found.differences}
    wanted = [(*pair, metric) for metric in ("diversity", "recognizability") for pair in pairs]
    assert list(told) == [*wanted, *((*pair, far) for far in DISTANCES for pair in pairs if "human" not in pair)]
    by_class = {(row.samples, metric): [] for row in found.by_class for metric in row.values}
    for row in found.by_class:
        for metric, own in row.values.items():
            by_class[row.samples, metric].append(own)
    for one, other in pairs:
        apart = told[one, other, "diversity"]
        wanted_p = stats.ttest_rel(by_class[one, "diversity"], by_class[other, "diversity"]).pvalue
        assert apart.value == pytest.approx(value(found, one, "diversity") - value(found, other, "diversity"))
        assert apart.p == pytest.approx(wanted_p)
        assert apart.holm >= apart.p
        assert told[one, other, "recognizability"].value == pytest.approx(
            value(found, one, "recognizability") - value(found, other, "recognizability"), abs=1e-3
        )
    for far in DISTANCES:
        nearer = told["copy", "fresh", far]
        assert nearer.value > 0, "fresh drawings are nearer to people than copies"
        assert nearer.value == pytest.approx(value(found, "copy", far) - value(found, "fresh", far))
    for each in found.differences:
        assert (each.interval is None) == bool(each.note)
        assert (each.p is None) == (each.interval is None) == (each.holm is None)


def test_classes_of_one_parent_are_not_taken_for_independent(critics: Critics, tmp_path: Path) -> None:
    world = "glyphs:alphabets=3,characters=4,drawers=5,seed=9"
    found = score(["copy", "warped"], critic=critics, on=world, count=5, protocol=PROTOCOL)
    rows = {(row.learner, row.metric): row for row in found.rows}
    values = np.array([row.values["diversity"] for row in found.by_class if row.samples == "human"])
    parents = [row.name.partition("/")[0] for row in found.by_class if row.samples == "human"]
    numbers = np.unique(parents, return_inverse=True)[1]
    for population, groups in (("classes", None), ("parents", numbers)):
        wanted = over_class_values(values, bounds=(0.0, np.inf), parents=groups).interval
        assert rows["human", "diversity"].intervals[population] == pytest.approx(wanted)
    assert set(rows["human", "recognizability"].intervals) == {"classes"}, "episodes mix parents"
    told = {each.metric: each.population for each in found.differences}
    assert told == {"diversity": "parents", "recognizability": "classes", **dict.fromkeys(DISTANCES, "parents")}
