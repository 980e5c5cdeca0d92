import numpy as np
import pytest
import torch

from fairshot.evaluation.probe_scorer import judge
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.all_classes import over_all_classes, over_all_parents, pair_variance
from fairshot.statistics.probe_answers import ProbeAnswers, ProbeLayout
from tests.statistics.probe_reference import Plain
from tests.statistics.probes import make_probe


@pytest.mark.parametrize("case", [{"seed": 0}, {"seed": 1}, {"seed": 2, "draws": 1}])
def test_the_spread_over_classes_is_that_of_the_plain_loops(case: dict[str, int]) -> None:
    answers = make_probe(**case)
    spread = over_all_classes(answers)
    assert isinstance(spread, Spread)
    assert answers.stolen_pairs is not None
    plain, pairs = Plain(answers).classes(), Plain(answers).pairs_of_classes(answers.stolen_pairs.tolist())
    assert pair_variance(answers.stolen_pairs) == pytest.approx(pairs, rel=1e-9)
    assert spread.variance == pytest.approx(plain - min(pairs, plain / 4), rel=1e-9)
    np.testing.assert_allclose(answers.stolen_pairs.sum(axis=0), answers.stolen.mean(axis=0))
    assert (spread.unit_degrees, spread.units, spread.sampling) == (5, 6, 0)


@pytest.mark.parametrize("unit", ["class", "parent"])
def test_what_is_left_without_a_unit_is_what_answers_among_the_others_score(unit: str) -> None:
    """Every unit really left out: the logits of the others are the same, so the answers can be made again."""
    rng = np.random.default_rng(0)
    classes, draws, asked = 12, 3, 7
    owner = np.repeat(np.arange(classes), asked)
    logits = rng.normal(size=(draws, len(owner), classes)) + 1.5 * np.eye(classes)[owner]
    parents = np.arange(classes) // 2
    pool = np.repeat(np.arange(classes), 4)
    layout = ProbeLayout(
        pool_class=pool, pool_group=np.arange(48), test_class=owner, test_group=np.arange(len(owner)), parents=parents
    )
    found = judge(torch.from_numpy(logits), layout, ["accuracy"])
    answers = ProbeAnswers(
        layout=layout,
        support=np.tile(np.arange(0, 48, 4)[:, None], (draws, 1, 1)),
        correct=found.correct.view(np.int8),
        stolen=found.stolen["accuracy"],
        stolen_by_parent=found.stolen_by_parent["accuracy"],
    )
    unit_of = np.arange(classes) if unit == "class" else parents
    without = []
    for out in np.unique(unit_of):
        rest = np.where((unit_of == out)[None, None], -np.inf, logits)
        left = unit_of[owner] != out
        without.append((rest.argmax(2) == owner)[:, left].mean())
    count = len(without)
    spread = over_all_classes(answers) if unit == "class" else over_all_parents(answers)
    assert isinstance(spread, Spread)
    assert spread.variance == pytest.approx((count - 1) / count * count * np.var(without), rel=1e-9)


def test_few_classes_say_nothing_about_others() -> None:
    few = "there are 4 classes, and 5 are needed to say anything about others"
    assert over_all_classes(make_probe(classes=4)) == few
