"""Recognizability against originality, sample by sample (Boutin et al., ICML 2023): how far may one go and be known?

A sample's originality is its distance to the exemplar in the critic's features. People set the bands: each holds as
many of their drawings. Ranks are each set's own: ten bins of as many samples of every class.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Int

BANDS = 5
RANKS = 10
MOST_BEYOND = 0.5  # share of the samples; what few are left within people's range are no curve
FEWEST = 3  # bands with samples; copies are all in the first, where everybody is recognised

Values = Float[np.ndarray, " sample"]
Drawings = Float[np.ndarray, " drawing"]
RankCurve = Float[np.ndarray, "rank 2"]
"""Mean originality and recognizability of every rank."""


@dataclass(frozen=True)
class Band:
    """Samples of about the same originality."""

    low: float
    high: float
    share: float
    """Of all samples."""
    recognizability: float | None
    """Their mean; None without any."""
    human: float
    """The mean of people's drawings."""


@dataclass(frozen=True)
class OriginalityCurve:
    """The curve of some samples beside that of people."""

    bands: tuple[Band, ...]
    beyond: float
    """Share of the samples that are more original than any human drawing."""
    distance: float | None
    """The mean over the bands with samples of how far the two curves are apart.

    None where most samples are beyond people's range, or in one or two bands of it.
    """


def distances_to_exemplar(
    features: Float[np.ndarray, "sample feature"],
    exemplars: Float[np.ndarray, "class feature"],
    labels: Int[np.ndarray, " sample"],
) -> Values:
    """The distance of each sample to the exemplar of its class."""
    return np.linalg.norm(features.astype(np.float64) - exemplars.astype(np.float64)[labels], axis=1)


def compare_originality(
    samples: tuple[Values, Values], human: tuple[Drawings, Drawings], bands: int = BANDS
) -> OriginalityCurve:
    """The curve of samples beside people's, both given as the originality and the recognizability of each image.

    Bands end at quantiles of the human originality.
    """
    ends = np.quantile(human[0], np.linspace(0, 1, bands + 1))
    ends[0] = min(ends[0], samples[0].min())
    found = []
    for number, (low, high) in enumerate(pairwise(ends.tolist())):
        first = number == 0  # not by its end: where many are equal, others begin there too
        in_band, human_in_band = (
            recognizability[(originality <= high) & ((originality > low) | (first & (originality == low)))]
            for originality, recognizability in (samples, human)
        )
        mean = float(in_band.mean()) if len(in_band) else None
        reference = float(human_in_band.mean()) if len(human_in_band) else float(human[1].mean())
        found.append(Band(float(low), float(high), len(in_band) / len(samples[0]), mean, reference))
    gaps = [abs(band.recognizability - band.human) for band in found if band.recognizability is not None]
    beyond = float((samples[0] > ends[-1]).mean())
    enough = beyond <= MOST_BEYOND and len(gaps) >= min(FEWEST, bands)
    return OriginalityCurve(tuple(found), beyond, float(np.mean(gaps)) if enough else None)


def rank_curve(samples: tuple[Values, Values], labels: Int[np.ndarray, " sample"], ranks: int = RANKS) -> RankCurve:
    """Originality and recognizability of each tenth of a class, from the least original on: the mean over classes.

    Samples are given as the originality and the recognizability of each. A class of fewer than ten fills some tenths
    only, and counts in these.
    """
    order = np.lexsort((samples[0], labels))
    counts = np.bincount(labels)
    places = np.arange(len(labels)) - np.repeat(np.cumsum(counts) - counts, counts)
    cells = labels[order] * ranks + places * ranks // counts[labels[order]]
    sizes = np.bincount(cells, minlength=len(counts) * ranks).reshape(-1, ranks)
    sums = [np.bincount(cells, values[order], len(counts) * ranks).reshape(-1, ranks) for values in samples]
    filled = sizes.sum(axis=0) > 0
    means = [(total / np.maximum(sizes, 1)).sum(axis=0) / np.maximum((sizes > 0).sum(axis=0), 1) for total in sums]
    return np.stack(means, axis=1)[filled]
