"""Small probes with real answers: prototypes on Gaussian classes, after draws of labelled images."""

import numpy as np
import torch

from fairshot.evaluation.probe_scorer import judge
from fairshot.statistics.probe_answers import ProbeAnswers, ProbeLayout


def make_probe(
    *, classes: int = 6, pool: int = 9, test: int = 5, shot: int = 2, draws: int = 7, group: int = 1, seed: int = 0
) -> ProbeAnswers:
    """A probe whose classes have `pool` to `pool` + 2 images, in groups, and test classes of two sizes."""
    rng = np.random.default_rng(seed)
    counts, asked = pool + np.arange(classes) % 3, test + np.arange(classes) % 2
    pool_class, test_class = np.repeat(np.arange(classes), counts), np.repeat(np.arange(classes), asked)
    centres = rng.normal(size=(classes, 4))
    images, queries = (centres[own] + rng.normal(size=(len(own), 4)) for own in (pool_class, test_class))
    starts = np.cumsum(counts) - counts
    support = np.stack([[starts[c] + rng.permutation(counts[c])[:shot] for c in range(classes)] for _ in range(draws)])
    means = images[support].mean(axis=2)
    logits = -((queries[None, :, None] - means[:, None]) ** 2).sum(-1)
    layout = ProbeLayout(
        pool_class=pool_class,
        pool_group=np.concatenate([np.arange(n) // group + 100 * c for c, n in enumerate(counts)]),
        test_class=test_class,
        test_group=np.concatenate([np.arange(n) // group + 100 * c for c, n in enumerate(asked)]),
        parents=np.arange(classes) // 2,
    )
    metric = "macro accuracy" if seed % 2 else "accuracy"
    found = judge(torch.from_numpy(logits), layout, [metric])
    return ProbeAnswers(
        layout=layout,
        support=support,
        correct=found.correct.view(np.int8),
        stolen=found.stolen[metric],
        stolen_by_parent=found.stolen_by_parent[metric],
        stolen_pairs=found.pairs[metric] / draws,
        metric=metric,
    )
