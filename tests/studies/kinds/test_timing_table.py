"""What learners cost."""

import pytest

from fairshot.reports.evaluations import evaluation_tables
from fairshot.studies.kinds.timing_table import Costs
from fairshot.studies.study import run_study
from fairshot.tables.render import to_text
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.whole_parent import WholeParent

WORLD = "glyphs:alphabets=6,characters=8/random/novel"
TASK = Uniform(way=3, shot=3, query=2)


def test_costs_are_told_for_every_learner(capsys: pytest.CaptureFixture[str]) -> None:
    task = WholeParent(shot=5, query=0)
    study = Costs(
        "costs",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("kmeans", "sinkhorn"),
        tasks=(task,),
        episodes=4,
        metric="clustering",
    )
    result = run_study(study)
    assert all(each.seconds is not None and each.seconds >= 0 for each in result.rows)
    print(to_text(evaluation_tables(result)))
    assert "Seconds an episode: kmeans 0." in capsys.readouterr().out
