"""Classifiers against named reference implementations and hand-made cases."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.spatial.distance import directed_hausdorff
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import LinearSVC

from fairshot.learners.classifiers.hausdorff import Hausdorff
from fairshot.learners.features import Features
from fairshot.learners.learner import TaskBatch
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors


def random_task(way: int = 5, shot: int = 4, query: int = 6, features: int = 10, seed: int = 0) -> TaskBatch:
    rng = np.random.default_rng(seed)
    labels = np.tile(np.repeat(np.arange(way), shot), (3, 1))
    centres = rng.normal(size=(3, way, features))
    support = np.take_along_axis(centres, labels[:, :, None], 1) + rng.normal(size=(3, way * shot, features))
    queries = rng.normal(size=(3, query, features)) * 1.5
    return TaskBatch(
        support=torch.from_numpy(support).float(),
        support_labels=torch.from_numpy(labels),
        query=torch.from_numpy(queries).float(),
        query_mask=torch.ones(3, query, dtype=torch.bool),
        way=torch.full((3,), way),
        width=way,
    )


def normalised(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("spec", "reference"),
    [
        ("prototypes", NearestCentroid()),
        ("neighbours", KNeighborsClassifier(1)),
        ("neighbours:k=3", KNeighborsClassifier(3)),
        ("ridge:strength=2.5,relative=False", RidgeClassifier(alpha=2.5)),
        ("logistic:c=0.5,relative=False", LogisticRegression(C=0.5, max_iter=1000)),
        ("svm:c=0.5,relative=False", LinearSVC(C=0.5, random_state=0, max_iter=10_000)),
    ],
)
def test_the_same_choices_as_scikit_learn(spec: str, reference) -> None:
    for seed in range(5):
        batch = random_task(seed=seed)
        chosen = find_learner(spec).classify(batch).argmax(2).numpy()
        for number in range(3):
            support, labels, queries = (part.numpy() for part in batch.episode(number))
            expected = reference.fit(support, labels).predict(queries)
            if spec == "neighbours:k=3":  # scikit-learn breaks ties by label, we by the nearest member
                votes = np.sort(reference.predict_proba(queries), axis=1)
                clear = votes[:, -1] > votes[:, -2]
                np.testing.assert_array_equal(chosen[number][clear], expected[clear])
            else:
                np.testing.assert_array_equal(chosen[number], expected)


@pytest.mark.parametrize("shot", [2, 20])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3, 1e6])
def test_ridge_gives_scikit_learns_decision_values(scale: float, shot: int) -> None:
    """In single precision, features of spread 1000 with more images than features were answered as by guessing."""
    batch = random_task(shot=shot, query=15)
    batch = replace(batch, support=scale * batch.support, query=scale * batch.query)
    absolute = find_learner("ridge:strength=0.7,relative=False").classify(batch).numpy()
    relative = find_learner("ridge:strength=0.7").classify(batch).numpy()
    for number in range(3):
        support, labels, queries = (part.numpy().astype(np.float64) for part in batch.episode(number))
        expected = RidgeClassifier(alpha=0.7, solver="svd").fit(support, labels).decision_function(queries)
        np.testing.assert_allclose(absolute[number], expected, atol=1e-4)
        unit = ((support - support.mean(0)) ** 2).sum() / len(support)
        expected = RidgeClassifier(alpha=0.7 * unit, solver="svd").fit(support, labels).decision_function(queries)
        np.testing.assert_allclose(relative[number], expected, atol=1e-4)


@pytest.mark.parametrize("name", ["logistic", "svm"])
def test_absolute_strengths_are_those_of_scikit_learn_at_any_scale(name: str) -> None:
    """The same problem in units in which the solvers get on."""
    for scale in (0.03, 1.0, 30.0):
        batch = random_task()
        batch = replace(batch, support=scale * batch.support + 0.5, query=scale * batch.query + 0.5)
        logits = find_learner(f"{name}:c=0.5,relative=False").classify(batch).numpy()
        support, labels, queries = (part.numpy().astype(np.float64) for part in batch.episode(1))
        reference = (
            LogisticRegression(C=0.5, max_iter=10_000, tol=1e-8)
            if name == "logistic"
            else LinearSVC(C=0.5, random_state=0, max_iter=1_000_000, tol=1e-8)
        )
        expected = reference.fit(support, labels).decision_function(queries)
        np.testing.assert_allclose(logits[1], expected, atol=5e-3 * np.ptp(expected))


def test_cosine_prototypes_by_hand() -> None:
    batch = random_task()
    logits = find_learner("prototypes:metric=cosine").classify(batch).numpy()
    support, labels, queries = (part.numpy() for part in batch.episode(1))
    means = np.stack([support[labels == label].mean(0) for label in range(5)])
    np.testing.assert_allclose(logits[1], normalised(queries) @ normalised(means).T, atol=1e-5)
    centred = find_learner("prototypes:metric=centred").classify(batch).numpy()
    centre = support.mean(0)
    np.testing.assert_allclose(centred[1], normalised(queries - centre) @ normalised(means - centre).T, atol=1e-5)


def test_equal_votes_go_to_the_nearest_member() -> None:
    batch = TaskBatch(
        support=torch.tensor([[[0.0], [3.0], [10.0], [11.0]]]),
        support_labels=torch.tensor([[0, 1, 0, 1]]),
        query=torch.tensor([[[1.0], [2.0]]]),
        query_mask=torch.ones(1, 2, dtype=torch.bool),
        way=torch.tensor([2]),
        width=2,
    )
    assert find_learner("neighbours:k=2").classify(batch).argmax(2).tolist() == [[0, 1]]


def test_hausdorff_by_brute_force() -> None:
    rng = np.random.default_rng(0)
    images = torch.from_numpy((rng.random((6, 1, 12, 12)) < 0.15).astype(np.float32))
    learner = Hausdorff()
    ink = learner.embed(images)
    batch = TaskBatch(
        support=ink[None, :4],
        support_labels=torch.arange(4)[None],
        query=ink[None, 4:],
        query_mask=torch.ones(1, 2, dtype=torch.bool),
        way=torch.tensor([4]),
        width=4,
    )
    logits = learner.classify(batch)[0].numpy()
    clouds = [np.argwhere(image.numpy() > 0).astype(float) for image in ink]
    clouds = [cloud - cloud.mean(0) for cloud in clouds]
    for query in range(2):
        for support in range(4):
            apart = np.linalg.norm(clouds[4 + query][:, None] - clouds[support][None], axis=2)
            modified = max(apart.min(1).mean(), apart.min(0).mean())
            assert logits[query, support] == pytest.approx(-modified, abs=1e-5)
            largest = max(
                directed_hausdorff(clouds[4 + query], clouds[support])[0],
                directed_hausdorff(clouds[support], clouds[4 + query])[0],
            )
            assert modified <= largest  # means of nearest distances never exceed the classic maximum


def test_hausdorff_sees_ink_whatever_its_polarity() -> None:
    rng = np.random.default_rng(0)
    images = torch.from_numpy((rng.random((5, 1, 20, 20)) < 0.1).astype(np.float32))
    assert torch.equal(Hausdorff().embed(images), Hausdorff().embed(1 - images))
    assert torch.equal(Hausdorff().embed(images), Hausdorff().embed(3 * images - 1.5))
    assert not Hausdorff().embed(torch.ones(1, 1, 5, 5)).any()


def test_chance_is_uniform() -> None:
    source = make_vectors(classes=20, features=3)
    episodes = Uniform(way=5, shot=1, query=10).sample(source, range(100), 0)
    features = Features(source, find_learner("chance"))
    features.require(episodes)
    guesses = find_learner("chance").classify(features.batch(episodes)).argmax(2).flatten()
    counts = torch.bincount(guesses, minlength=5)
    assert (abs(counts - 1000) < 5 * 1000**0.5).all()
