"""Labels that do not belong to classes one to one, or that give the class away from episode to episode."""

import numpy as np

from fairshot.checks.finding import Outcome
from fairshot.checks.samplers.draws import Draw, Draws
from fairshot.checks.samplers.sampler_check import SamplerCheck

FEWEST = 10  # episodes with labels, before their order says anything


class Names(SamplerCheck):
    """In an episode, a class has one label on both sides, and labels are dealt anew."""

    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """Compares labels with classes, in every episode and across episodes."""
        labelled = [
            each for each in draws.episodes if each.support_labels is not None and each.query_labels is not None
        ]
        if not labelled:
            return "not applicable", "the sampler gives no labels"
        wrong = sum(not _one_to_one(draws, each) for each in labelled)
        if wrong:
            return "leak", f"in {wrong:,} of {len(labelled):,} episodes a class has two labels, or a label two classes"
        ordered = sum(_follows(draws, each) for each in labelled) / len(labelled)
        if len(labelled) >= FEWEST and ordered == 1.0 and len(draws.class_sets[0]) > 1:
            return (
                "warning",
                "labels follow the order of class numbers in every episode: a network may learn them",
            )
        return "ok", "one label a class, on both sides, dealt anew in every episode"


def _pairs(draws: Draws, each: Draw) -> set[tuple[int, int]]:
    assert each.support_labels is not None
    assert each.query_labels is not None
    ids, labels = np.concatenate([each.support, each.query]), np.concatenate([each.support_labels, each.query_labels])
    return set(zip(draws.classes[ids].tolist(), labels.tolist(), strict=True))


def _one_to_one(draws: Draws, each: Draw) -> bool:
    pairs = _pairs(draws, each)
    return len(pairs) == len({one for one, _ in pairs}) == len({label for _, label in pairs})


def _follows(draws: Draws, each: Draw) -> bool:
    labels = [label for _, label in sorted(_pairs(draws, each))]
    return labels == sorted(labels)
