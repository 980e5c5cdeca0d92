"""Fine-tuning against torch's own layers and optimisers, task by task."""

from typing import Literal

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from fairshot.learners.classifiers.finetune import Finetune
from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.networks.network import Tasks
from fairshot.learners.training.trainable import Model
from fairshot.tasks.episodes import PAD
from tests.learners.classifiers.test_maml import make_lesson
from tests.learners.test_references import random_task


def tuned(layers: nn.ModuleDict, learner: Finetune, support: Tensor, labels: Tensor, known: Tasks | None) -> None:
    """Descends as one would by hand."""
    for own in layers["head"].parameters():
        nn.init.zeros_(own)
    kind = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[learner.optimizer]
    optimizer = kind(layers.parameters(), lr=learner.rate)
    for _ in range(learner.steps):
        vectors = layers["network"](support, known) if known else support
        optimizer.zero_grad()
        cross_entropy(layers["head"](vectors), labels).backward()
        optimizer.step()


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_layer_descends_as_torchs_own(optimizer: Literal["sgd", "adam"]) -> None:
    learner = Finetune(steps=20, rate=0.05, optimizer=optimizer)
    batch = random_task(way=4, shot=3)
    answers = learner.classify(batch)
    for task in range(3):
        support, labels, query = batch.episode(task)
        layers = nn.ModuleDict({"head": nn.Linear(10, 4).double()})  # Adam makes steps of what rounding leaves of zero
        tuned(layers, learner, support.double(), labels, None)
        wanted = layers["head"](query.double()).detach().float()
        torch.testing.assert_close(answers[task], wanted, rtol=1e-4, atol=1e-5)


def test_a_whole_network_descends_as_torchs_own() -> None:
    learner = Finetune(tune="all", steps=3, rate=0.1)
    batch = make_lesson().tasks
    torch.manual_seed(5)
    network = Conv4(1, 16).double()
    model = Model(network, {name: own.double() for name, own in learner.start(64, 7).items()}).eval()
    images = batch.support.flatten(0, 1)
    assert learner.embed_with(model, images) is images
    with torch.inference_mode():
        answers = learner.answer(model, batch).clone()
    for task in range(len(batch.way)):
        support, labels, query = batch.episode(task)
        own = Conv4(1, 16).double()
        own.load_state_dict(network.state_dict())
        layers = nn.ModuleDict({"network": own, "head": nn.Linear(64, 3).double()})
        tuned(layers, learner, support, labels, Tasks(torch.ones(1, len(support), dtype=torch.bool)))
        known = torch.arange(len(support) + len(query)) < len(support)
        vectors = own(torch.cat([support, query]), Tasks(known[None]))[len(support) :]
        torch.testing.assert_close(answers[task], layers["head"](vectors).detach(), rtol=1e-7, atol=1e-7)


def test_the_head_is_tuned_on_what_the_network_learned() -> None:
    learner, batch = Finetune(steps=5), make_lesson(dtype=torch.float32).tasks
    torch.manual_seed(5)
    network = Conv4(1, 16)
    model = Model(network, learner.start(64, 7)).eval()
    vectors = learner.embed_with(model, batch.support.flatten(0, 1))
    torch.testing.assert_close(vectors, network.embed(batch.support.flatten(0, 1)))
    seen = [
        network.embed(images.flatten(0, 1)).unflatten(0, images.shape[:2]) for images in (batch.support, batch.query)
    ]
    given = TaskBatch(
        support=seen[0],
        support_labels=batch.support_labels,
        query=seen[1],
        query_mask=batch.query_mask,
        way=batch.way,
        width=batch.width,
    )
    assert torch.equal(learner.answer(model, given), learner.classify(given))


def test_classes_that_a_task_does_not_have_take_no_part() -> None:
    batch = random_task(way=3, shot=2)
    wide = TaskBatch(
        support=torch.cat([batch.support, torch.full((3, 1, 10), 1e6)], 1),
        support_labels=torch.cat([batch.support_labels, torch.full((3, 1), PAD)], 1),
        query=batch.query,
        query_mask=batch.query_mask,
        way=batch.way,
        width=6,
    )
    torch.testing.assert_close(Finetune().classify(wide)[:, :, :3], Finetune().classify(batch), rtol=1e-4, atol=1e-4)


def test_plans() -> None:
    laptop, paper = Finetune.plan("laptop"), Finetune.plan("paper")
    assert 250_000 <= laptop.images * laptop.steps <= 310_000
    assert 10 <= laptop.epochs <= 15
    assert (paper.images, paper.steps, paper.epoch) == (256, 75_000, 500)
