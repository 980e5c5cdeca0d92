"""MAML against a plain loop over tasks, and what adaptation must not depend on."""

from dataclasses import replace
from typing import Literal

import pytest
import torch
from torch import Tensor
from torch.nn.functional import batch_norm, conv2d, cross_entropy, linear, max_pool2d

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.maml import Maml
from fairshot.learners.fitted import Fitted
from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.solvers.descent import Descent
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Lesson, Model
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_part
from fairshot.tasks.episodes import PAD
from fairshot.tasks.uniform import Uniform

Order = Literal["second", "first"]
SIZE, LAYERS = 16, 4


def make_lesson(tasks: int = 3, way: int = 3, shot: int = 2, query: int = 2, *, dtype=torch.float64) -> Lesson:
    rng = torch.Generator().manual_seed(0)

    def images(count: int) -> Tensor:
        return torch.rand(tasks, count, 1, SIZE, SIZE, generator=rng, dtype=torch.float64).to(dtype)

    labels, asked = (torch.arange(way).repeat(count).expand(tasks, -1).contiguous() for count in (shot, query))
    batch = TaskBatch(
        support=images(way * shot),
        support_labels=labels,
        query=images(way * query),
        query_mask=asked >= 0,
        way=torch.full((tasks,), way),
        width=way,
    )
    return Lesson(0, tasks=batch, query_labels=asked)


def make_model(maml: Maml, *, dtype=torch.float64) -> Model:
    torch.manual_seed(3)
    network = Conv4(1, SIZE)
    return Model(network, maml.start(network.width, 9)).to(dtype).train()


def plain_forward(own: dict[str, Tensor], images: Tensor, support: int) -> Tensor:
    """The usual layers; batch norm by the first images."""
    for layer in range(1, LAYERS + 1):
        maps = conv2d(images, own[f"block{layer}.conv.weight"], own[f"block{layer}.conv.bias"], padding=1)
        mean, variance = maps[:support].mean((0, 2, 3)), maps[:support].var((0, 2, 3), correction=0)
        maps = (
            batch_norm(maps, None, None, training=True)
            if support == len(maps)
            else ((maps - mean[:, None, None]) / (variance[:, None, None] + 1e-5).sqrt())
        )
        maps = maps * own[f"block{layer}.norm.weight"][:, None, None] + own[f"block{layer}.norm.bias"][:, None, None]
        images = max_pool2d(maps.relu(), 2)
    return linear(images.flatten(1), own["weight"], own["bias"])


def plain_loss(maml: Maml, model: Model, lesson: Lesson, *, steps: int) -> tuple[Tensor, list[Tensor]]:
    """One task after the other; the loss and the answers of each."""
    batch = lesson.tasks
    start = dict(model.network.named_parameters())
    zero = {"weight": torch.zeros(batch.width, 64).double(), "bias": torch.zeros(batch.width).double()}
    start |= dict(model.head.items()) or {name: own.requires_grad_() for name, own in zero.items()}
    answers = []
    for task in range(len(batch.way)):
        support, labels, query = batch.episode(task)
        own = dict(start)
        for _ in range(steps):
            loss = cross_entropy(plain_forward(own, support, len(support)), labels)
            second = maml.order == "second"
            gradients = torch.autograd.grad(loss, list(own.values()), create_graph=second, retain_graph=True)
            own = {
                name: value - maml.inner_rate * slope
                for (name, value), slope in zip(own.items(), gradients, strict=True)
            }
        answers.append(plain_forward(own, torch.cat([support, query]), len(support))[len(support) :])
    return cross_entropy(torch.cat(answers), lesson.query_labels.flatten()), answers


@pytest.mark.parametrize("head", ["learned", "zero"])
@pytest.mark.parametrize("order", ["second", "first"])
def test_the_gradient_is_that_of_a_plain_loop(order: Order, head: Literal["learned", "zero"]) -> None:
    maml = Maml(order=order, inner_rate=0.3, inner_steps=3, head=head, way=3)
    model, lesson = make_model(maml), make_lesson()
    loss = maml.loss(model, lesson, Plan())
    expected, _ = plain_loss(maml, model, lesson, steps=3)
    torch.testing.assert_close(loss.value, expected, rtol=1e-9, atol=0.0)
    names, parameters = zip(*model.named_parameters(), strict=True)
    ours, plain = (
        torch.autograd.grad(value, parameters, allow_unused=True, materialize_grads=True)
        for value in (loss.value, expected)
    )
    for name, one, other in zip(names, ours, plain, strict=True):
        if name.endswith("conv.bias"):  # what it adds, batch norm takes away
            assert other.norm() < 1e-12
            assert not one.any()
        else:
            assert (one - other).norm() < 1e-8 * other.norm(), name


def test_the_first_order_is_another_gradient_than_the_second() -> None:
    first, second = (Maml(order=order, inner_rate=0.3, inner_steps=2) for order in ("first", "second"))
    model, lesson = make_model(first), make_lesson()
    weights = list(model.network.parameters())
    one, other = (
        torch.autograd.grad(maml.loss(model, lesson, Plan()).value, weights, allow_unused=True, materialize_grads=True)
        for maml in (first, second)
    )
    assert max(float((a - b).norm() / b.norm()) for a, b in zip(one, other, strict=True) if b.any()) > 0.05


@pytest.mark.parametrize("head", ["learned", "zero"])
def test_answers_are_those_of_a_plain_loop_also_where_gradients_are_off(head: Literal["learned", "zero"]) -> None:
    maml = Maml(inner_rate=0.2, inner_steps=1, test_steps=4, head=head, way=3)
    model, lesson = make_model(maml), make_lesson()
    with torch.inference_mode():
        inside = replace(lesson.tasks, support=lesson.tasks.support * 1, query=lesson.tasks.query * 1)
        given = maml.answer(model.eval(), inside)
    _, expected = plain_loss(maml, model, lesson, steps=4)
    torch.testing.assert_close(given.clone(), torch.stack(expected).detach(), rtol=1e-8, atol=1e-8)
    assert all(own.grad is None for own in model.parameters())


def test_other_tasks_padding_and_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    maml, lesson = Maml(inner_rate=0.2), make_lesson(dtype=torch.float32)
    model, batch = make_model(maml, dtype=torch.float32).eval(), lesson.tasks
    given = maml.answer(model, batch)
    fill = torch.full((3, 2, 1, SIZE, SIZE), 1e3)
    padded = TaskBatch(
        support=torch.cat([batch.support, fill], 1),
        support_labels=torch.cat([batch.support_labels, torch.full((3, 2), PAD)], 1),
        query=torch.cat([batch.query, fill], 1),
        query_mask=torch.cat([batch.query_mask, torch.zeros(3, 2, dtype=torch.bool)], 1),
        way=batch.way,
        width=5,
    )
    torch.testing.assert_close(maml.answer(model, padded)[:, :6, :3], given, rtol=1e-3, atol=1e-3)
    alone = TaskBatch(
        support=batch.support[1:2],
        support_labels=batch.support_labels[1:2],
        query=batch.query[1:2, 2:3],
        query_mask=batch.query_mask[1:2, 2:3],
        way=batch.way[:1],
        width=3,
    )
    torch.testing.assert_close(maml.answer(model, alone)[0, 0], given[1, 2], rtol=1e-3, atol=1e-3)
    monkeypatch.setattr("fairshot.learners.solvers.descent.PIXELS", 1)
    torch.testing.assert_close(maml.answer(model, batch), given, rtol=1e-3, atol=1e-3)


def test_a_learned_output_layer_serves_one_way() -> None:
    part = find_part("glyphs:alphabets=3,characters=4", recipe="16")
    plan = Plan(way=4, shot=1, query=1, steps=1, epoch=1)
    learned = train(Maml(head="learned", way=4, inner_steps=1, test_steps=1), part, plan=plan)
    assert learned.unable(4) is None
    reason = "its output layer was learned for 4-way episodes"
    assert learned.unable(3) == reason
    tasks = [Uniform(way=way, shot=1, query=1) for way in (3, 4)]
    rows = evaluate(part, {"it": learned}, tasks, episodes=4, allow_seen=True).rows
    assert (rows[0].value, rows[0].notes) == (None, [f"N/A: {reason}"])
    assert rows[1].value is not None
    zero = Fitted(Maml(), make_model(Maml()), learned.record)
    assert [zero.unable(way) for way in (2, 50)] == [None, None]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"inner_steps": 0}, "inner_steps of maml is 0: it must be at least 1"),
        ({"test_steps": -2}, "test_steps of maml is -2: it must be at least 1"),
        ({"way": 0}, "way of maml is 0: it must be at least 1"),
        ({"inner_rate": 0.0}, "inner_rate of maml is 0: it must be above 0"),
    ],
)
def test_senseless_settings_are_refused(wrong: dict, said: str) -> None:
    with pytest.raises(FairshotError) as caught:
        Maml(**wrong)
    assert str(caught.value) == said


def test_training_of_another_way_than_the_layers_is_refused() -> None:
    maml = Maml(head="learned", way=5)
    with pytest.raises(FairshotError) as caught:
        maml.loss(make_model(maml), make_lesson(), Plan())
    assert str(caught.value) == (
        "maml cannot serve 3-way episodes, its output layer was learned for 5-way episodes: train with way=3 or head=zero"
    )


def test_training_keeps_averages_for_other_heads() -> None:
    maml = Maml(inner_steps=1)
    model = make_model(maml)
    maml.loss(model, make_lesson(), Plan())
    assert model.network.get_buffer("block1.norm.running_mean").any()


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_descent_is_torchs_own(optimizer: Literal["sgd", "adam"]) -> None:
    start = torch.randn(2, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    ended = Descent(7, 0.1, optimizer).run({"x": start}, lambda now: {"x": 4 * now["x"] ** 3})["x"]
    own = start.clone().requires_grad_()
    reference = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimizer]([own], lr=0.1)
    for _ in range(7):
        reference.zero_grad()
        (own**4).sum().backward()
        reference.step()
    torch.testing.assert_close(ended, own.detach(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("steps", "rate", "said"),
    [
        (-1, 0.1, "-1 steps of descent were asked for: ask for 0 or more"),
        (1, 0.0, "the rate of descent is 0: it must be above 0"),
    ],
)
def test_senseless_descents_are_refused(steps: int, rate: float, said: str) -> None:
    with pytest.raises(FairshotError) as caught:
        Descent(steps, rate)
    assert str(caught.value) == said


def test_plans() -> None:
    laptop, paper = Maml.plan("laptop"), Maml.plan("paper")
    support = laptop.tasks * laptop.way * laptop.shot
    shown = support * (Maml().inner_steps + 1) + laptop.tasks * laptop.way * laptop.query
    assert 240_000 <= shown * laptop.steps <= 310_000
    assert 10 <= laptop.epochs <= 15
    assert (paper.way, paper.shot, paper.tasks, paper.rate, paper.optimizer) == (20, 1, 16, 1e-3, "adam")
    critic = Maml.plan("critic")
    assert (critic.way, critic.shot, critic.tasks, critic.rate, critic.network) == (20, 1, 4, 1e-3, "critic_trunk")
    assert (Maml().order, Maml().inner_steps, Maml().test_steps) == ("second", 5, 10)
