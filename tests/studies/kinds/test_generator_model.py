"""Courses of generators: equal settings have equal names."""

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.studies.kinds.generator_model import Model, select_courses, trainings_of


def test_a_setting_that_the_preset_has_anyway_is_no_part_of_a_course() -> None:
    assert Model("vae_stn", {"beta": 1.0}).courses == Model("vae_stn").courses
    assert Model("vae_stn", {"glimpses": 12}).courses == Model("vae_stn").courses
    assert Model("vae_stn", {"glimpses": 12}, "laptop").courses != Model("vae_stn", preset="laptop").courses
    assert Model("vae_stn", {"beta": 2.0}, seeds=(3,)).courses == {3: "vae_stn-quick-beta=2.0-seed3".replace("=", "")}
    assert Model("vae_stn", {"beta": 1.0}).label == "vae_stn, beta 1.0"


def test_studies_share_courses_and_train_each_once() -> None:
    models = [Model("vae_stn", {"beta": 1.0}), Model("vae_stn", {"glimpses": 12}), Model("vae_stn", {"glimpses": 4})]
    trainings = trainings_of(models, "omniglot/weak-val")
    assert len(trainings.courses) == 6
    assert {course.seed for course in trainings.courses.values()} == {0, 1, 2}
    assert {course.learner for course in trainings.courses.values()} == {"vae_stn", "vae_stn:glimpses=4"}


def test_courses_are_chosen_by_words_in_their_names() -> None:
    models = (Model("vae_stn", {"beta": 2.0}), Model("dagan_un", seeds=(0, 1)))
    (chosen,) = select_courses(models, ["dagan"])
    assert list(chosen.courses.values()) == ["dagan_un-quick-seed0", "dagan_un-quick-seed1"]
    assert [model.seeds for model in select_courses(models, ["seed1"])] == [(1,), (1,)]
    with pytest.raises(FairshotError, match=r"^unknown course 'other': there are: dagan_un-quick-seed0, .*-seed2$"):
        select_courses(models, ["other"])


def test_settings_are_given_in_words() -> None:
    model = Model("neural_statistician", {"context": 10}).with_settings("decouple=False")
    assert model.settings == {"context": 10, "decouple": False}
    assert model.spec == "neural_statistician:context=10,decouple=False"
    with pytest.raises(FairshotError, match=r"^unknown setting of neural_statistician 'x': there are: .*width$"):
        Model("neural_statistician").with_settings("x=1")
