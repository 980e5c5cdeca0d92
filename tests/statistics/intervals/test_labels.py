from dataclasses import replace

import numpy as np
import pytest

from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.label_pairs import PoolUnits, pair_variance
from fairshot.statistics.intervals.labels import over_labels
from tests.statistics.probe_reference import Plain
from tests.statistics.probes import make_probe

CLOSE = {"rel": 1e-9, "abs": 1e-15}
CASES = [{"seed": 0}, {"seed": 1}, {"seed": 2, "group": 2}, {"seed": 3, "group": 3, "shot": 4}, {"seed": 4, "draws": 3}]


@pytest.mark.parametrize("case", CASES)
def test_the_spread_over_labels_is_that_of_the_plain_loops(case: dict[str, int]) -> None:
    answers = make_probe(**case)
    spread, plain = over_labels(answers), Plain(answers)
    assert isinstance(spread, Spread)
    assert (spread.variance, spread.sampling, spread.noise) == pytest.approx(plain.labels(), **CLOSE)
    assert spread.unit_degrees == sum(len(units) - 1 for units in plain.units)
    assert spread.episodes == answers.draws


@pytest.mark.parametrize("case", CASES)
def test_products_of_draws_and_their_noise_are_those_of_the_plain_loops(case: dict[str, int]) -> None:
    answers = make_probe(**case)
    moved = answers.class_scores - answers.stolen
    found = pair_variance(answers, PoolUnits.of(answers), moved)
    assert found == pytest.approx(Plain(answers).pairs(moved.tolist()), **CLOSE)


def test_without_groups_a_draw_can_fix_no_more_than_its_share_of_the_pool() -> None:
    answers = make_probe(shot=3)
    assert PoolUnits.of(answers).fixed_share == pytest.approx(np.mean(3 / answers.layout.pool_counts))


def test_the_bound_holds_and_three_draws_are_wide() -> None:
    few, many = over_labels(make_probe(draws=3)), over_labels(make_probe(draws=400))
    assert isinstance(few, Spread)
    assert isinstance(many, Spread)
    assert few.degrees < 6
    assert many.sampling < few.sampling
    answers = make_probe(draws=400)
    bound = PoolUnits.of(answers).fixed_share
    moved = (answers.class_scores - answers.stolen).var(axis=0, ddof=1).sum()
    assert 0 <= many.variance <= bound / (1 - bound) * max(moved, answers.scores.var(ddof=1))


def test_without_a_word_about_others_there_is_no_interval() -> None:
    answers = make_probe(shot=2)
    layout = answers.layout
    assert over_labels(answers.some(slice(0, 1))) == "one draw of the labelled images says nothing about others"
    used = make_probe(pool=4, shot=4)
    assert over_labels(used) == "a class has only 4 labelled images, which are all in every 4-shot draw"
    shared = replace(layout, pool_group=np.arange(len(layout.pool_group)) % 9)
    assert over_labels(replace(answers, layout=shared)) == "groups of labelled images reach over several classes"
    alone = replace(layout, pool_group=layout.pool_class)
    assert over_labels(replace(answers, layout=alone)) == "all labelled images of a class are of one group"
