"""Images changed by a trace that no eye sees: who falls to chance knew them by their bits, not their look."""

from dataclasses import fields, replace

import numpy as np
from jaxtyping import Float, Shaped

from fairshot.checks.answer_changes import clearly_above
from fairshot.checks.check import Case, LearnerCheck
from fairshot.checks.finding import Outcome
from fairshot.metrics.metric import correctness
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tables.words import percent

TRACE = 1e-3  # of a feature vector's own size; of images the lowest of eight bits
DROP = 0.1  # of the accuracy


class Traced(Source):
    """A part whose images are changed in their last digits while they are read."""

    def read(self, rows: slice | np.ndarray) -> Shaped[np.ndarray, "row ..."]:
        """Every image changed in the same places."""
        stored = super().read(rows)
        pattern = Stream(0, "trace").uniform(*stored.shape[1:])
        if stored.dtype == np.uint8:
            return stored ^ (pattern < 0.5).astype(np.uint8)
        scale = TRACE * np.sqrt(np.square(stored).mean(axis=1, keepdims=True))
        return (stored + scale * (pattern - 0.5)).astype(stored.dtype)


class Memory(LearnerCheck):
    """Asks the same episodes with images that differ in their last digits only."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """A t test of the loss of accuracy, with an episode as the unit."""
        part = Traced(**{field.name: getattr(case.part, field.name) for field in fields(Source)})
        rates = [accuracy(asked) for asked in (case, replace(case, part=part))]
        before, after = (percent(float(rate.mean())) for rate in rates)
        seen = f"accuracy {before}, with invisibly changed images {after}"
        if clearly_above(rates[0] - rates[1], DROP):
            return "leak", f"{seen}: images are recognised by their bits"
        return "ok", seen


def accuracy(case: Case) -> Float[np.ndarray, " episode"]:
    """The share of right answers in each episode."""
    right = correctness(case.logits, case.truth, case.batch.way) & case.batch.query_mask
    return (right.sum(1) / case.batch.query_mask.sum(1)).numpy().astype(np.float64)
