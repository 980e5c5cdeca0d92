"""Accuracies, clusterings and their ratios in one table."""

import pytest

from fairshot.evaluation.consistency import Pair
from fairshot.studies.kinds.consistency_table import Consistency
from fairshot.studies.study import run_study
from fairshot.tasks.uniform import Uniform

WORLD = "glyphs:alphabets=6,characters=8/random/novel"
TASK = Uniform(way=3, shot=3, query=2)


def test_ratios_accuracies_and_clusterings_stand_in_one_table() -> None:
    study = Consistency(
        "ratios",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("kmeans", "prototypes"),
        tasks=(TASK,),
        episodes=40,
        pairs=(Pair("kmeans", "prototypes"),),
        clustering=("kmeans",),
    )
    rows = {(each.learner, each.metric): each.number for each in run_study(study).rows}
    assert set(rows) == {(n, "accuracy") for n in study.learners} | {("kmeans", "cscc"), ("kmeans", "clustering")}
    assert rows["kmeans", "cscc"] == pytest.approx(rows["kmeans", "accuracy"] / rows["prototypes", "accuracy"])
