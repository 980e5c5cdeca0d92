"""Groups of images that belong together (frames of one film, drawings of one hand) stay on one side of an episode."""

import numpy as np

from fairshot.checks.alike import Pile
from fairshot.checks.check import Case, DataCheck, met_in_support, named
from fairshot.checks.finding import Outcome
from fairshot.sources.source import Source

CLASSES, IMAGES = 40, 100  # looked at for sequences
SHARE = 1 / 3  # of the images have their nearest beside them, beyond those who have it there by chance


class Groups(DataCheck):
    """With an attribute `group`, looks at both sides; without one, looks for sequences in the order of the images."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Counts queries whose group is in their support, or images whose neighbour in the source is their nearest."""
        if "group" not in case.part.attributes:
            return _sequences(case.part)
        groups = case.part.attributes["group"]
        met, asked, pairs = met_in_support(case, np.unique(groups, return_inverse=True)[1], itself=True)
        if met:
            example = " and ".join(named(case.part, image) for image in pairs[0])
            return "leak", (
                f"the group of {met} of {asked} queries is in their support too, such as {example}: keep groups apart "
                "with --disjoint group"
            )
        return "ok", f"none of {len(np.unique(groups))} groups is on both sides of an episode"


def _sequences(part: Source) -> tuple[Outcome, str]:
    members, pile, rates = part.members, Pile([part]), []
    chosen = np.unique(np.linspace(0, len(members.classes) - 1, CLASSES).astype(np.int64))
    for start, count in zip(members.starts[chosen], members.counts[chosen], strict=True):
        if count < 2:
            continue
        vectors = pile.vectors(part.rows(members.image_ids[start : start + min(count, IMAGES)]))
        alike = -np.square(vectors).sum(axis=1) + 2 * vectors @ vectors.T
        np.fill_diagonal(alike, -np.inf)
        beside = np.abs(alike.argmax(axis=1) - np.arange(len(vectors))) == 1
        rates.append((beside.mean(), 2 / len(vectors)))
    found, chance = np.mean(rates, axis=0) if rates else (0.0, 1.0)
    if found - chance > SHARE * (1 - chance):
        return "warning", (
            f"images seem to come in sequences: for {100 * found:.0f}% of them the next or the previous one of the "
            f"source is the most alike of their class ({100 * chance:.0f}% by chance); name what belongs together, as "
            "with --groups"
        )
    return "ok", "no groups are named, and images do not come in sequences"
