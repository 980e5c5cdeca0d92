import numpy as np
import pytest
import torch

from fairshot.evaluation.probe_scorer import judge
from fairshot.statistics.probe_answers import ProbeLayout


@pytest.mark.parametrize("classes", [4, 300])
def test_answers_are_judged_as_by_a_plain_loop(classes: int) -> None:
    rng = np.random.default_rng(classes)
    labels = np.repeat(np.arange(classes), 2)
    layout = ProbeLayout(
        pool_class=labels,
        pool_group=np.arange(len(labels)),
        test_class=labels,
        test_group=np.arange(len(labels)),
        parents=np.zeros(classes, dtype=np.int64),
    )
    logits = rng.integers(0, 3 * classes, size=(3, len(labels), classes)).astype(np.float32)  # with ties
    logits[:, np.arange(len(labels)), labels] += 2 * classes
    logits[0, 0] = np.arange(classes)[::-1] + 1  # right
    logits[0, 1] = np.arange(classes)  # all others are above it
    found = judge(torch.from_numpy(logits), layout, ["accuracy"])
    stolen, pairs = np.zeros((3, classes)), np.zeros((classes, classes))
    for draw, rows in enumerate(logits):
        for image, row in enumerate(rows):
            true = labels[image]
            assert found.correct[draw, image] == (row.argmax() == true)
            above = np.flatnonzero(row > row[true])
            if len(above) == 1:
                stolen[draw, above[0]] += 1 / len(labels)
                pairs[true, above[0]] += 1 / len(labels)
    np.testing.assert_allclose(found.stolen["accuracy"], stolen)
    np.testing.assert_allclose(found.pairs["accuracy"], pairs)
    assert found.correct.any()
    assert stolen.any()
