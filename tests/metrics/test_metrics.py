"""Metrics against scikit-learn, a hand-made case and a degenerate one."""

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score

from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.error import Error
from fairshot.metrics.metric import correctness
from fairshot.resolve import find_metric, names


def test_accuracy_is_scikit_learns_in_every_episode() -> None:
    rng = np.random.default_rng(0)
    logits, truth = rng.normal(size=(7, 30, 4)), rng.integers(0, 4, (7, 30))
    correct = correctness(torch.from_numpy(logits).float(), torch.from_numpy(truth), torch.full((7,), 4)).numpy()
    scores = Accuracy().score(correct, np.ones_like(correct))
    expected = [accuracy_score(labels, chosen) for labels, chosen in zip(truth, logits.argmax(2), strict=True)]
    np.testing.assert_allclose(scores, expected)


def test_classes_that_an_episode_does_not_have_cannot_be_chosen() -> None:
    logits = torch.tensor([[[1.0, 0.0, 9.0]], [[1.0, 0.0, 9.0]]])
    correct = correctness(logits, torch.tensor([[0], [0]]), torch.tensor([2, 3]))
    assert correct.tolist() == [[True], [False]]


def test_padding_is_not_asked() -> None:
    correct = np.array([[True, False, True, False], [True, True, False, False]])
    asked = np.array([[True, True, True, True], [True, True, False, False]])
    assert Accuracy().score(correct, asked).tolist() == [0.5, 1.0]
    assert Error().score(correct, asked).tolist() == [0.5, 0.0]


@pytest.mark.parametrize("name", names("metrics"))
def test_a_perfect_learner_and_a_perfectly_wrong_one_are_told_apart(name: str) -> None:
    metric, asked = find_metric(name), np.ones((3, 5), dtype=bool)
    right, wrong = (float(metric.score(np.full((3, 5), truth), asked).mean()) for truth in (True, False))
    assert (right > wrong) == metric.higher_is_better
    assert {right, wrong} == {0.0, 1.0}


def test_of_equally_good_classes_the_first_is_chosen_so_that_knowing_nothing_scores_chance() -> None:
    truth = torch.arange(5).repeat(3, 4)
    correct = correctness(torch.zeros(3, 20, 5), truth, torch.full((3,), 5))
    assert correct.float().mean(1).tolist() == pytest.approx([0.2] * 3)
