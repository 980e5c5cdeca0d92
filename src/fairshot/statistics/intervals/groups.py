"""Would other images change the mean, where images come in groups that depend on each other (frames, drawers)?

The unit that is left out is a group: what its images do to the mean is summed before it is squared. How often a group
is in the support, or a query is one of its images, is counted rather than derived, so that it holds for any rule by
which images are drawn, and for groups that reach over several classes.
"""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.expectation import centred_episodes, centred_queries

STEP_CELLS = 4_000_000  # episodes times groups looked at in one go
MOST_CELLS = 400_000_000  # and in all; the first episodes tell enough
ALWAYS = 0.98  # a group that is in more episodes than this cannot be left out

Cells = Float[np.ndarray, "episode group"]


def over_groups(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh groups of images, or why it cannot be told."""
    units = np.unique(answers.layout.groups, return_inverse=True)[1]
    count = int(units.max()) + 1
    scores = answers.scores
    used = answers.first(max(MOST_CELLS // count, 1000))
    return _Groups(used, units, count).spread(float(scores.mean()), float(scores.var(ddof=1)) / len(scores))


class _Groups:
    def __init__(self, answers: Answers, units: Int[np.ndarray, " image"], count: int) -> None:
        self.answers, self.units, self.count = answers, units, count
        owner, classes = answers.layout.owner, len(answers.layout.counts)
        ones = np.ones(len(owner))
        has = sparse.csr_matrix((ones, (owner, units)), (classes, count)).toarray() > 0
        self.has: Bool[np.ndarray, "class group"] = has
        spanning = has.sum(0) > 1
        # Groups of one class are drawn beside those of the same class; groups over several classes beside all others.
        self.stratum = np.where(spanning, classes, has.argmax(0))
        if answers.values is None:
            member = answers.query_member
            share = answers.weight / np.maximum(answers.queries, 1)
            self.part = share[member] * centred_queries(answers)
        else:
            self.part = np.zeros(len(answers.query_member))
            self.whole = centred_episodes(answers)

    def _steps(self) -> Iterator[tuple[int, int]]:
        step = max(1, STEP_CELLS // self.count)
        for first in range(0, self.answers.episodes, step):
            yield first, min(first + step, self.answers.episodes)

    def _table(self, rows: np.ndarray, units: np.ndarray, values: np.ndarray, step: tuple[int, int]) -> Cells:
        """Sums of values by episode and group."""
        inside = (rows >= step[0]) & (rows < step[1])
        cell = (rows[inside] - step[0]) * self.count + units[inside]
        return np.bincount(cell, values[inside], (step[1] - step[0]) * self.count).reshape(-1, self.count)

    def _seen(self, step: tuple[int, int]) -> tuple[Bool[np.ndarray, "episode group"], Cells, Cells, Cells]:
        """Whether the group is shown; queries in it; queries of its classes; queries of other classes."""
        answers, units = self.answers, self.units
        episode = answers.episode
        shown = self._table(
            episode[answers.support_member], units[answers.support_image], np.ones(len(answers.support_image)), step
        )
        asked_in = self._table(
            episode[answers.query_member], units[answers.query_image], np.ones(len(answers.query_image)), step
        )
        mine = self._of_classes(answers.queries.astype(np.float64), step)
        total = np.bincount(episode, answers.queries, answers.episodes)[step[0] : step[1], None]
        return shown > 0, asked_in, mine, total - mine

    def _of_classes(self, values: Float[np.ndarray, " member"], step: tuple[int, int]) -> Cells:
        """Sums of memberships' values over the classes that a group has images of."""
        answers, classes = self.answers, len(self.answers.layout.counts)
        inside = (answers.episode >= step[0]) & (answers.episode < step[1])
        cell = (answers.episode[inside] - step[0]) * classes + answers.class_row[inside]
        table = np.bincount(cell, values[inside], (step[1] - step[0]) * classes).reshape(-1, classes)
        return table @ self.has

    def _present(self, step: tuple[int, int]) -> Bool[np.ndarray, "episode group"]:
        """Whether one of the group's classes is in the episode."""
        return self._of_classes(np.ones(len(self.answers.episode)), step) > 0

    def _rates(self) -> tuple[np.ndarray, np.ndarray]:
        """How often a query of the group's own classes, and of others, is touched by the group."""
        sums = np.zeros((4, self.count))
        for step in self._steps():
            shown, asked_in, mine, others = self._seen(step)
            relevant = self._present(step)
            sums[0] += np.where(shown, mine, asked_in).sum(0)
            sums[1] += mine.sum(0)
            sums[2] += (shown * others * relevant).sum(0)
            sums[3] += (others * relevant).sum(0)
        return sums[0] / np.maximum(sums[1], 1), sums[2] / np.maximum(sums[3], 1)

    def _influence(self, own: np.ndarray, other: np.ndarray, step: tuple[int, int]) -> Cells:
        """How much each group moves the score of each episode."""
        shown, asked_in, _, _ = self._seen(step)
        relevant = self._present(step)
        if self.answers.values is not None:
            touched = shown | (asked_in > 0)
            return relevant * (touched - own) / (1 - own) * self.whole[step[0] : step[1], None]
        answers = self.answers
        inside = self._table(answers.episode[answers.query_member], self.units[answers.query_image], self.part, step)
        member = np.bincount(answers.query_member, self.part, len(answers.episode))
        near = self._of_classes(member, step)
        far = np.bincount(answers.episode, member, answers.episodes)[step[0] : step[1], None] - near
        moved = (np.where(shown, near, inside) - own * near) / (1 - own) + (shown - other) / (1 - other) * far
        return relevant * moved

    def _touch_rate(self) -> np.ndarray:
        """How often a group is in an episode at all, of those that have one of its classes."""
        touched, relevant = np.zeros(self.count), np.zeros(self.count)
        for step in self._steps():
            shown, asked_in, _, _ = self._seen(step)
            touched += (shown | (asked_in > 0)).sum(0)
            relevant += self._present(step).sum(0)
        return touched / np.maximum(relevant, 1)

    def spread(self, value: float, sampling: float) -> Spread | str:
        """Variance, its noise and its degrees of freedom."""
        own, other = self._rates() if self.answers.values is None else (self._touch_rate(), np.zeros(self.count))
        if own.max() > ALWAYS or other.max() > ALWAYS:
            return "a group of images is in nearly every episode of its class: none can be left out"
        sums = np.zeros((3, self.count))
        for step in self._steps():
            psi = self._influence(own, other, step)
            sums += [psi.sum(0), (psi**2).sum(0), (psi**4).sum(0)]
        moved, squares, fourths = sums
        episodes = self.answers.episodes
        beside = np.bincount(self.stratum)
        size = np.maximum(beside, 2)[self.stratum]
        scale = (size - 1) / size / episodes**2
        by_stratum = np.bincount(self.stratum, scale * (moved**2 - squares))
        noise = (scale**2 * (2 * np.maximum(squares**2 - fourths, 0))).sum()
        noise += 4 * max((scale**2 * (moved**2 - squares) * squares).sum(), 0.0)
        positive = np.maximum(by_stratum, 0)
        freedom = max(positive.sum(), 1e-300) ** 2 / max((positive**2 / np.maximum(beside - 1, 1)).sum(), 1e-300)
        variance = float(by_stratum.sum()) * episodes / (episodes - 1)
        return Spread(value, "images", variance, sampling, float(np.sqrt(noise)), max(freedom, 1.0), episodes)
