"""Every image of a class in turn as its support."""

import torch

from fairshot.learners.learner import TaskBatch
from fairshot.learners.training.trainable import in_turn


def test_each_image_is_support_once_and_query_otherwise() -> None:
    way, shot, query = 3, 2, 4
    labels = torch.tensor([[0, 0, 1, 1, 2, 2], [2, 1, 0, 2, 1, 0]])
    asked = torch.stack(
        [
            torch.arange(way).repeat_interleave(query)[torch.randperm(12, generator=torch.Generator().manual_seed(i))]
            for i in (0, 1)
        ]
    )
    # A vector tells which image it is: its class, and a number of its own.
    numbers = torch.arange(36.0).view(2, 18)
    classes = torch.cat([labels, asked], 1)
    vectors = torch.stack([classes.float(), numbers], 2)
    batch = TaskBatch(
        support=vectors[:, :6],
        support_labels=labels,
        query=vectors[:, 6:],
        query_mask=torch.ones(2, 12, dtype=torch.bool),
        way=torch.tensor([way, way]),
        width=way,
    )
    turned, truth = in_turn(batch, asked, shot)
    assert len(turned.support) == 2 * (shot + query) // shot
    assert torch.equal(turned.support[:, :, 0].long(), turned.support_labels)
    assert torch.equal(turned.query[:, :, 0].long(), truth)
    for episode in (0, 1):
        own = [turn for turn in range(len(turned.support)) if turned.support[turn, 0, 1] // 18 == episode]
        shown = torch.cat([turned.support[turn, :, 1] for turn in own])
        assert torch.equal(shown.sort().values, numbers[episode])
        for turn in own:
            both = torch.cat([turned.support[turn, :, 1], turned.query[turn, :, 1]])
            assert torch.equal(both.sort().values, numbers[episode])
    first = {tuple(row) for row in turned.support[0].tolist()}
    assert first == {tuple(row) for row in vectors[0, :6].tolist()}
