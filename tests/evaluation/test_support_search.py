"""The search for support sets: never worse than the drawn one, as good as trying all where that can be done."""

from itertools import product

import numpy as np
import pytest
import torch

from fairshot.evaluation.scorer import Scorer
from fairshot.evaluation.support_search import draw_pools, search_supports
from fairshot.learners.features import Features
from fairshot.learners.foreign.functions import Function
from fairshot.metrics.accuracy import Accuracy
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import ClassTask
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors


def answering_of(source: Source, learner=None) -> Scorer:
    learner = learner or find_learner("prototypes")
    return Scorer(Features(source, learner), learner, Accuracy())


def sampled(source: Source, task: ClassTask, count: int, answering: Scorer) -> Episodes:
    episodes = task.sample(source, range(count), 0)
    answering.features.require(episodes)
    return episodes


def accuracy_of(source: Source, support: np.ndarray, labels: np.ndarray, query: np.ndarray, truth: np.ndarray) -> float:
    """Nearest class mean, by hand."""
    means = np.stack([source.store[support[labels == label]].mean(0) for label in range(labels.max() + 1)])
    chosen = ((source.store[query][:, None] - means) ** 2).sum(2).argmin(1)
    return float((chosen == truth).mean())


def all_supports(source: Source, episodes: Episodes, number: int) -> list[float]:
    """The accuracy with every support set of one image a class that leaves the queries alone."""
    query, truth = episodes.query_ids[number], episodes.query_labels[number]
    pools = [np.setdiff1d(source.image_ids[source.class_ids == c], query) for c in episodes.class_ids[number]]
    labels = np.arange(len(pools))
    return [accuracy_of(source, np.array(support), labels, query, truth) for support in product(*pools)]


@pytest.mark.parametrize("shot", [1, 3])
def test_found_sets_are_never_worse_than_the_drawn_one_and_are_what_they_are_said_to_be(shot: int) -> None:
    source = make_vectors(classes=8, images=16, features=4, spread=2)
    answering = answering_of(source)
    episodes = sampled(source, Uniform(way=4, shot=shot, query=6), 10, answering)
    found = search_supports(answering, episodes, draw_pools(source, episodes, seed=0))
    assert (found.accuracy[:, 0] <= found.accuracy[:, 1]).all()
    assert (found.accuracy[:, 1] <= found.accuracy[:, 2]).all()
    assert found.accuracy[:, 0].mean() < found.accuracy[:, 1].mean() - 0.05
    assert found.accuracy[:, 2].mean() > found.accuracy[:, 1].mean() + 0.05
    for number, (_, labels, query, truth, class_ids) in enumerate(zip(*episodes.tables, strict=True)):
        for support, accuracy in zip(found.support_ids[number], found.accuracy[number], strict=True):
            assert len(set(support.tolist())) == len(support)
            assert not set(support.tolist()) & set(query.tolist())
            assert (source.class_ids[support] == class_ids[labels]).all()
            assert accuracy == pytest.approx(accuracy_of(source, support, labels, query, truth))


def test_where_one_image_alone_can_be_exchanged_the_search_finds_the_extremes() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        sizes = [6, 14]  # 5 queries: one support image of the first class, nine of the second
        labels = np.repeat([0, 1], sizes)
        source = from_arrays(rng.normal(size=(20, 2)).astype(np.float32) + labels[:, None], labels)
        answering = answering_of(source)
        episodes = sampled(source, Uniform(way=2, shot=1, query=5), 5, answering)
        found = search_supports(answering, episodes, draw_pools(source, episodes, seed=0))
        for number in range(len(episodes)):
            every = all_supports(source, episodes, number)
            assert len(every) == 9
            assert found.accuracy[number, [0, 2]] == pytest.approx([min(every), max(every)])


def test_two_passes_come_near_to_all_support_sets_and_never_beyond() -> None:
    source = make_vectors(classes=6, images=10, features=3, spread=1.5)
    answering = answering_of(source)
    episodes = sampled(source, Uniform(way=3, shot=1, query=5), 20, answering)
    found = search_supports(answering, episodes, draw_pools(source, episodes, seed=0), passes=2)
    ends = np.array([[min(every), max(every)] for every in (all_supports(source, episodes, n) for n in range(20))])
    assert (found.accuracy[:, 0] >= ends[:, 0] - 1e-9).all()
    assert (found.accuracy[:, 2] <= ends[:, 1] + 1e-9).all()
    assert (abs(found.accuracy[:, [0, 2]] - ends) < 1e-9).mean() > 0.6


def test_pools_hold_other_images_of_the_class_and_heed_what_is_kept_apart() -> None:
    labels = np.repeat(np.arange(3), 12)
    source = from_arrays(
        np.random.default_rng(0).normal(size=(36, 2)).astype(np.float32), labels, groups=np.arange(36) % 6
    )
    task = Uniform(way=3, shot=2, query=3, disjoint="group")
    episodes = task.sample(source, range(4), 0)
    group = source.attributes["group"]
    pools = draw_pools(source, episodes, seed=0, candidates=3, apart="group")
    assert pools.shape == (4, 6, 4)
    for number, pool in enumerate(pools):
        assert (pool[:, 0] == episodes.support_ids[number]).all()
        for slot, row in enumerate(pool):
            others = row[1:][row[1:] != PAD]
            assert not set(others.tolist()) & set(episodes.support_ids[number].tolist())
            assert (source.class_ids[others] == episodes.class_ids[number, episodes.support_labels[number, slot]]).all()
            assert not set(group[others].tolist()) & set(group[episodes.query_ids[number]].tolist())
    again = draw_pools(source, episodes, seed=0, candidates=3, apart="group")
    assert (again == pools).all()
    assert (draw_pools(source, episodes, seed=1, candidates=3, apart="group") != pools).any()


def test_a_learner_that_takes_one_task_at_a_time_is_searched_too_and_equal_accuracies_are_told_apart() -> None:
    source = make_vectors(classes=5, images=8, features=3)

    def nearest(support, labels, queries):
        return labels[((queries[:, None] - support) ** 2).sum(2).argmin(1)]

    task, plain = Uniform(way=3, shot=1, query=4), answering_of(source)
    foreign = answering_of(source, Function(nearest, name="nearest", file=""))
    episodes = sampled(source, task, 4, plain)
    sampled(source, task, 4, foreign)
    pools = draw_pools(source, episodes, seed=0)
    one, other = (search_supports(answering, episodes, pools) for answering in (plain, foreign))
    assert one.accuracy[:, 1].tolist() == other.accuracy[:, 1].tolist()
    easy = make_vectors(classes=3, images=8, features=3, spread=0.1)
    answering = answering_of(easy)
    episodes = sampled(easy, task, 3, answering)
    found = search_supports(answering, episodes, draw_pools(easy, episodes, seed=0))
    assert (found.accuracy[:, 1:] == 1).all()  # nothing to gain, yet the surest answers are looked for
    batch = Episodes(found.support_ids[:, 2], *episodes.tables[1:])
    sure = [float(answering.judge(e).probabilities.max(2).mean()) for e in (episodes, batch)]
    assert sure[1] > sure[0]


def test_unknown_classes_have_no_say() -> None:
    source = make_vectors(classes=8, images=12, features=4)
    answering = answering_of(source)
    episodes = sampled(source, Uniform(way=3, shot=1, query=4, unknown=2), 3, answering)
    found = search_supports(answering, episodes, draw_pools(source, episodes, seed=0))
    assert torch.tensor(found.accuracy).mul(12).round(decimals=6).frac().abs().max() == 0  # of 12 known queries
