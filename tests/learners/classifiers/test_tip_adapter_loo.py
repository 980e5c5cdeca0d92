from itertools import product

import torch
from torch.nn.functional import normalize

from fairshot.learners.classifiers.tip_adapter import TipAdapter
from fairshot.learners.classifiers.tip_adapter_loo import TipAdapterLoo
from tests.learners.classifiers.test_prior_prototypes_loo import with_vectors
from tests.learners.classifiers.test_ridge_loo import make_batch


def test_the_logits_are_those_of_the_paper() -> None:
    batch = with_vectors(make_batch(3, 10), noise=1.0)
    assert batch.class_vectors is not None
    support, query = normalize(batch.support, dim=-1), normalize(batch.query, dim=-1)
    affinity = query @ support.mT
    cache = ((-1) * (5.5 - 5.5 * affinity)).exp() @ batch.one_hot
    expected = 100.0 * query @ normalize(batch.class_vectors, dim=-1).mT + cache * 1.17
    torch.testing.assert_close(TipAdapter(alpha=1.17, beta=5.5).classify(batch), expected)


def test_its_settings_are_chosen_as_plain_leaving_out_chooses_them() -> None:
    batch = with_vectors(make_batch(4, 10), noise=2.0)
    found, head = TipAdapterLoo().classify(batch), TipAdapterLoo()
    assert batch.class_vectors is not None
    for number in range(3):
        support, labels, _ = batch.episode(number)
        support, prior = normalize(support, dim=-1), normalize(batch.class_vectors[number], dim=-1)
        losses = {}
        for beta, alpha in product(head.betas, head.alphas):
            loss = 0.0
            for out in range(len(labels)):
                rest = torch.arange(len(labels)) != out
                near = (beta * (support[out] @ support[rest].mT - 1)).exp()
                cache = torch.stack([near[labels[rest] == c].sum() for c in range(batch.width)])
                loss -= float((100 * support[out] @ prior.mT + alpha * cache).log_softmax(0)[labels[out]])
            losses[f"alpha={alpha:g},beta={beta:g}"] = loss
        best = head.candidates[min(losses, key=lambda name: losses[name])]
        torch.testing.assert_close(found[number], best.classify(batch)[number])
