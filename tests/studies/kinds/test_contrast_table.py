"""Differences between learners of one table."""

from dataclasses import replace
from pathlib import Path

import pytest

from fairshot.results.schema import read_result
from fairshot.studies.kinds.contrast_table import Contrasts
from fairshot.studies.study import run_study
from fairshot.tasks.uniform import Uniform

WORLD = "glyphs:alphabets=6,characters=8/random/novel"
TASK = Uniform(way=3, shot=3, query=2)


def test_contrasts_are_paired_and_of_the_learners_in_the_table(tmp_path: Path) -> None:
    study = Contrasts(
        "clusters",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("kmeans", "sinkhorn", "prototypes"),
        tasks=(TASK,),
        episodes=40,
        contrasts=(("sinkhorn", "kmeans"), ("kmeans", "prototypes")),
    )
    result = run_study(study, out=tmp_path)
    rows = {(each.learner, each.metric): each for each in result.rows}
    assert {(each.learner, each.task) for each in result.rows} == study.cells
    assert ("prototypes", "clustering") not in rows  # a classifier has no clusters
    for metric in ("clustering", "accuracy"):
        difference = rows["sinkhorn minus kmeans", f"{metric}, difference"]
        assert difference.number == pytest.approx(rows["sinkhorn", metric].number - rows["kmeans", metric].number)
        ends = difference.intervals["episodes"]
        assert ends is not None
        assert ends[0] < difference.number < ends[1]
    assert ("kmeans minus prototypes", "clustering, difference") not in rows
    assert len(read_result(tmp_path / "study.json").rows) == len(result.rows)
    with pytest.raises(ValueError, match="nobody"):
        replace(study, contrasts=(("kmeans", "nobody"),))
