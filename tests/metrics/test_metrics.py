"""Metrics against scikit-learn, a hand-made case and a degenerate one."""

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score, roc_auc_score
from torch.nn import functional as F

from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.auroc import Auroc
from fairshot.metrics.brier import Brier
from fairshot.metrics.ece import Ece
from fairshot.metrics.error import Error
from fairshot.metrics.fpr95 import Fpr95
from fairshot.metrics.metric import Judged, correctness
from fairshot.metrics.oscr import Oscr
from fairshot.specs.metrics import find_metric
from fairshot.specs.registry import names
from fairshot.tasks.episodes import PAD


def test_accuracy_is_scikit_learns_in_every_episode() -> None:
    rng = np.random.default_rng(0)
    logits, truth = rng.normal(size=(7, 30, 4)), rng.integers(0, 4, (7, 30))
    scores = Accuracy().score(Judged(torch.from_numpy(logits).float(), torch.from_numpy(truth), torch.full((7,), 4)))
    expected = [accuracy_score(labels, chosen) for labels, chosen in zip(truth, logits.argmax(2), strict=True)]
    np.testing.assert_allclose(scores, expected)


def test_a_name_of_two_words_is_that_of_its_file() -> None:
    class BalancedAccuracy(Accuracy):
        pass

    assert BalancedAccuracy().name == "balanced_accuracy"


def test_classes_that_an_episode_does_not_have_cannot_be_chosen() -> None:
    logits = torch.tensor([[[1.0, 0.0, 9.0]], [[1.0, 0.0, 9.0]]])
    correct = correctness(logits, torch.tensor([[0], [0]]), torch.tensor([2, 3]))
    assert correct.tolist() == [[True], [False]]


def test_padding_is_not_asked() -> None:
    labels = torch.tensor([[0, 0, 1, 1], [0, 1, PAD, PAD]])
    logits = F.one_hot(torch.tensor([[0, 1, 1, 0], [0, 1, 0, 0]]), 2).float()
    judged = Judged(logits, labels, torch.tensor([2, 2]))
    assert Accuracy().score(judged).tolist() == [0.5, 1.0]
    assert Error().score(judged).tolist() == [0.5, 0.0]


@pytest.mark.parametrize("name", [name for name in names("metrics") if not find_metric(name).needs_clusters])
def test_a_perfect_learner_and_a_perfectly_wrong_one_are_told_apart(name: str) -> None:
    """Known queries are answered with all certainty, unknown ones with none; or the other way round."""
    metric, way = find_metric(name), torch.tensor([3, 3])
    labels = torch.tensor([[0, 1, 2, 3, 4], [2, 0, 1, 4, 3]])  # 3 and 4 are unknown
    truth = F.one_hot(labels, 5)[:, :, :3].float() * 50
    other = truth.roll(1, 2) - 100 * (labels < 3)[:, :, None]
    right, wrong = (float(metric.score(Judged(logits, labels, way)).mean()) for logits in (truth, other))
    assert (right > wrong) == metric.higher_is_better
    assert sorted([right, wrong]) == pytest.approx([0.0, 2.0 if name == "brier" else 1.0])


def test_of_equally_good_classes_the_first_is_chosen_so_that_knowing_nothing_scores_chance() -> None:
    truth = torch.arange(5).repeat(3, 4)
    correct = correctness(torch.zeros(3, 20, 5), truth, torch.full((3,), 5))
    assert correct.float().mean(1).tolist() == pytest.approx([0.2] * 3)


def random_open_set(seed: int = 0, *, episodes: int = 6, ties: bool = False) -> Judged:
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(episodes, 30, 8))
    labels = rng.permuted(np.tile(np.arange(30) % 8, (episodes, 1)), axis=1)
    labels[:, -3:] = PAD
    logits[labels < 5] += 0.5 * rng.random()
    logits = np.round(logits) if ties else logits
    return Judged(torch.from_numpy(logits).float(), torch.from_numpy(labels), torch.full((episodes,), 5))


@pytest.mark.parametrize("ties", [False, True])
def test_auroc_is_scikit_learns_in_every_episode(ties: bool) -> None:
    judged = random_open_set(ties=ties)
    for episode, score in enumerate(Auroc().score(judged)):
        asked = judged.asked[episode]
        sure = judged.logits[episode, :, :5].amax(1).numpy()
        assert score == pytest.approx(roc_auc_score(judged.known[episode][asked], sure[asked]))


@pytest.mark.parametrize("ties", [False, True])
def test_oscr_and_fpr95_are_what_trying_every_threshold_gives(ties: bool) -> None:
    judged = random_open_set(1, ties=ties)
    for episode, (area, rate) in enumerate(zip(Oscr().score(judged), Fpr95().score(judged), strict=True)):
        asked = judged.asked[episode]
        known, correct = judged.known[episode][asked], judged.correct[episode][asked]
        sure = judged.logits[episode, :, :5].amax(1).numpy()[asked]
        accepted = [sure >= threshold for threshold in [np.inf, *np.unique(sure)[::-1]]]
        false = [(took & ~known).sum() / (~known).sum() for took in accepted]
        right = [(took & correct).sum() / known.sum() for took in accepted]
        expected = sum((false[i + 1] - false[i]) * (right[i + 1] + right[i]) / 2 for i in range(len(false) - 1))
        assert area == pytest.approx(expected)
        recall = [(took & known).sum() / known.sum() for took in accepted]
        assert rate == pytest.approx(min(f for f, r in zip(false, recall, strict=True) if r >= 0.95))
        assert area <= Accuracy().score(judged)[episode] + 1e-12


def test_brier_and_calibration_by_hand() -> None:
    logits = torch.log(torch.tensor([[[0.8, 0.2], [0.6, 0.4], [0.5, 0.5]]]))
    judged = Judged(logits, torch.tensor([[0, 1, PAD]]), torch.tensor([2]))
    assert Brier().score(judged)[0] == pytest.approx((0.04 + 0.04 + 0.36 + 0.36) / 2)
    assert Ece().score(judged)[0] == pytest.approx((0.2 + 0.6) / 2)
    assert Ece(bins=1).score(judged)[0] == pytest.approx(abs(0.5 - 0.7))


def test_a_guess_of_equal_probabilities_has_the_known_brier_score() -> None:
    judged = Judged(torch.zeros(2, 5, 5), torch.arange(5).repeat(2, 1), torch.full((2,), 5))
    assert Brier().score(judged).tolist() == pytest.approx([0.8, 0.8])
    assert Ece().score(judged).tolist() == pytest.approx([0.0, 0.0])
