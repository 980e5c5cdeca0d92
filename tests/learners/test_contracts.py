"""What every classifier must keep, whatever it does; a new file in learners/classifiers is picked up by itself."""

from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from torch import Tensor

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.sources.array import from_arrays
from fairshot.specs.learners import find_learner
from fairshot.specs.registry import names
from fairshot.tasks.episodes import PAD
from fairshot.tasks.uniform import Uniform

VARIANTS = ("prototypes:metric=cosine", "prototypes:metric=centred", "neighbours:k=3", "neighbours:k=2,metric=cosine")
QUICK = ["constrained:steps=12" if name == "constrained" else name for name in names("learners")]  # it takes its time
SPECS = [*QUICK, *VARIANTS]
NUMERIC = [name for name in QUICK if find_learner(name).reads != "images" and name != "chance"]
OWN_SCALE = {
    "finetune",
    "maml",
    "proto_maml",
    "meta_ridge",
    "meta_svm",
    "siamese",
    "centroid",
}  # made for vectors of their network
WORLDS = {"few": (3, 40), "many": (12, 8), "near duplicates": (4, 40), "duplicates": (4, 40), "half constant": (4, 40)}
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
        support=images[:, :, :shot].flatten(1, 2),
        support_labels=labels.repeat_interleave(shot, 1).contiguous(),
        query=images[:, :, shot:].flatten(1, 2),
        query_mask=torch.ones(episodes, way * query, dtype=torch.bool),
        way=torch.full((episodes,), way),
        width=way,
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
        support=torch.cat([batch.support, fill], 1),
        support_labels=torch.cat([batch.support_labels, torch.full((4, 2), PAD)], 1),
        query=torch.cat([batch.query, fill], 1),
        query_mask=torch.cat([batch.query_mask, torch.zeros(4, 2, dtype=torch.bool)], 1),
        way=batch.way,
        width=batch.width,
    )
    assert_same(classify(learner, padded)[:, :20], classify(learner, batch))


def test_a_narrow_episode_beside_a_wide_one_gets_the_same_answers(learner: Classifier) -> None:
    wide, narrow = make_batch(episodes=1, way=4), make_batch(episodes=1, way=2, seed=1)
    alone = classify(learner, narrow)
    both = TaskBatch(
        support=torch.cat([wide.support, torch.cat([narrow.support, torch.rand(1, 6, 1, SIDE, SIDE)], 1)]),
        support_labels=torch.cat([wide.support_labels, torch.cat([narrow.support_labels, torch.full((1, 6), PAD)], 1)]),
        query=torch.cat([wide.query, torch.cat([narrow.query, torch.rand(1, 10, 1, SIDE, SIDE)], 1)]),
        query_mask=torch.cat(
            [wide.query_mask, torch.cat([narrow.query_mask, torch.zeros(1, 10, dtype=torch.bool)], 1)]
        ),
        way=torch.tensor([4, 2]),
        width=4,
    )
    answers = classify(learner, both)[1, :10, :2].argmax(1)
    torch.testing.assert_close(answers, alone[0].argmax(1))


def test_a_batch_of_one_equals_a_batch_of_many(learner: Classifier) -> None:
    batch = make_batch(episodes=32)
    one = torch.cat([classify(learner, batch.some(slice(i, i + 1), slice(None))) for i in range(32)])
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


def make_features(world: str, scale: float) -> TaskBatch:
    """Vectors of some scale in single precision: shots and features as the world has them."""
    shot, width = WORLDS[world]
    rng = torch.Generator().manual_seed(0)
    centres = torch.randn(3, 5, 1, width, generator=rng, dtype=torch.float64)
    vectors = centres + 0.7 * torch.randn(3, 5, shot + 3, width, generator=rng, dtype=torch.float64)
    if world.endswith("duplicates"):
        apart = 0 if world == "duplicates" else 1e-5
        vectors[:, :, 1] = vectors[:, :, 0] + apart * vectors[:, :, 2]
    if world == "half constant":
        vectors[:, :, :, : width // 2] = 3.0
    vectors = (scale * vectors).float()
    labels, asked = torch.arange(5).repeat_interleave(shot).repeat(3, 1), torch.ones(3, 15, dtype=torch.bool)
    support, query = (part.flatten(1, 2) for part in (vectors[:, :, :shot], vectors[:, :, shot:]))
    return TaskBatch(
        support=support,
        support_labels=labels,
        query=query,
        query_mask=asked,
        way=torch.full((3,), 5),
        width=5,
        seeds=torch.arange(3),
    )


def assert_same_choices(found: Tensor, wanted: Tensor) -> None:
    """But for queries between which the wanted logits hardly decide."""
    assert not torch.isnan(found).any()
    best = wanted.double().topk(2, dim=2).values
    span = (wanted.amax((1, 2)) - wanted.amin((1, 2)))[:, None]
    clear = best[:, :, 0] - best[:, :, 1] > 1e-4 * span
    assert clear.double().mean() > 0.7
    assert torch.equal(found.argmax(2)[clear], wanted.argmax(2)[clear])


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("name", NUMERIC)
def test_single_precision_chooses_as_double_precision_does(name: str, world: str) -> None:
    learner = find_learner(name)
    # Below one, the published softness of centroid is far larger than all squared distances: it tells nothing apart.
    for scale in (1.0, 1e3, 1e6) if name == "centroid" else (1e-6, 1e-3, 1.0, 1e3, 1e6):
        batch = make_features(world, scale)
        wide = replace(batch, support=batch.support.double(), query=batch.query.double())
        assert_same_choices(learner.classify(batch), learner.classify(wide))


@pytest.mark.parametrize("name", [name for name in NUMERIC if name not in OWN_SCALE])
def test_the_scale_of_features_changes_no_choice(name: str) -> None:
    learner = find_learner(name)
    for world in ("few", "many"):
        wanted = learner.classify(make_features(world, 1.0))
        assert (wanted.argmax(2) == torch.arange(5).repeat_interleave(3)).double().mean() > 0.5
        for scale in (1e-10, 1e-6, 1e6, 1e15):
            assert_same_choices(learner.classify(make_features(world, scale)), wanted)


@pytest.mark.parametrize("name", NUMERIC)
def test_features_that_are_all_the_same_or_absurd_are_answered(name: str) -> None:
    learner, usual = find_learner(name), make_features("many", 1.0)
    same = replace(usual, support=torch.full_like(usual.support, 3.0), query=torch.full_like(usual.query, 3.0))
    for batch in (same, make_features("duplicates", 1e15), make_features("many", 1e15), make_features("few", 1e-10)):
        assert not torch.isnan(learner.classify(batch)).any()


@pytest.mark.parametrize("name", names("learners"))
def test_a_learner_is_random_where_it_says_so_and_draws_anew_in_every_episode(name: str) -> None:
    learner, batch = find_learner(name), make_batch(noise=0.35)
    answers = classify(learner, replace(batch, seeds=torch.arange(4)))
    other = classify(learner, replace(batch, seeds=torch.arange(4, 8)))
    assert learner.random != torch.equal(other, answers)
    assert learner.random == ("seed" in {field.name for field in fields(learner)})
    if learner.random:
        assert not torch.equal(classify(learner.reseeded(1), replace(batch, seeds=torch.arange(4))), answers)
        assert learner.reseeded(1) == find_learner(f"{name}:seed=1")
