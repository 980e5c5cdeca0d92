"""Would other images of the same classes change the mean?

A query image touches only its own correctness, so its role costs the noise of one answer, not of an episode; where
queries are not judged one by one, every image touches the whole episode. Equations (D11) to (D21) of
docs/derivation.md.
"""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.expectation import centred_episodes, centred_queries
from fairshot.statistics.intervals.groups import over_groups
from fairshot.statistics.intervals.image_pairs import pair_variance
from fairshot.statistics.intervals.influence import TINY, Influence

FEW_IMAGES = 120  # from here on pairs of images add next to nothing
PAIR_EPISODES = 1000  # enough for the correction, which is small
PAIR_LIMIT = 4_000_000  # classes times images: above it the table of pairs is too large to be worth it

Weights = tuple[Float[np.ndarray, " member"], Float[np.ndarray, " query"]]


def over_images(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh images of the same classes, or why there is none."""
    if answers.layout.grouped:
        return over_groups(answers)
    refusal = _refusal(answers)
    if refusal:
        return refusal
    if answers.values is not None:
        return _influence(answers, *_whole_weights(answers)).spread(answers, "images")
    return _without_pairs(_influence(answers, *_role_weights(answers)).spread(answers, "images"), answers)


def _refusal(answers: Answers) -> str:
    """Why no image can be left out: a class has only as many as an episode needs; nothing where all can."""
    whole = answers.values is not None
    used = answers.shots + answers.queries if whole else answers.shots + 1
    have = answers.layout.counts[answers.class_row]
    if not (have <= used).any():
        return ""
    row = int(np.argmax(used - have))
    needs = "queries that are not judged one by one need" if whole else f"{answers.shots[row]}-shot needs"
    return f"a class has {have[row]} images, and {needs} {used[row] + 1} to leave one out"


def _role_weights(answers: Answers) -> Weights:
    """How much leaving out an image moves the score: a support image its whole episode, a query only itself (D14)."""
    member, queries = answers.query_member, np.maximum(answers.queries, 1)
    size, shots = answers.layout.counts[answers.class_row].astype(np.float64), answers.shots
    correct = centred_queries(answers)
    part = answers.weight * np.bincount(member, correct, len(size)) / queries
    rest_of_episode = np.bincount(answers.episode, part, answers.episodes)[answers.episode] - part
    factor = size / (size - shots - 1)
    of_support = size / (size - shots) * rest_of_episode + factor * part
    return of_support, (factor * answers.weight / queries)[member] * correct


def _whole_weights(answers: Answers) -> Weights:
    """The same where every image of an episode moves its whole score (D21)."""
    size = answers.layout.counts[answers.class_row].astype(np.float64)
    used = answers.shots + answers.queries
    weights = size / (size - used) * centred_episodes(answers)[answers.episode]
    return weights, weights[answers.query_member]


def _influence(
    answers: Answers, of_support: Float[np.ndarray, " member"], of_query: Float[np.ndarray, " query"]
) -> Influence:
    """What leaving out each image does to the mean, from the weights of its two roles (D15)."""
    layout, shots, classes = answers.layout, answers.shots, len(answers.layout.counts)
    size = layout.counts[answers.class_row].astype(np.float64)
    of_shown, images = of_support[answers.support_member], len(layout.owner)
    query_sum, query_squares = (np.bincount(answers.query_member, v, len(size)) for v in (of_query, of_query**2))
    expected = (shots * of_support + query_sum) / size
    sums, squares, fourths = (
        np.bincount(answers.support_image, shown, images) + np.bincount(answers.query_image, asked, images)
        for shown, asked in ((of_shown, of_query), (of_shown**2, of_query**2), ((of_shown**2) ** 2, (of_query**2) ** 2))
    )
    totals = np.bincount(answers.class_row, shots * of_support**2 + query_squares - size * expected**2, classes)
    rescale = (totals / np.maximum(np.bincount(layout.owner, squares, classes), TINY))[layout.owner]  # (D7)
    return Influence(
        sums=sums - np.bincount(answers.class_row, expected, classes)[layout.owner],
        squares=squares * rescale,
        square_totals=totals,
        stratum=layout.owner,
        sizes=layout.counts,
        scale=(layout.counts - 1) / layout.counts / answers.episodes**2,
        fourths=fourths * rescale**2,
    )


def _without_pairs(spread: Spread, answers: Answers) -> Spread:
    """The spread less what pairs of images do together, which the jackknife counts twice (D19)."""
    counts = answers.layout.counts
    if counts.min() > FEW_IMAGES or len(counts) * counts.sum() > PAIR_LIMIT:
        return spread
    pairs = max(pair_variance(answers, PAIR_EPISODES), 0.0)
    return replace(spread, variance=spread.variance - min(pairs, 0.5 * max(spread.variance, 0.0)))
