"""The intervals against an independent implementation on padded arrays, and against committed numbers."""

import importlib.util
from types import ModuleType

import numpy as np
import pytest

from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.classes import over_classes
from fairshot.statistics.intervals.images import over_images
from fairshot.statistics.intervals.parents import over_parents
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.whole_parent import WholeParent
from fairshot.tasks.within_parent import WithinParent
from tests.paths import ROOT
from tests.statistics.worlds import Case, make_case

ORACLE = ROOT.parent / "shared" / "reference" / "intervals.py"
UNEVEN = np.array([15, 18, 40, 22, 31, 16, 19, 60, 25, 21, 17, 33] * 2)
CASES = {
    "one shot": lambda: make_case(Uniform(way=5, shot=1, query=5), np.full(20, 20), episodes=400),
    "five shots, uneven": lambda: make_case(Uniform(way=5, shot=5, query=8), UNEVEN, episodes=500, seed=1),
    "large classes": lambda: make_case(Uniform(way=4, shot=2, query=3), np.full(10, 130), episodes=300, seed=2),
    "within parents": lambda: make_case(
        WithinParent(way=4, shot=2, query=4), np.full(24, 20), episodes=500, parents=3, seed=3
    ),
    "whole parents": lambda: make_case(WholeParent(shot=1, query=4), np.full(25, 20), episodes=400, parents=3, seed=4),
}


@pytest.fixture(scope="module")
def oracle() -> ModuleType:
    if not ORACLE.exists():
        pytest.skip("needs the reference implementation of the intervals beside the checkout")
    spec = importlib.util.spec_from_file_location("oracle", ORACLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def padded(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Correctness [episode, way, query] and image ids [episode, way, support then query], as the oracle wants them."""
    sampled, shot, query = case.sampled, case.task.shot, case.task.query
    episodes, way = sampled.class_ids.shape
    correct, images = np.zeros((episodes, way, query)), np.zeros((episodes, way, shot + query), dtype=np.int64)
    for t, w in np.argwhere(sampled.class_ids >= 0):
        asked = sampled.query_labels[t] == w
        correct[t, w] = case.scores.correct[t, asked]
        images[t, w] = np.append(sampled.support_ids[t, sampled.support_labels[t] == w], sampled.query_ids[t, asked])
    return correct, images


def assert_equal(ours: Spread, theirs: dict[str, float]) -> None:
    pairs = {
        "mean": ours.value, "V": ours.variance, "mc": ours.sampling, "noise": ours.noise, "var": ours.total,
    }  # fmt: skip
    if (
        ours.unit_degrees >= 5
    ):  # the oracle never has fewer than 5 degrees of freedom, even with three parents: too many
        pairs["df"] = ours.degrees
    for name, value in pairs.items():
        assert value == pytest.approx(theirs[name], rel=1e-9, abs=1e-18), name


@pytest.mark.parametrize("name", CASES)
def test_the_intervals_agree_with_the_oracle(name: str, oracle: ModuleType) -> None:
    case = CASES[name]()
    correct, images = padded(case)
    counts, classes = case.source.members.counts, case.sampled.class_ids
    ours = over_images(case.answers)
    theirs = oracle.images(correct, classes, images, counts, case.task.shot)
    assert_equal(ours, theirs)
    assert ours.estimate().interval == pytest.approx(oracle.interval(theirs), rel=1e-9)
    assert ours.estimate(difference=True).interval == pytest.approx(oracle.interval(theirs, paired=True), rel=1e-9)
    assert ours.p_value == pytest.approx(oracle.p_value(theirs), rel=1e-9, abs=1e-300)
    inside = not isinstance(case.task, Uniform)
    parents = case.source.parent_ids if inside else None
    home = case.source.parent_ids[classes[:, 0]] if inside else None
    theirs, ours = oracle.classes(correct, classes, counts, parents, home), over_classes(case.answers)
    if theirs is None:
        assert ours == "the episodes hold all classes there are: they tell nothing about others"
    else:
        assert_equal(ours, theirs)
    if inside:
        assert_equal(over_parents(case.answers), oracle.parents(correct, classes, home, 3))


def test_a_difference_agrees_with_the_oracle(oracle: ModuleType) -> None:
    from fairshot.statistics.answers import layout_of, tabulate
    from tests.statistics.worlds import random_scores

    case = CASES["five shots, uneven"]()
    other = random_scores(case.source, case.sampled, np.random.default_rng(9))
    answers = tabulate(layout_of(case.source), case.sampled, case.scores, minus=other)
    correct, images = padded(case)
    second, _ = padded(Case(case.task, case.source, case.sampled, other))
    counts, classes = case.source.members.counts, case.sampled.class_ids
    assert_equal(over_images(answers), oracle.images(correct - second, classes, images, counts, case.task.shot))
    assert_equal(over_classes(answers), oracle.classes(correct - second, classes, counts))


GOLDEN = [
    0.6112000000000001, 0.00014654461358047468, 3.4350865356677965e-05, 40.08982651015127, 0.0008514846139925282,
    0.0001321469273265284, 18.782348561907718,
]  # fmt: skip


def test_golden_spreads_do_not_change() -> None:
    case = CASES["five shots, uneven"]()
    images, classes = over_images(case.answers), over_classes(case.answers)
    numbers = [
        images.value,
        images.variance,
        images.noise,
        images.degrees,
        classes.variance,
        classes.noise,
        classes.degrees,
    ]
    np.testing.assert_allclose(numbers, GOLDEN, rtol=1e-9)
