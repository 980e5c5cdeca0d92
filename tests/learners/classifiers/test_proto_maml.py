"""Proto-MAML: without a step it is the nearest class mean; with steps it is plain descent from there."""

import torch
from torch.nn.functional import cross_entropy

from fairshot.learners.classifiers.proto_maml import ProtoMaml
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Lesson, Model
from fairshot.tasks.episodes import PAD


def _batch(*shape: int) -> TaskBatch:
    """Two tasks, of three and of two classes with unequal numbers of images."""
    generator = torch.Generator().manual_seed(0)
    labels = torch.tensor([[0, 0, 1, 2, 2, 2, 1], [0, 1, 1, 1, PAD, PAD, PAD]])
    return TaskBatch(
        support=torch.randn(2, 7, *shape, generator=generator) + labels.view(2, 7, *[1] * len(shape)),
        support_labels=labels,
        query=torch.randn(2, 4, *shape, generator=generator),
        query_mask=torch.tensor([[True] * 4, [True] * 3 + [False]]),
        way=torch.tensor([3, 2]),
        width=3,
    )


def test_the_layer_begins_as_the_nearest_class_mean() -> None:
    batch = _batch(5)
    nearest, layer = Prototypes().classify(batch), ProtoMaml(inner_rate=1e-12, test_steps=1).classify(batch)
    for number, way in enumerate(batch.way):
        torch.testing.assert_close(
            nearest[number, :, :way].log_softmax(1), layer[number, :, :way].log_softmax(1), rtol=1e-4, atol=1e-4
        )


def test_descent_on_vectors_is_a_plain_loop() -> None:
    batch = _batch(5)
    learner = ProtoMaml(inner_rate=0.05, test_steps=3)
    answers = learner.classify(batch)
    for number, way in enumerate(batch.way.tolist()):
        support, labels, query = batch.episode(number)
        means = torch.stack([support[labels == label].mean(0) for label in range(way)])
        weight, bias = (2 * means).requires_grad_(), (-means.square().sum(1)).requires_grad_()
        for _ in range(3):
            loss = cross_entropy(support @ weight.T + bias, labels)
            slopes = torch.autograd.grad(loss, [weight, bias])
            weight, bias = (
                (p - 0.05 * g).detach().requires_grad_() for p, g in zip([weight, bias], slopes, strict=True)
            )
        expected = query @ weight.T + bias
        torch.testing.assert_close(answers[number, : len(query), :way], expected, rtol=1e-4, atol=1e-4)


def test_training_derives_through_how_the_layer_begins() -> None:
    torch.manual_seed(0)
    model = Model(Conv4(1, 16), {})
    lesson = Lesson(0, tasks=_batch(1, 16, 16), query_labels=torch.tensor([[0, 1, 2, 0], [1, 0, 1, PAD]]))
    slopes = {}
    for name, learner in {"through": ProtoMaml(inner_steps=1), "not": _Cut(inner_steps=1)}.items():
        model.zero_grad()
        learner.loss(model, lesson, Plan()).value.backward()
        slopes[name] = torch.cat([p.grad.flatten() for p in model.network.parameters() if p.grad is not None])
    assert torch.isfinite(slopes["through"]).all()
    assert (slopes["through"] - slopes["not"]).abs().max() > 1e-4


class _Cut(ProtoMaml):
    """The same with a layer that gradients do not pass."""

    def begin(self, model: Model, batch: TaskBatch):
        return {
            name: value.detach() if name.startswith("@") else value
            for name, value in super().begin(model, batch).items()
        }
