from dataclasses import replace

import torch
from torch.nn.functional import normalize

from fairshot.learners.classifiers.prior_prototypes import PriorPrototypes
from fairshot.learners.classifiers.prior_prototypes_loo import PriorPrototypesLoo
from fairshot.learners.learner import TaskBatch
from tests.learners.classifiers.test_ridge_loo import make_batch


def with_vectors(batch: TaskBatch, *, noise: float) -> TaskBatch:
    means = batch.one_hot.mT @ batch.support / batch.one_hot.sum(1)[:, :, None]
    generator = torch.Generator().manual_seed(0)
    return replace(batch, class_vectors=means + noise * torch.randn(means.shape, generator=generator))


def plain_choice(batch: TaskBatch, number: int, weights: tuple[float, ...]) -> float:
    """The weight with the least log-loss when each support image is answered by the others, one by one."""
    assert batch.class_vectors is not None
    support, labels, _ = batch.episode(number)
    support, prior = normalize(support, dim=-1), normalize(batch.class_vectors[number], dim=-1)
    losses = []
    for weight in weights:
        loss = 0.0
        for out in range(len(labels)):
            rest = torch.arange(len(labels)) != out
            sums = torch.stack([support[rest & (labels == c)].sum(0) for c in range(batch.width)]) + weight * prior
            loss -= float((100 * support[out] @ normalize(sums, dim=-1).mT).log_softmax(0)[labels[out]])
        losses.append(loss)
    return weights[losses.index(min(losses))]


def test_the_weight_is_chosen_as_plain_leaving_out_chooses_it() -> None:
    for noise in (0.1, 3.0):
        batch = with_vectors(make_batch(4, 12), noise=noise)
        found = PriorPrototypesLoo().classify(batch)
        for number in range(3):
            weight = plain_choice(batch, number, PriorPrototypesLoo.weights)
            torch.testing.assert_close(found[number], PriorPrototypes(weight=weight).classify(batch)[number])


def test_without_class_vectors_it_is_prototypes_by_cosine() -> None:
    batch = make_batch(4, 12)
    sums = batch.one_hot.mT @ normalize(batch.support, dim=-1)
    expected = 100 * normalize(batch.query, dim=-1) @ normalize(sums, dim=-1).mT
    torch.testing.assert_close(PriorPrototypesLoo().classify(batch), expected)


def test_a_weight_without_end_is_zero_shot() -> None:
    batch = with_vectors(make_batch(2, 12), noise=1.0)
    assert batch.class_vectors is not None
    expected = normalize(batch.query, dim=-1) @ normalize(batch.class_vectors, dim=-1).mT
    torch.testing.assert_close(PriorPrototypes(weight=1e6, scale=1.0).classify(batch), expected, atol=1e-4, rtol=1e-4)
