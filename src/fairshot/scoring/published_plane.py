"""Where the models of Boutin et al. 2022 stand in their own plane: for scores by the same critics of the same drawings.

The paper prints no numbers. These were read off the picture of its base models that the authors' repository holds
(Figure 3), to about 0.01 in diversity and 0.3 points in recognizability.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from jaxtyping import Int

from fairshot.learners.training.record import find_weights, is_trained, read_record
from fairshot.scoring.critics import PROTOTYPES, Critics
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.published_critics import is_released
from fairshot.scoring.recognition import WAY
from fairshot.scoring.sample_scores import HUMAN, PublishedModel
from fairshot.sources.source import Source
from fairshot.specs.registry import find_name

POSITIONS = {
    "DA-GAN-UN": (0.315, 0.882),
    "DA-GAN-RN": (0.36, 0.829),
    "VAE-NS": (1.75, 0.85),
    "VAE-STN": (2.05, 0.748),
    HUMAN: (1.286, 0.976),
}
OTHER_NAMES = {"neuralstatistician": "VAE-NS"}


def published_models(sets: Mapping[str, Any]) -> list[PublishedModel]:
    """Every model of the paper, and which of some sets are drawn by it; people are always there."""
    models = {name: model_of(name, given) for name, given in sets.items() if name != HUMAN} | {HUMAN: HUMAN}
    return [
        PublishedModel(
            name=model,
            diversity=diversity,
            recognizability=recognizability,
            samples=[name for name, own in models.items() if own == model],
        )
        for model, (diversity, recognizability) in POSITIONS.items()
    ]


def is_published_plane(critics: Critics, protocol: Protocol, part: Source, classes: Int[np.ndarray, " class"]) -> bool:
    """Whether scores are on the axes of the paper: by its critics, its trials, and on all of its test characters."""
    seen = critics.diversity.seen
    if not is_released(critics.fingerprints) or seen is None or part.root != seen.root:
        return False
    shown = part.original_classes[np.isin(part.class_ids, classes)]
    asked = (protocol.way, protocol.recogniser, protocol.exemplars)
    return asked == (WAY, PROTOTYPES, "central") and np.array_equal(np.unique(shown), np.unique(seen.chosen))


def model_of(name: str, given: Any) -> str | None:
    """Which model of the paper draws a set, by what it was trained as, by its spec, or by its name."""
    found = find_name("generators", given) if isinstance(given, str) else None
    words = [_trained_as(given), found.name if found else "", name]
    known = {_plain(model): model for model in POSITIONS if model != HUMAN} | OTHER_NAMES
    for word in filter(None, map(_plain, words)):
        for start, model in known.items():
            if word.startswith(start):
                return model
    return None


def _trained_as(given: Any) -> str:
    """The name of the generator that was trained, where a run's folder or a trained generator was given."""
    if isinstance(given, str | os.PathLike) and is_trained(os.fspath(given)):
        return read_record(find_weights(os.fspath(given)))[0].learner
    return getattr(getattr(given, "record", None), "learner", "")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
