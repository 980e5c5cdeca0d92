"""Tables of learners that are trained first."""

from pathlib import Path

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.studies.kinds.trained_table import Course, TrainedTable, Trainings, select_courses
from fairshot.studies.study import Conditions, run_study
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


def test_a_generator_is_a_course_with_a_seed_of_its_own(tmp_path: Path) -> None:
    changes = "images=4,exemplars=random,recipe=diversity-28"
    courses = {f"it-{seed}": Course("vae_stn:glimpses=2", "quick", changes, seed=seed) for seed in (0, 1)}
    notes: list[str] = []
    conditions = Conditions(limit=2, out=tmp_path, note=notes.append)
    trainings = Trainings("any", courses, "glyphs:alphabets=5,characters=6,drawers=5/parents")
    told = trainings.run(conditions, short=True)
    assert [about["steps"] for about in told.values()] == [2, 2]
    assert notes[0] == "2 of 2 courses to be trained"
    weights = [
        (trainings.folder(name, conditions, short=True) / "weights.safetensors").read_bytes() for name in courses
    ]
    assert weights[0] != weights[1]
    assert trainings.run(conditions, short=True) == told
    assert len(notes) == 3, "what is there is not announced again"


def test_courses_are_chosen_by_a_word_or_by_their_whole_name() -> None:
    names = {"start": "", "maml-one": "start", "proto_maml-one": "start", "maml-many": "start"}
    courses = {name: Course("maml", begin=begin) for name, begin in names.items()}
    assert list(select_courses(courses, ["maml-one"])) == ["start", "maml-one"]
    assert list(select_courses(courses, ["maml"])) == list(names)
    assert list(select_courses(courses, ["proto", "many"])) == ["start", "proto_maml-one", "maml-many"]
    assert list(select_courses(courses, ["start"])) == ["start"]
    with pytest.raises(FairshotError, match="unknown course 'other'"):
        select_courses(courses, ["other"])
