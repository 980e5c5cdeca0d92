"""The siamese network: similarities, heads and pair training against plain NumPy."""

import numpy as np
import pytest
import torch

from fairshot.learners.classifiers.siamese import Siamese
from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Lesson, Model

WIDTH = 6


def make_vectors(episodes: int = 3, way: int = 3, shot: int = 2, query: int = 4) -> TaskBatch:
    rng = np.random.default_rng(1)
    labels = torch.arange(way).repeat_interleave(shot).expand(episodes, -1)
    return TaskBatch(
        support=torch.from_numpy(rng.normal(size=(episodes, way * shot, WIDTH))),
        support_labels=labels.contiguous(),
        query=torch.from_numpy(rng.normal(size=(episodes, query, WIDTH))),
        query_mask=torch.ones(episodes, query, dtype=torch.bool),
        way=torch.full((episodes,), way),
        width=way,
    )


def alike(kind: str, x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    match kind:
        case "cosine":
            return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y) + 1e-3))
        case "dot":
            return float(x @ y)
        case "l2":
            return -float(np.linalg.norm(x - y))
        case "squared_l2":
            return -float(((x - y) ** 2).sum())
        case "l1":
            return -float(np.abs(x - y).sum())
        case _:
            return -float((weights * np.abs(x - y)).sum())


KINDS = ("cosine", "dot", "l2", "squared_l2", "l1", "weighted_l1")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("head", ["nearest", "mean"])
def test_every_similarity_as_in_a_plain_loop(kind: str, head: str) -> None:
    batch, weights = make_vectors(), np.array([1.0, 0.5, -2.0, 0.0, 3.0, -0.1])
    learned = {"scale": torch.tensor(2.0, dtype=torch.float64), "bias": torch.tensor(-1.0, dtype=torch.float64)}
    learned["weights"] = torch.from_numpy(weights)
    logits = Siamese(similarity=kind, head=head).logits(batch, learned)
    for episode in range(3):
        for query in range(4):
            for label in range(3):
                members = batch.support[episode][batch.support_labels[episode] == label].numpy()
                shown = members if head == "nearest" else members.mean(0, keepdims=True)
                best = max(alike(kind, batch.query[episode, query].numpy(), one, weights) for one in shown)
                assert float(logits[episode, query, label]) == pytest.approx(2 * best - 1, abs=1e-6)


def test_the_ridge_head_is_kernel_ridge_regression() -> None:
    from sklearn.kernel_ridge import KernelRidge

    batch = make_vectors()
    learner = Siamese(similarity="dot", head="ridge", strength=0.3)
    logits = learner.logits(batch, learner.start(WIDTH, 3))
    for episode in range(3):
        targets = np.eye(3)[batch.support_labels[episode].numpy()]
        model = KernelRidge(alpha=0.3, kernel="linear").fit(batch.support[episode].numpy(), targets)
        np.testing.assert_allclose(logits[episode].numpy(), model.predict(batch.query[episode].numpy()), atol=1e-6)


def test_training_on_pairs_shows_as_many_equal_as_different_ones() -> None:
    learner = Siamese(trained_on="pairs", similarity="squared_l2")
    torch.manual_seed(0)
    model = Model(Conv4(1, 16), learner.start(64, 3))
    model.train()
    drawn = torch.rand(3, 1, 16, 16)
    labels = torch.tensor([[0, 2, 1, 0]])
    batch = TaskBatch(
        support=drawn[None],
        support_labels=torch.tensor([[0, 1, 2]]),
        query=drawn[labels],
        query_mask=torch.ones(1, 4, dtype=torch.bool),
        way=torch.tensor([3]),
        width=3,
    )
    loss = learner.loss(model, Lesson(0, tasks=batch, query_labels=labels), Plan())
    # Queries are copies of support images: with equal ones at distance 0 the answer is the bias, and the others are apart.
    vectors = model.network(torch.cat([drawn, drawn[labels[0]]])).detach()
    apart = [float((vectors[3 + place] - vectors[other]).square().sum()) for place, other in ((1, 0), (3, 1))]
    expected = (2 * np.log(2) + sum(np.log1p(np.exp(-distance)) for distance in apart)) / 4
    assert float(loss.value.detach()) == pytest.approx(expected, rel=1e-3)
