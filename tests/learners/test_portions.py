"""Portions bound what a network is shown at once, and change no answer."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.network import make_network
from fairshot.learners.portions import portions
from fairshot.learners.training.trainable import Model
from fairshot.tasks.episodes import PAD

PIXELS = 4  # of an image in the pure tests


def make_batch(tasks: int, support: int, query: int, size: int = 2) -> TaskBatch:
    images = torch.rand(tasks, support + query, 1, size, size, generator=torch.Generator().manual_seed(0))
    labels = torch.arange(support).remainder(2).repeat(tasks, 1)
    mask, way = torch.ones(tasks, query, dtype=torch.bool), torch.full((tasks,), 2)
    return TaskBatch(
        support=images[:, :support], support_labels=labels, query=images[:, support:], query_mask=mask, way=way, width=2
    )


@given(st.integers(1, 9), st.integers(1, 6), st.integers(0, 12), st.integers(0, 60), st.none() | st.integers(1, 4))
def test_every_query_is_asked_once_beside_its_whole_support(
    tasks: int, support: int, query: int, images: int, most: int | None
) -> None:
    batch = make_batch(tasks, support, query)
    done = list(portions(batch, images * PIXELS, most=most))
    assert torch.equal(torch.cat([pieces[0].support for pieces in done]), batch.support)
    assert torch.equal(torch.cat([torch.cat([p.query for p in pieces], 1) for pieces in done]), batch.query)
    for pieces in done:
        assert all(torch.equal(piece.support, pieces[0].support) for piece in pieces)
        assert len(pieces[0].way) <= (most or tasks)
        shown = [piece.query_mask.numel() + piece.support_labels.numel() for piece in pieces]
        assert max(shown) <= max(images, 2 * support)  # a support cannot be taken apart
        assert sum(shown) <= 2 * (query + support) * len(pieces[0].way)  # and is not shown too often


@pytest.mark.parametrize("images", [0, 9, 11, 50])
def test_a_network_sees_few_images_at_a_time_and_gives_the_same_vectors(
    images: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    model = Model(make_network("conv4", (1, 16)), {}, "support").eval().requires_grad_(False)
    batch = make_batch(5, 4, 7, size=16)
    batch.support_labels[2, 3] = PAD
    whole = model.embed_tasks(batch)  # with gradients all at once
    shown = []
    model.network.register_forward_pre_hook(lambda network, given: shown.append(len(given[0])))
    monkeypatch.setattr("fairshot.learners.training.trainable.PIXELS", images * 16 * 16)
    with torch.inference_mode():
        parts = model.embed_tasks(batch)
    assert shown == {0: [8, 7] * 5, 9: [8, 7] * 5, 11: [11] * 5, 50: [44, 11]}[images]
    torch.testing.assert_close(parts.support.clone(), whole.support, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(parts.query.clone(), whole.query, rtol=1e-4, atol=1e-4)
