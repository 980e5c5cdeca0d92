"""Groups of images that belong together (frames of one film, drawings of one hand) stay on one side of an episode."""

import numpy as np
from jaxtyping import Float, Int

from fairshot.checks.alignment import blurred, unit
from fairshot.checks.check import Case, DataCheck, describe_image, find_in_support
from fairshot.checks.finding import Outcome
from fairshot.checks.near_copies import ImagePool
from fairshot.sources.images.likeness import as_greys
from fairshot.sources.source import Source
from fairshot.tables.words import percent

CLASSES, IMAGES = 40, 100  # looked at for sequences and clusters
FEWEST = 10  # images of a class; among fewer there is no usual distance
BLUR = 1.5  # of 32 greys: what a film moves between two frames
CLOSE = 0.4  # of the usual distance in a class
# Shares of images with one so close, by 'python benchmarks/copies.py': 45% of the frames of traffic signs, at most 14%
# where no film was cut up (textures).
CLUSTERED = 0.25
SHARE = 1 / 3  # of the images have their nearest beside them, beyond those who have it there by chance


class Groups(DataCheck):
    """With an attribute `group`, looks at both sides; without one, looks for sequences and for clusters of images."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Counts queries whose group is in their support, or images whose nearest is beside them or far too near."""
        if "group" not in case.part.attributes:
            return _belonging(case.part)
        groups = case.part.attributes["group"]
        met, asked, pairs = find_in_support(case, np.unique(groups, return_inverse=True)[1], itself=True)
        if met:
            example = " and ".join(describe_image(case.part, image) for image in pairs[0])
            return "leak", (
                f"the group of {met} of {asked} queries is in their support too, such as {example}: keep groups apart "
                "with disjoint=group"
            )
        return "ok", f"none of {len(np.unique(groups))} groups is on both sides of an episode"


def _belonging(part: Source) -> tuple[Outcome, str]:
    """Whether images of a class seem to belong together though no groups are named: by their order, or by nearness."""
    looked = [nearness(part, start, count) for start, count in some_classes(part)]
    beside, chance, close = np.mean(looked, axis=0) if looked else (0.0, 1.0, 0.0)
    advice = "name what belongs together, as with groups"
    if beside - chance > SHARE * (1 - chance):
        return "warning", (
            f"images seem to come in sequences: for {percent(beside, 0)} of them the next or the previous one of the "
            f"source is the most alike of their class ({percent(chance, 0)} by chance); {advice}"
        )
    if close > CLUSTERED:
        return "warning", (
            f"images seem to come in clusters, as frames of films do: {percent(close, 0)} of them have one in their "
            f"class that is nearer than {CLOSE:g} of the usual distance; {advice}"
        )
    return "ok", "no groups are named, and images come neither in sequences nor in clusters"


def some_classes(part: Source) -> list[tuple[int, int]]:
    """Where some classes with enough images begin in the list of members, and how many images they have."""
    members = part.members
    chosen = np.unique(np.linspace(0, len(members.classes) - 1, CLASSES).astype(np.int64))
    pairs = zip(members.starts[chosen].tolist(), members.counts[chosen].tolist(), strict=True)
    return [(start, count) for start, count in pairs if count > 1]


def nearness(part: Source, start: int, count: int) -> tuple[float, float, float]:
    """Of one class: how many images have their nearest beside them, how many by chance, and how many a close one."""
    rows = part.rows(part.members.image_ids[start : start + count])
    vectors = ImagePool([part]).vectors(rows[:IMAGES])
    nearest = _distances(vectors).argmin(axis=1)
    beside = float(np.mean(np.abs(nearest - np.arange(len(vectors))) == 1))
    if count < FEWEST:
        return beside, 2 / len(vectors), 0.0
    spread = rows[np.linspace(0, count - 1, min(count, IMAGES)).astype(np.int64)]
    apart = np.sort(_distances(_blurred(part, spread)), axis=1)[:, :-1]
    return beside, 2 / len(vectors), float(np.mean(apart[:, 0] < CLOSE * np.median(apart, axis=1)))


def _distances(vectors: Float[np.ndarray, "image feature"]) -> Float[np.ndarray, "image image"]:
    sizes = np.square(vectors).sum(axis=1)
    apart = np.sqrt(np.maximum(sizes[:, None] + sizes - 2 * vectors @ vectors.T, 0))
    np.fill_diagonal(apart, np.inf)
    return apart


def _blurred(part: Source, rows: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row feature"]:
    """Images without their details, since the camera moves between frames; feature vectors as they are."""
    if not part.has_images:
        return ImagePool([part]).vectors(rows)
    soft = blurred(as_greys(part.read(rows)), BLUR).reshape(len(rows), -1)
    return unit(soft)
