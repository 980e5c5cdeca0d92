"""Other classes: what must hold before anything is said about them."""

import numpy as np

from fairshot.sources.source import Source
from fairshot.statistics.answers import layout_of, tabulate
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.classes import over_classes
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent
from tests.statistics.worlds import make_source, random_scores


def spread(task: TaskDistribution, source: Source, *, favoured: bool = False) -> Spread | str:
    sampled = task.sample(source, range(1500), 0)
    if favoured:  # as below the nodes of a hierarchy: classes 0 to 9 are drawn far more often
        keep = (sampled.class_ids < 10).sum(1) > 1
        sampled = type(sampled)(*(table[keep] for table in sampled.tables))
    scores = random_scores(source, sampled, np.random.default_rng(1))
    return over_classes(tabulate(layout_of(source), sampled, scores))


def test_classes_that_are_drawn_more_often_than_others_are_noticed() -> None:
    source = make_source(np.full(60, 12))
    assert isinstance(spread(Uniform(way=5, shot=1, query=4), source), Spread)
    found = spread(Uniform(way=5, shot=1, query=4), source, favoured=True)
    assert found == "some classes are drawn more often than others: how others would be drawn is not known"


def test_parents_of_different_sizes_are_no_reason_to_refuse() -> None:
    source = make_source(np.full(31, 12), parents=4)
    assert isinstance(spread(WithinParent(way=5, shot=1, query=4), source), Spread)
