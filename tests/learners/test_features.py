"""What is found once for each image is what would be found again, and is forgotten when queries change."""

from dataclasses import replace

import pytest
import torch

from fairshot.learners.features import Features
from fairshot.learners.learner import TaskBatch
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform


@pytest.fixture
def batch(vectors: Source) -> TaskBatch:
    features = Features(vectors, find_learner("prototypes"))
    drawn = Uniform(way=4, shot=2, query=3).sample(vectors, range(7), 0)
    features.require(drawn)
    return features.batch(drawn)


def found(batch: TaskBatch) -> torch.Tensor:
    return torch.linalg.vector_norm(batch.query, dim=-1, keepdim=True)


def test_lengths_that_are_known_are_those_that_would_be_found(batch: TaskBatch) -> None:
    assert batch.known_lengths is not None
    assert torch.equal(batch.query_lengths, found(batch))


def test_other_queries_have_lengths_of_their_own(batch: TaskBatch) -> None:
    other = replace(batch, query=2 * batch.query)
    assert other.known_lengths is None
    assert torch.equal(other.query_lengths, found(other))
    batch.query.mul_(3)  # somebody's learner may write into what it was given
    assert torch.equal(batch.query_lengths, found(batch))


def test_ridge_makes_no_table_of_many_images_by_classes(vectors: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = find_learner("ridge")
    features = Features(vectors, learner)
    drawn = Uniform(way=5, shot=8, query=3).sample(vectors, range(4), 0)
    features.require(drawn)
    many = features.batch(drawn)
    assert many.support.shape[1] > many.support.shape[2]
    monkeypatch.setattr(TaskBatch, "one_hot", property(lambda batch: pytest.fail("a table of images by classes")))
    assert learner.classify(many).shape == (4, 15, 5)


def test_without_versions_lengths_are_found_again(vectors: Source) -> None:
    features = Features(vectors, find_learner("prototypes"))
    drawn = Uniform(way=4, shot=2, query=3).sample(vectors, range(2), 0)
    features.require(drawn)
    with torch.inference_mode():
        batch = features.batch(drawn)
        assert torch.equal(batch.query_lengths, found(batch))
