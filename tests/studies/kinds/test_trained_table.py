"""Tables of learners that are trained first."""

from pathlib import Path

from fairshot.studies.kinds.trained_table import Course, TrainedTable
from fairshot.studies.study import run_study
from fairshot.tasks.uniform import Uniform

WORLD = "glyphs:alphabets=6,characters=8/random/novel"
TASK = Uniform(way=3, shot=3, query=2)


def test_a_limit_never_makes_a_training_longer(tmp_path: Path) -> None:
    study = TrainedTable(
        "short",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("it",),
        tasks=(TASK,),
        episodes=40,
        name="short",
        split="glyphs:alphabets=6,characters=8/random",
        courses={"it": Course("prototypes", changes="steps=2,way=3,shot=1,query=1,in_turn=False,val_way=3")},
    )
    assert run_study(study, limit=10, out=tmp_path).training["it"]["steps"] == 2
