"""What every classifier must keep, whatever it does; a new file in learners/classifiers is picked up by itself."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from fairshot.evaluate import evaluate
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.resolve import find_learner, names
from fairshot.sources.array import from_arrays
from fairshot.tasks.episodes import PAD
from fairshot.tasks.uniform import Uniform

VARIANTS = ("prototypes:metric=cosine", "prototypes:metric=centred", "neighbours:k=3", "neighbours:k=2,metric=cosine")
SPECS = [*names("learners"), *VARIANTS]
SIDE = 8  # pixels: every learner can look at an 8 x 8 drawing


@pytest.fixture(params=SPECS)
def learner(request: pytest.FixtureRequest) -> Classifier:
    return find_learner(request.param)


def make_batch(
    *, episodes: int = 4, way: int = 4, shot: int = 3, query: int = 5, noise: float = 0.08, seed: int = 0
) -> TaskBatch:
    """Drawings of random strokes: each class a random 8 x 8 pattern whose pixels flip now and then."""
    rng = np.random.default_rng(seed)
    patterns = rng.random((episodes, way, 1, 1, SIDE, SIDE)) < 0.3
    flips = rng.random((episodes, way, shot + query, 1, SIDE, SIDE)) < noise
    images = torch.from_numpy((patterns ^ flips).astype(np.float32))
    labels = torch.arange(way).expand(episodes, way)
    return TaskBatch(
        images[:, :, :shot].flatten(1, 2),
        labels.repeat_interleave(shot, 1).contiguous(),
        images[:, :, shot:].flatten(1, 2),
        torch.ones(episodes, way * query, dtype=torch.bool),
        torch.full((episodes,), way),
        way,
    )


def classify(learner: Classifier, batch: TaskBatch) -> Tensor:
    """Embeds as evaluation does, then classifies."""
    with torch.inference_mode():
        support, query = (
            learner.embed(images.flatten(0, 1)).unflatten(0, images.shape[:2])
            for images in (batch.support, batch.query)
        )
        return learner.classify(replace(batch, support=support, query=query))


def assert_same(a: Tensor, b: Tensor) -> None:
    torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)


def test_one_logit_for_each_query_and_class(learner: Classifier) -> None:
    logits = classify(learner, make_batch())
    assert logits.shape == (4, 20, 4)
    assert not torch.isnan(logits).any()


def test_permuting_the_labels_permutes_the_logits(learner: Classifier) -> None:
    batch = make_batch()
    order = torch.tensor([2, 0, 3, 1])
    permuted = replace(batch, support_labels=order[batch.support_labels])
    assert_same(classify(learner, permuted)[:, :, order], classify(learner, batch))


def test_the_order_of_support_images_does_not_matter(learner: Classifier) -> None:
    batch = make_batch()
    order = torch.randperm(12, generator=torch.Generator().manual_seed(0))
    shuffled = replace(batch, support=batch.support[:, order], support_labels=batch.support_labels[:, order])
    assert_same(classify(learner, shuffled), classify(learner, batch))


def test_the_order_of_queries_does_not_matter_and_their_company_only_where_it_is_said(learner: Classifier) -> None:
    batch = make_batch()
    logits = classify(learner, batch)
    assert_same(classify(learner, replace(batch, query=batch.query.flip(1))).flip(1), logits)
    alone = replace(batch, query=batch.query[:, :1], query_mask=batch.query_mask[:, :1])
    same = torch.allclose(classify(learner, alone), logits[:, :1], rtol=1e-3, atol=1e-3)
    assert same != learner.transductive


@pytest.mark.parametrize("garbage", [0.0, 1.0, 1e6])
def test_garbage_in_padded_slots_changes_nothing(learner: Classifier, garbage: float) -> None:
    batch = make_batch()
    fill = torch.full((4, 2, 1, SIDE, SIDE), garbage)
    padded = TaskBatch(
        torch.cat([batch.support, fill], 1),
        torch.cat([batch.support_labels, torch.full((4, 2), PAD)], 1),
        torch.cat([batch.query, fill], 1),
        torch.cat([batch.query_mask, torch.zeros(4, 2, dtype=torch.bool)], 1),
        batch.way,
        batch.width,
    )
    assert_same(classify(learner, padded)[:, :20], classify(learner, batch))


def test_a_narrow_episode_beside_a_wide_one_gets_the_same_answers(learner: Classifier) -> None:
    wide, narrow = make_batch(episodes=1, way=4), make_batch(episodes=1, way=2, seed=1)
    alone = classify(learner, narrow)
    both = TaskBatch(
        torch.cat([wide.support, torch.cat([narrow.support, torch.rand(1, 6, 1, SIDE, SIDE)], 1)]),
        torch.cat([wide.support_labels, torch.cat([narrow.support_labels, torch.full((1, 6), PAD)], 1)]),
        torch.cat([wide.query, torch.cat([narrow.query, torch.rand(1, 10, 1, SIDE, SIDE)], 1)]),
        torch.cat([wide.query_mask, torch.cat([narrow.query_mask, torch.zeros(1, 10, dtype=torch.bool)], 1)]),
        torch.tensor([4, 2]),
        4,
    )
    answers = classify(learner, both)[1, :10, :2].argmax(1)
    torch.testing.assert_close(answers, alone[0].argmax(1))


def test_a_batch_of_one_equals_a_batch_of_many(learner: Classifier) -> None:
    batch = make_batch(episodes=32)
    tables = (batch.support, batch.support_labels, batch.query, batch.query_mask, batch.way)
    one = torch.cat(
        [classify(learner, TaskBatch(*(table[i : i + 1] for table in tables), batch.width)) for i in range(32)]
    )
    assert_same(one, classify(learner, batch))


def test_the_same_question_gets_the_same_bytes_and_no_global_seed_is_touched(learner: Classifier) -> None:
    torch.manual_seed(1)
    np.random.seed(1)
    before = torch.get_rng_state(), np.random.get_state()[1].copy()
    first = classify(learner, make_batch())
    assert torch.equal(torch.get_rng_state(), before[0])
    assert (np.random.get_state()[1] == before[1]).all()
    torch.manual_seed(2)
    assert torch.equal(classify(learner, make_batch()), first)


def _world(noise: float, *, random_labels: bool = False):
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(12), 10)
    patterns = rng.random((12, SIDE, SIDE)) < 0.3
    images = patterns[labels] ^ (rng.random((120, SIDE, SIDE)) < noise)
    return from_arrays(images.astype(np.uint8) * 255, rng.permutation(labels) if random_labels else labels)


def test_above_chance_on_separable_classes_and_at_chance_on_noise(learner: Classifier) -> None:
    tasks = [Uniform(way=4, shot=2, query=4)]
    separable = evaluate(_world(0.05), {"it": learner}, tasks, episodes=60, backend="serial").rows[0].value
    noise = (
        evaluate(_world(0.5, random_labels=True), {"it": learner}, tasks, episodes=60, backend="serial").rows[0].value
    )
    assert abs(noise - 0.25) < 0.08
    if type(learner).__name__ == "Chance":
        assert abs(separable - 0.25) < 0.08
    else:
        assert separable > 0.6
