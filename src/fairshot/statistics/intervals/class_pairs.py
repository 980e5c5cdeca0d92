"""What pairs of classes do to the score together, beyond what each of them does alone.

Two classes that are hard to tell apart lower the score of the episodes in which both are. Equations (D51) to (D53) of
docs/derivation.md.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers

LARGEST = 2000  # classes: the table of all pairs stays small
STEP_PAIRS = 1_000_000  # met at a time
WIDEST = 0.5  # share of the classes in an episode, above which pairs cannot be told from the rest

Table = Float[np.ndarray, "class class"]


@dataclass(frozen=True, eq=False)
class PairEffects:
    """The effect of every two classes on the score of an episode that has both; 0 on the diagonal."""

    effects: Table
    noise: float
    """Standard deviation of a single effect, given the classes."""
    variance: float
    """Of a mean over as many classes, due to pairs: unbiased, so it may come out below 0."""
    meetings: float
    """Episodes in which two classes meet, on average."""


def pair_effects(answers: Answers) -> PairEffects | None:
    """The effects of pairs; None where classes are not drawn alike and one by one, or are too few or too many."""
    if not _applies(answers):
        return None
    episodes, classes, width = answers.episodes, len(answers.layout.counts), int(answers.way[0])
    centred = (answers.scores - answers.scores.mean()) * np.sqrt(episodes / (episodes - 1))
    residuals = _without_single(_sums(answers, centred))
    meeting_chance = width * (width - 1) / classes / (classes - 1)
    kept = (classes - width) * (classes - width - 1) / (classes - 2) / (classes - 3)
    own_squares = _length(width, classes) * float((centred**2).sum())
    products = float((residuals**2).sum()) / 2 - own_squares
    variance = (classes - 1) / (classes - 3) * products / episodes / (episodes - 1) / kept**2  # (D52)
    scale = episodes * meeting_chance * kept  # (D51)
    noise = np.sqrt(own_squares / (classes * (classes - 3) / 2)) / scale  # (D53)
    return PairEffects(residuals / scale, float(noise), variance, episodes * meeting_chance)


def _applies(answers: Answers) -> bool:
    """Whether all episodes draw as many of all classes, one by one, and there are enough classes and not too many."""
    way, classes = answers.way, len(answers.layout.counts)
    one_by_one = answers.parent is None and len(np.unique(answers.layout.units)) == classes
    width = int(way[0])
    enough = width >= 2 and width + 4 <= classes and width <= WIDEST * classes and answers.episodes > 1
    return bool(one_by_one and way.min() == way.max() and enough and classes <= LARGEST)


def _sums(answers: Answers, weights: Float[np.ndarray, " episode"]) -> Table:
    """The sum of the weights of the episodes in which two classes meet: R of (D51)."""
    classes, width = len(answers.layout.counts), int(answers.way[0])
    rows = answers.class_row.reshape(-1, width)
    first, second = np.triu_indices(width, 1)
    step = max(1, STEP_PAIRS // len(first))
    table = np.zeros(classes**2)
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        cells = some[:, first] * classes + some[:, second]
        table += np.bincount(cells.ravel(), np.repeat(weights[start : start + step], len(first)), classes**2)
    halves = table.reshape(classes, classes)
    return halves + halves.T


def _without_single(table: Table) -> Table:
    """What is left off the diagonal without the best fit by one number for each class: e of (D51)."""
    classes = len(table)
    level = table.sum() / classes / (classes - 1)
    single = (table.sum(1) - (classes - 1) * level) / (classes - 2)
    residuals = table - level - single[:, None] - single
    np.fill_diagonal(residuals, 0)
    return residuals


def _length(width: int, classes: int) -> float:
    """The squared length of one episode's pairs without what all and what single classes do: z of (D52)."""
    pairs, every = width * (width - 1) / 2, classes * (classes - 1) / 2
    return pairs - pairs**2 / every - (width - 1) ** 2 * width * (1 - width / classes) / (classes - 2)
