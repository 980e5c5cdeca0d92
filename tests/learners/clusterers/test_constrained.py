"""Constrained clustering: the losses by hand, and a trained one on glyphs."""

import numpy as np
import pytest
import torch

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.clusterers.constrained import Constrained, near_pairs, pair_loss
from fairshot.learners.training.plan import Plan
from fairshot.metrics.clustering import Clustering
from fairshot.specs.data import find_split
from fairshot.tasks.uniform import Uniform


def test_losses_of_three_images_by_hand() -> None:
    shares = torch.tensor([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]], dtype=torch.float64)
    alike = torch.tensor([[1, 1, 0], [1, 1, 0], [0, 0, 1]]).bool()
    p = shares.numpy()
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    mcl = [-np.log(p[i] @ p[j]) if alike[i, j] else -np.log(1 - p[i] @ p[j]) for i, j in pairs]
    assert float(pair_loss(shares, alike, "mcl")) == pytest.approx(np.mean(mcl))

    def apart(i: int, j: int) -> float:
        distance = float((p[i] * np.log(p[i] / p[j])).sum())
        return distance if alike[i, j] else max(0.0, 2.0 - distance)

    kcl = [apart(i, j) + apart(j, i) for i, j in pairs]
    assert float(pair_loss(shares, alike, "kcl")) == pytest.approx(np.mean(kcl))


def test_gradients_of_kcl_reach_only_the_second_of_each_distance() -> None:
    shares = torch.tensor([[0.7, 0.3], [0.4, 0.6]], dtype=torch.float64, requires_grad=True)
    pair_loss(shares, torch.ones(2, 2, dtype=torch.bool), "kcl").backward()
    # The derivative of KL(p* || q) by q is -p / q.
    wanted = -shares.detach().flip(0) / shares.detach()
    torch.testing.assert_close(shares.grad, wanted)


def test_as_many_pairs_are_near_as_classes_have() -> None:
    points = torch.tensor([[0.0], [0.1], [5.0], [5.1], [5.2]])
    wanted = torch.block_diag(torch.ones(2, 2), torch.ones(3, 3)).bool()
    assert torch.equal(near_pairs(points, torch.tensor([3, 2])), wanted)


@pytest.mark.parametrize("kind", ["mcl", "kcl"])
def test_a_trained_one_clusters_better_than_chance_and_the_same_twice(kind: str) -> None:
    split = find_split("glyphs:alphabets=4,characters=6,drawers=8", "parents", recipe="16")
    plan = Plan(network="conv4", way=6, shot=2, query=2, steps=60, epoch=60, rate=2e-3)
    fitted = Constrained(loss_of=kind, steps=30, rate=2e-3).fit(split.base, plan=plan)  # type: ignore[arg-type]
    values = [
        evaluate(split.novel, {"it": fitted}, [Uniform(way=3, shot=4, query=1)], episodes=4, metric=Clustering())
        .rows[0]
        .value
        for _ in range(2)
    ]
    assert values[0] == values[1]
    assert values[0] > 0.5  # the best of all names for random clusters gets about 0.5
