"""What pairs of classes do to the score together, beyond what each of them does alone.

Two classes that are hard to tell apart lower the score of the episodes in which both are. Let M_cd be the sum over
episodes t with both classes c and d of r_t, the score of t minus the mean; and e_cd what is left of M_cd when the best
sum of a number for c and a number for d is taken off. For episodes of W out of N classes, T of them,

    effect of c and d = e_cd / (T P K),   P = W (W - 1) / (N (N - 1)),   K = (N - W) (N - W - 1) / ((N - 2) (N - 3))

P is how often two classes meet, and K is what is left of an effect in e_cd, because a pair that is in an episode keeps
others out. The variance that pairs add to a mean over N classes is estimated by products of different episodes:

    V_2   = (N - 1) / (N - 3) (sum of e_cd^2 over pairs - |Z|^2 sum of r_t^2) / (T (T - 1) K^2)
    |Z|^2 = W (W - 1) / 2 - (W (W - 1) / 2)^2 / (N (N - 1) / 2) - (W - 1)^2 W (1 - W / N) / (N - 2)

|Z|^2 is the squared length of one episode's pairs, without what is common to all and what single classes do.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import sparse

from fairshot.statistics.answers import Answers

LARGEST = 2000  # classes: the table of all pairs stays small
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
    layout, way, episodes = answers.layout, answers.way, answers.episodes
    classes, width = len(layout.counts), int(way[0])
    alike = way.min() == way.max() and answers.parent is None and len(np.unique(layout.units)) == classes
    if not alike or not width + 4 <= classes <= LARGEST or width > WIDEST * classes or width < 2 or episodes < 2:
        return None
    centred = (answers.scores - answers.scores.mean()) * np.sqrt(episodes / (episodes - 1))
    left = _without_single(_sums(answers, centred))
    meet = width * (width - 1) / classes / (classes - 1)
    kept = (classes - width) * (classes - width - 1) / (classes - 2) / (classes - 3)
    length, own = _length(width, classes), float((centred**2).sum())
    products = float((left**2).sum()) / 2 - length * own
    variance = (classes - 1) / (classes - 3) * products / episodes / (episodes - 1) / kept**2
    scale = episodes * meet * kept
    noise = np.sqrt(length * own / (classes * (classes - 3) / 2)) / scale
    return PairEffects(left / scale, float(noise), variance, episodes * meet)


def _sums(answers: Answers, weights: Float[np.ndarray, " episode"]) -> Table:
    """The sum of the weights of the episodes in which two classes meet."""
    shape = (answers.episodes, len(answers.layout.counts))
    drawn = sparse.csr_matrix((np.ones(len(answers.episode)), (answers.episode, answers.class_row)), shape)
    table = (drawn.T @ sparse.diags(weights) @ drawn).toarray()
    np.fill_diagonal(table, 0)
    return table


def _without_single(table: Table) -> Table:
    """What is left off the diagonal without the best fit by one number for each class."""
    classes = len(table)
    level = table.sum() / classes / (classes - 1)
    single = (table.sum(1) - (classes - 1) * level) / (classes - 2)
    left = table - level - single[:, None] - single
    np.fill_diagonal(left, 0)
    return left


def _length(width: int, classes: int) -> float:
    """The squared length of the pairs of one episode, without what is common to all and what single classes do."""
    pairs, every = width * (width - 1) / 2, classes * (classes - 1) / 2
    return pairs - pairs**2 / every - (width - 1) ** 2 * width * (1 - width / classes) / (classes - 2)
