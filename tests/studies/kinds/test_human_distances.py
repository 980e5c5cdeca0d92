"""Distances of all models to people, by points made up."""

import numpy as np
import pytest
from scipy import stats

from fairshot.studies.kinds.generator_model import Model
from fairshot.studies.kinds.human_distances import (
    axis_paths,
    best_model,
    choose_concepts,
    distinct,
    mean_difference,
    medians_by_seed,
)
from fairshot.studies.kinds.sweep import Axis
from tests.studies.kinds.small_generators import make_plane

POINTS = {
    "vae_stn, beta 1": [(2.0, 0.5), (2.1, 0.5)],
    "vae_stn, beta 2": [(1.5, 0.7), (1.6, 0.7)],
    "vae_stn, beta 3": [(1.2, 0.8), (1.3, 0.8)],
    "dagan_un": [(0.4, 0.9), (0.3, 0.9)],
}


def test_the_best_model_is_the_one_whose_trainings_are_nearest() -> None:
    plane = make_plane(POINTS)
    assert best_model(plane, "vae_stn") == "vae_stn, beta 3"
    assert best_model(plane, "dagan_un") == "dagan_un"
    assert best_model(plane, "dagan_rn") is None


def test_medians_are_of_all_models_with_one_seed() -> None:
    plane = make_plane(POINTS)
    far = plane.pooled
    assert medians_by_seed(plane, "vae_stn") == {
        0: pytest.approx(np.median([far[0], far[2], far[4]])),
        1: pytest.approx(np.median([far[1], far[3], far[5]])),
    }


def test_every_concept_is_one_of_the_nearer_model() -> None:
    plane = make_plane(POINTS, classes=12)
    chosen = choose_concepts(plane, ("vae_stn", "dagan_un"), count=3)
    assert chosen is not None
    for name, other in (("vae_stn", "dagan_un"), ("dagan_un", "vae_stn")):
        assert len(chosen.of[name]) <= 3
        assert all(chosen.distances[name][c] <= chosen.distances[other][c] for c in chosen.of[name])
        assert (np.diff(chosen.distances[name][chosen.of[name]]) >= 0).all()
    assert choose_concepts(plane, ("vae_stn", "dagan_rn")) is None


def test_models_with_the_same_courses_count_once() -> None:
    models = distinct([Model("vae_stn"), Model("vae_stn", {"beta": 1.0}), Model("vae_stn", {"beta": 2.0})])
    assert [model.label for model in models] == ["vae_stn", "vae_stn, beta 2.0"]


def test_a_path_needs_all_of_its_courses() -> None:
    axis = Axis("dagan_un", "latent", (10, 128), seeds=(0, 1))
    assert axis_paths(make_plane(POINTS), axis) == {}


def test_means_of_two_groups_differ_as_welch_says() -> None:
    one, other = np.array([3.0, 4, 6, 9]), np.array([1.0, 2, 2.5])
    found, test = mean_difference(one, other), stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    assert found.interval == pytest.approx((test.low, test.high))
    assert mean_difference(one[:1], other).reason == "one class tells nothing about others"
