"""Would other images of the same classes change the mean?

The delete-one jackknife of the mean is a sum of squares of expectations over episodes. The square of a sum over
episodes minus the sum of squares is a sum over pairs of different episodes, and so an unbiased estimate of it at any
number of episodes. A query image touches only its own correctness, so its role costs the noise of one answer, not of
an episode; where queries are not judged one by one, every image touches the whole episode.
"""

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.expectation import centred_episodes, centred_queries
from fairshot.statistics.intervals.groups import over_groups
from fairshot.statistics.intervals.image_pairs import pair_variance

FEW_IMAGES = 120  # from here on pairs of images add next to nothing
PAIR_EPISODES = 1000  # enough for the correction, which is small
PAIR_LIMIT = 4_000_000  # classes times images: above it the table of pairs is too large to be worth it


def over_images(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh images of the same classes, or why it cannot be told."""
    if answers.layout.grouped:
        return over_groups(answers)
    whole = answers.values is not None
    used = answers.shots + answers.queries if whole else answers.shots + 1
    have = answers.layout.counts[answers.class_row]
    if (have <= used).any():
        row = int(np.argmax(used - have))
        why = "queries that are not judged one by one need" if whole else f"{answers.shots[row]}-shot needs"
        return f"a class has {have[row]} images, and {why} {used[row] + 1} to leave one out"
    return _Influence(answers, *(_whole_weights(answers) if whole else _role_weights(answers))).spread()


Weights = tuple[Float[np.ndarray, " member"], Float[np.ndarray, " query"]]


def _role_weights(answers: Answers) -> Weights:
    """How much leaving out an image moves the score: a support image its whole episode, a query only itself."""
    member, queries = answers.query_member, np.maximum(answers.queries, 1)
    size, shots = answers.layout.counts[answers.class_row].astype(np.float64), answers.shots
    correct = centred_queries(answers)
    part = answers.weight * np.bincount(member, correct, len(size)) / queries
    others = np.bincount(answers.episode, part, answers.episodes)[answers.episode] - part
    leave_own = size / (size - shots - 1)
    return size / (size - shots) * others + leave_own * part, (leave_own * answers.weight / queries)[member] * correct


def _whole_weights(answers: Answers) -> Weights:
    """Every image of an episode moves its whole score."""
    size = answers.layout.counts[answers.class_row].astype(np.float64)
    x = size / (size - answers.shots - answers.queries) * centred_episodes(answers)[answers.episode]
    return x, x[answers.query_member]


class _Influence:
    """How much each image moves the mean: psi, summed over episodes (moved) and its squares (own).

    x is the weight of each support image of a membership, y that of each query image.
    """

    def __init__(self, answers: Answers, x: Float[np.ndarray, " member"], y: Float[np.ndarray, " query"]) -> None:
        self.answers = answers
        layout, member, support = answers.layout, answers.query_member, answers.support_member
        size, shots = layout.counts[answers.class_row].astype(np.float64), answers.shots
        classes = len(layout.counts)
        total_y, square_y = (np.bincount(member, values, len(size)) for values in (y, y * y))
        k = (shots * x + total_y) / size
        images = len(layout.image_ids)
        sums = [
            np.bincount(answers.support_image, x[support] ** power, images)
            + np.bincount(answers.query_image, y**power, images)
            for power in (1, 2, 4)
        ]
        self.moved = sums[0] - np.bincount(answers.class_row, k, classes)[layout.owner]
        self.own_squares = np.bincount(answers.class_row, shots * x * x + square_y - size * k * k, classes)
        share = (self.own_squares / np.maximum(np.bincount(layout.owner, sums[1], classes), 1e-300))[layout.owner]
        self.squares, self.fourths = sums[1] * share, sums[2] * share**2

    def spread(self) -> Spread:
        """Variance, its noise and its degrees of freedom."""
        answers, episodes = self.answers, self.answers.episodes
        counts, owner = answers.layout.counts, answers.layout.owner
        scale = (counts - 1) / counts / episodes**2
        by_class = scale * (np.bincount(owner, self.moved**2, len(counts)) - self.own_squares)
        variance = float(by_class.sum()) * episodes / (episodes - 1)
        each = scale[owner] ** 2
        noise = 2 * (each * np.maximum(self.squares**2 - self.fourths, 0)).sum()
        noise += 4 * max((each * (self.moved**2 - self.squares) * self.squares).sum(), 0.0)
        positive = np.maximum(by_class, 0)
        freedom = max(positive.sum(), 1e-300) ** 2 / max((positive**2 / (counts - 1)).sum(), 1e-300)
        few = counts.min() <= FEW_IMAGES and len(counts) * counts.sum() <= PAIR_LIMIT
        if few and answers.values is None:
            # The jackknife counts what pairs of images do together twice.
            twice = max(pair_variance(answers, PAIR_EPISODES), 0.0)
            variance -= min(twice, 0.5 * max(variance, 0.0))
        sampling = float(answers.scores.var(ddof=1)) / episodes
        return Spread(
            float(answers.scores.mean()),
            "images",
            variance,
            sampling,
            float(np.sqrt(noise)),
            max(freedom, 1.0),
            episodes,
        )
