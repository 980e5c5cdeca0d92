"""Which concepts suit which set of samples, and is it by how much there is to draw?

Figure 5b of Boutin et al. 2022 shows the eight concepts on which a model is nearest to people, for two models, and the
paper says that those of one have fewer strokes. Here that is a rank correlation over all concepts, with an interval.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from fairshot.scoring.agreement import Agreement, agreement
from fairshot.scoring.class_features import PerClass
from fairshot.scoring.class_values import Parents
from fairshot.scoring.sample_scores import SuitedConcepts

NEAREST = 8  # concepts that are named of each set, as in the paper


def suited_concepts(
    distances: Mapping[str, PerClass],
    amounts: Mapping[str, PerClass],
    class_names: list[str],
    parents: Parents | None,
) -> list[SuitedConcepts]:
    """Of every two sets: whether the one is farther from people than the other where there is more to draw."""
    found = []
    for first, second in combinations(distances, 2):
        farther = distances[first] - distances[second]
        for amount, values in amounts.items():
            agreed = agreement(farther, values, parents)
            if isinstance(agreed, Agreement):
                nearest = {name: nearest_concepts(distances[name]) for name in (first, second)}
                found.append(
                    SuitedConcepts(
                        first=first,
                        second=second,
                        amount=amount,
                        spearman=agreed.spearman,
                        p=agreed.spearman_p,
                        interval=agreed.estimates["spearman"].interval,
                        concepts={name: [class_names[c] for c in rows] for name, rows in nearest.items()},
                        means={name: float(values[rows].mean()) for name, rows in nearest.items()},
                        mean=float(values.mean()),
                    )
                )
    return found


def nearest_concepts(distances: PerClass) -> np.ndarray:
    """The concepts on which a set is nearest to people, the nearest first; at most half of all."""
    return np.argsort(distances, kind="stable")[: min(NEAREST, len(distances) // 2)]
