"""Heads that networks are trained through, against named references, by hand, and by finite differences."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.kernel_ridge import KernelRidge
from torch import Tensor

from fairshot.learners.classifiers.meta_ridge import MetaRidge
from fairshot.learners.classifiers.meta_svm import MetaSvm
from fairshot.learners.learner import TaskBatch
from fairshot.learners.solvers.crammer_singer import solve_dual
from fairshot.runtime.errors import FairshotError
from fairshot.specs.learners import find_learner
from fairshot.tasks.episodes import PAD
from tests.learners.test_references import normalised, random_task

HEADS = ("meta_ridge", "meta_svm", "matching", "baseline", "meta_baseline")


def one_hot(labels: Tensor, way: int) -> Tensor:
    return torch.nn.functional.one_hot(labels, way).double()


def test_ridge_is_twice_scikit_learns_kernel_ridge() -> None:
    batch = random_task()
    logits = MetaRidge(scale=3.0).classify(batch).numpy()
    for number in range(3):
        support, labels, queries = (part.numpy().astype(np.float64) for part in batch.episode(number))
        reference = KernelRidge(alpha=50, kernel="linear").fit(support, np.eye(5)[labels.astype(int)])
        np.testing.assert_allclose(logits[number], 3 * 2 * reference.predict(queries), atol=1e-5)


def best_dual(gram: np.ndarray, labels: np.ndarray, way: int, bound: float) -> np.ndarray:
    """The definition, left to scipy."""
    count, targets = len(labels), np.eye(way)[labels]
    curved = gram + np.eye(count)
    found = minimize(
        lambda z: 0.5 * np.sum(z.reshape(count, way) * (curved @ z.reshape(count, way))) - np.sum(z * targets.ravel()),
        np.zeros(count * way),
        jac=lambda z: (curved @ z.reshape(count, way) - targets).ravel(),
        method="SLSQP",
        bounds=[(None, bound * own) for own in targets.ravel()],
        constraints={
            "type": "eq",
            "fun": lambda z: z.reshape(count, way).sum(1),
            "jac": lambda z: np.kron(np.eye(count), np.ones(way)),
        },
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert found.success, found.message
    return found.x.reshape(count, way)


@pytest.mark.parametrize("bound", [0.02, 0.1, 2.0])
def test_svm_is_what_scipy_finds(bound: float) -> None:
    batch = random_task(way=3, shot=3, features=4)
    gram = (batch.support @ batch.support.mT).double()
    found = solve_dual(gram, batch.one_hot.double(), bound=bound)
    for number in range(3):
        expected = best_dual(gram[number].numpy(), batch.support_labels[number].numpy(), 3, bound)
        np.testing.assert_allclose(found[number].numpy(), expected, atol=1e-5)


def test_svm_answers_with_the_sum_of_kernels() -> None:
    batch = random_task(way=3, shot=2)
    support, query = batch.support.double(), batch.query.double()
    dual = solve_dual(support @ support.mT, batch.one_hot.double(), bound=0.1)
    expected = 7 * (query @ support.mT) @ dual
    torch.testing.assert_close(MetaSvm().classify(batch).double(), expected, rtol=1e-4, atol=1e-4)


@settings(max_examples=30)
@given(
    way=st.integers(2, 6),
    shot=st.integers(1, 6),
    features=st.integers(1, 30),
    size=st.sampled_from([0.01, 1.0, 30.0]),
    seed=st.integers(0, 1000),
)
def test_svm_is_optimal(way: int, shot: int, features: int, size: float, seed: int) -> None:
    """Slopes of all z above their bounds are equal for an image, and no z at its bound would rather be smaller."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(way), shot)
    vectors = size * (rng.normal(size=(way, features))[labels] + rng.normal(size=(way * shot, features)))
    gram, targets, bound = vectors @ vectors.T, np.eye(way)[labels], 0.1
    dual = solve_dual(torch.from_numpy(gram)[None], torch.from_numpy(targets)[None], bound=bound)[0].numpy()
    slope = (gram + np.eye(len(gram))) @ dual - targets
    slack = bound * targets - dual
    np.testing.assert_allclose(dual.sum(1), 0, atol=1e-9)
    assert slack.min() > -1e-8
    # What an image could still gain by moving from its steepest class that has room to the flattest one.
    gain = np.where(slack > 1e-7, -slope, -np.inf).max(1) - (-slope).min(1)
    assert gain.max() < 1e-5


def test_the_svm_of_large_kernels_is_solved_to_its_end() -> None:
    """Where no bound is met, larger vectors change no choice; begun at a bound of 1e11, the method ended anywhere."""
    batch = random_task(way=5, shot=3, query=20, features=40)
    choices = [
        MetaSvm().classify(replace(batch, support=size * batch.support, query=size * batch.query)).argmax(2)
        for size in (1e3, 1e6, 1e9)
    ]
    assert torch.equal(choices[0], choices[1])
    assert torch.equal(choices[0], choices[2])


def test_padding_and_missing_classes_leave_the_svm_as_it_is() -> None:
    batch = random_task(way=3, shot=4)
    alone = MetaSvm().classify(batch)
    padded = TaskBatch(
        support=torch.cat([torch.full((3, 2, 10), 1e6), batch.support], 1),
        support_labels=torch.cat([torch.full((3, 2), PAD), batch.support_labels], 1),
        query=batch.query,
        query_mask=batch.query_mask,
        way=batch.way,
        width=6,
    )
    torch.testing.assert_close(MetaSvm().classify(padded)[:, :, :3], alone)


def test_many_tasks_are_solved_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = random_task()
    whole = MetaSvm().classify(batch)
    monkeypatch.setattr("fairshot.learners.solvers.crammer_singer.PORTION", 1)
    torch.testing.assert_close(MetaSvm().classify(batch), whole)


@pytest.mark.parametrize("seed", range(2))
def test_the_derivative_of_the_svm_is_that_of_finite_differences(seed: int) -> None:
    labels = torch.tensor([[0, 0, 1, 1, 2, 2]])
    rng = torch.Generator().manual_seed(seed)
    vectors = torch.randn(1, 6, 3, generator=rng, dtype=torch.float64).requires_grad_()

    def solved(vectors: Tensor) -> Tensor:
        return solve_dual(vectors @ vectors.mT, one_hot(labels, 3), bound=0.1)

    dual = solved(vectors).detach()
    free = (0.1 * one_hot(labels, 3) - dual) > 1e-6
    assert free.any()
    assert (~free).any()  # both kinds, so that the derivative is put to the test
    assert torch.autograd.gradcheck(solved, (vectors,), eps=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", HEADS)
def test_the_derivative_of_every_head_is_that_of_finite_differences(name: str) -> None:
    learner = find_learner(name)
    batch = random_task(way=3, shot=2, query=2, features=4)
    head = {key: value.double().requires_grad_() for key, value in learner.start(4, 3).items()}

    def answers(support: Tensor, query: Tensor) -> Tensor:
        wide = TaskBatch(
            support=support,
            support_labels=batch.support_labels,
            query=query,
            query_mask=batch.query_mask,
            way=batch.way,
            width=batch.width,
        )
        return learner.logits(wide, head)

    inputs = tuple(vectors.double().requires_grad_() for vectors in (batch.support, batch.query))
    assert torch.autograd.gradcheck(answers, inputs, eps=1e-6, atol=1e-5, fast_mode=True)
    answers(*inputs).square().mean().backward()
    if "scale" in head:
        assert head["scale"].grad is not None
        assert head["scale"].grad.abs() > 0


@pytest.mark.parametrize("name", HEADS)
def test_padding_gets_no_gradient_and_spoils_none(name: str) -> None:
    learner, batch = find_learner(name), random_task(way=3, shot=2)
    support = torch.cat([batch.support, torch.full((3, 1, 10), 1e6)], 1).requires_grad_()
    labels = torch.cat([batch.support_labels, torch.full((3, 1), PAD)], 1)
    query = batch.query.clone().requires_grad_()
    padded = TaskBatch(
        support=support, support_labels=labels, query=query, query_mask=batch.query_mask, way=batch.way, width=4
    )
    learner.classify(padded)[:, :, :3].square().sum().backward()
    assert support.grad is not None
    assert query.grad is not None
    assert support.grad.isfinite().all()
    assert query.grad.isfinite().all()
    assert not support.grad[:, -1].any()
    assert support.grad[:, :-1].any()


def test_matching_by_hand() -> None:
    batch = random_task()
    logits = find_learner("matching:scale=4.0").classify(batch).numpy()
    support, labels, queries = (part.numpy() for part in batch.episode(1))
    attention = np.exp(4 * normalised(queries) @ normalised(support).T)
    attention /= attention.sum(1, keepdims=True)
    expected = np.stack([attention[:, labels == label].sum(1) for label in range(5)], 1)
    np.testing.assert_allclose(np.exp(logits[1]), expected, atol=1e-6)


def test_baselines_by_hand() -> None:
    batch = random_task()
    support, labels, queries = (part.numpy() for part in batch.episode(1))
    unit = np.stack([normalised(support)[labels == label].mean(0) for label in range(5)])
    logits = find_learner("baseline:scale=1.0").classify(batch).numpy()
    apart = normalised(queries)[:, None] - unit[None]
    np.testing.assert_allclose(logits[1], -(apart**2).sum(2), atol=1e-5)
    cosines = find_learner("baseline:metric=cosine,scale=1.0").classify(batch).numpy()
    np.testing.assert_allclose(cosines[1], normalised(queries) @ normalised(unit).T, atol=1e-5)
    means = np.stack([support[labels == label].mean(0) for label in range(5)])
    logits = find_learner("meta_baseline").classify(batch).numpy()
    np.testing.assert_allclose(logits[1], 10 * normalised(queries) @ normalised(means).T, atol=1e-4)


def test_the_linear_layer_is_torchs_own() -> None:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        head = find_learner("baseline").start(7, 11)
        torch.manual_seed(3)
        layer = torch.nn.Linear(7, 11)
    assert torch.equal(head["weight"], layer.weight)
    assert torch.equal(head["bias"], layer.bias)


def test_meta_baseline_learns_labels_first() -> None:
    learner = find_learner("meta_baseline")
    plan = learner.plan("laptop")
    kinds = [learner.lesson(plan, step) for step in (0, plan.supervised - 1, plan.supervised, plan.steps - 1)]
    assert kinds == ["labels", "labels", "episodes", "episodes"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("meta_ridge:strength=0", "strength of meta_ridge is 0: it must be above 0"),
        ("meta_svm:c=-1", "c of meta_svm is -1: it must be above 0"),
    ],
)
def test_senseless_settings_are_refused(spec: str, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        find_learner(spec)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", HEADS)
def test_laptop_plans_show_about_200_000_images(name: str) -> None:
    learner = find_learner(name)
    plan = learner.plan("laptop")
    episode = plan.way * (plan.shot + plan.query) * plan.tasks
    labels = sum(learner.lesson(plan, step) == "labels" for step in range(plan.steps))
    assert 180_000 <= labels * plan.images + (plan.steps - labels) * episode <= 220_000
    assert 10 <= plan.epochs <= 15
    assert (plan.network, plan.augment, plan.cosine) == ("conv4", "drawing", True)


@pytest.mark.parametrize("name", ["meta_ridge", "meta_svm"])
def test_published_rates(name: str) -> None:
    plan = find_learner(name).plan("paper")
    rates = [plan.rate_at(epoch * plan.epoch) for epoch in (0, 19, 20, 39, 40, 49, 50, 59)]
    np.testing.assert_allclose(rates, [0.1, 0.1, 0.006, 0.006, 0.0012, 0.0012, 0.00024, 0.00024])
    assert plan.epochs == 60


def test_published_rates_of_the_baselines() -> None:
    plan = find_learner("baseline").plan("paper")
    assert [plan.rate_at(epoch * plan.epoch) for epoch in (0, 89, 90, 99)] == pytest.approx([0.1, 0.1, 0.01, 0.01])
    plan = find_learner("meta_baseline").plan("paper")
    steps = (0, 26_900, 27_001, 29_999, 30_001, 33_999)
    assert [plan.rate_at(step) for step in steps] == pytest.approx([0.1, 0.1, 0.01, 0.01, 0.001, 0.001])


@pytest.mark.parametrize("name", ["meta_ridge", "meta_svm"])
def test_the_rate_of_metaoptnet_falls_as_published(name: str) -> None:
    plan = find_learner(name).plan("paper")
    rates = [plan.rate_at(1000 * epoch) for epoch in (0, 19, 20, 39, 40, 49, 50, 59)]
    assert rates == pytest.approx([0.1, 0.1, 0.006, 0.006, 0.0012, 0.0012, 0.00024, 0.00024])
