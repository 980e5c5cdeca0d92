"""Embedded alone, in other company or order: an image must get the same features (batch norm in the encoder)."""

import numpy as np
from jaxtyping import Int

from fairshot.checks.answer_changes import changed_rows
from fairshot.checks.check import Case, LearnerCheck
from fairshot.checks.finding import Outcome
from fairshot.tasks.episodes import PAD

IMAGES = 48  # embedded together
ALONE = 12  # of them, embedded one by one


class Embedding(LearnerCheck):
    """Embeds some images of the episodes again and again."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares each image's features with those it got in the first company."""
        rows = _some_rows(case)
        features, stream = case.features, case.stream("embedding")
        first = features.embed(rows)
        order = stream.permutations(np.array([len(rows)]))[0]
        strangers = stream.integers(len(case.part), len(rows))
        half = len(rows) // 2
        alone = np.concatenate([features.embed(rows[i : i + 1]) for i in range(min(ALONE, len(rows)))])
        company = features.embed(np.concatenate([strangers[:half], rows[half:]]))[half:]
        shuffled = np.empty_like(first)
        shuffled[order] = features.embed(rows[order])
        cases = {"in another order": (first, shuffled), "with other images": (first[half:], company)}
        cases["alone"] = (first[: len(alone)], alone)
        found = {how: changed_rows(*pair) for how, pair in cases.items()}
        if not any(found.values()):
            return "ok", f"{len(rows)} images get the same features {', '.join(cases)}"
        return "leak", "features change of " + ", ".join(
            f"{count} of {len(cases[how][0])} images embedded {how}" for how, count in found.items() if count
        )


def _some_rows(case: Case) -> Int[np.ndarray, " image"]:
    ids = np.concatenate([case.episodes.support_ids.ravel(), case.episodes.query_ids.ravel()])
    return np.unique(case.part.rows(ids[ids != PAD]))[:IMAGES]
