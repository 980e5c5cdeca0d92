import numpy as np
import pytest
import torch
from sklearn.linear_model import RidgeClassifierCV

from fairshot.learners.classifiers.ridge import Ridge
from fairshot.learners.classifiers.ridge_loo import RidgeLoo
from fairshot.learners.learner import TaskBatch


def make_batch(shot: int, width: int, *, way: int = 5, noise: float = 2.0, seed: int = 0) -> TaskBatch:
    rng = np.random.default_rng(seed)
    labels = np.tile(np.repeat(np.arange(way), shot), (3, 1))
    centres = rng.normal(size=(3, way, width))
    support = np.take_along_axis(centres, labels[:, :, None], 1) + noise * rng.normal(size=(3, way * shot, width))
    return TaskBatch(
        support=torch.from_numpy(support.astype(np.float32)),
        support_labels=torch.from_numpy(labels),
        query=torch.from_numpy(rng.normal(size=(3, 11, width)).astype(np.float32)),
        query_mask=torch.ones(3, 11, dtype=torch.bool),
        way=torch.full((3,), way),
        width=way,
    )


@pytest.mark.parametrize(("shot", "width", "noise"), [(2, 40, 0.3), (4, 40, 2.0), (20, 8, 1.0), (20, 8, 6.0)])
def test_it_chooses_and_answers_as_scikit_learn_does(shot: int, width: int, noise: float) -> None:
    batch = make_batch(shot, width, noise=noise)
    logits = RidgeLoo().classify(batch)
    for number in range(3):
        support, labels, query = (part.numpy() for part in batch.episode(number))
        unit = float(((support - support.mean(axis=0)) ** 2).sum() / len(support))
        model = RidgeClassifierCV(alphas=[unit * strength for strength in RidgeLoo.strengths]).fit(support, labels)
        np.testing.assert_allclose(logits[number].numpy(), model.decision_function(query), atol=2e-4)


def test_its_candidates_are_ridge_with_every_strength_and_its_answer_is_one_of_them() -> None:
    batch, head = make_batch(4, 12), RidgeLoo()
    assert list(head.candidates.values()) == [Ridge(strength=strength) for strength in RidgeLoo.strengths]
    answers = torch.stack([candidate.classify(batch) for candidate in head.candidates.values()])
    away = (answers - head.classify(batch)).abs().amax((2, 3)).amin(0)
    assert (away < 1e-4).all()
