from dataclasses import replace

import numpy as np
import pytest

from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.test_images import over_test_images, shared_variance
from tests.statistics.probe_reference import Plain
from tests.statistics.probes import make_probe

CLOSE = {"rel": 1e-9, "abs": 1e-15}


@pytest.mark.parametrize("case", [{"seed": 0}, {"seed": 1}, {"seed": 2, "group": 2}, {"seed": 3, "draws": 1}])
def test_the_spread_over_test_images_is_that_of_the_plain_loops(case: dict[str, int]) -> None:
    answers = make_probe(**case)
    spread = over_test_images(answers)
    assert isinstance(spread, Spread)
    assert spread.variance == pytest.approx(Plain(answers).test(), **CLOSE)
    assert spread.sampling == spread.noise == 0


def test_with_one_draw_and_equal_classes_it_is_the_binomial_variance_class_by_class() -> None:
    answers = make_probe(classes=5, test=8, draws=1)
    spread, layout = over_test_images(answers), answers.layout
    shares = np.bincount(layout.test_class, answers.correct[0]) / layout.test_counts
    plain = (answers.weights**2 * layout.test_counts**2 * shares * (1 - shares) / (layout.test_counts - 1)).sum()
    assert isinstance(spread, Spread)
    assert spread.variance == pytest.approx(plain)


@pytest.mark.parametrize("seed", [0, 1])
def test_what_draws_and_test_images_do_together_is_that_of_the_plain_loops(seed: int) -> None:
    answers = make_probe(seed=seed)
    assert shared_variance(answers) == pytest.approx(Plain(answers).together(), **CLOSE)


def test_a_single_test_image_says_nothing_about_others() -> None:
    answers = make_probe()
    alone = replace(answers, layout=replace(answers.layout, test_group=answers.layout.test_class))
    assert over_test_images(alone) == "a class has a single test image, or test images of a single group"
