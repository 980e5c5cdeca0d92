"""Would other images change the mean, where images come in groups that depend on each other (frames, drawers)?

The unit that is left out is a group: what its images do to the mean is summed before it is squared. How often a group
is in the support, or a query is one of its images, is counted rather than derived, so that it holds for any rule by
which images are drawn, and for groups that reach over several classes. Equations (D22) to (D24) of docs/derivation.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.expectation import centred_episodes, centred_queries
from fairshot.statistics.intervals.influence import Influence

STEP_CELLS = 4_000_000  # episodes times groups looked at in one go
MOST_CELLS = 400_000_000  # and in all; the first episodes show enough
ALWAYS = 0.98  # a group that is in more episodes than this cannot be left out

Cells = Float[np.ndarray, "episode group"]
Flags = Bool[np.ndarray, "episode group"]
PerGroup = Float[np.ndarray, " group"]
Slab = tuple[int, int]
"""The first episode of a step, and the one after its last."""


def over_groups(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh groups of images, or why there is none."""
    group_of = np.unique(answers.layout.groups, return_inverse=True)[1]
    scores = answers.scores
    grouped = _Groups(answers.first(max(MOST_CELLS // (int(group_of.max()) + 1), 1000)), group_of)
    rates = grouped.rates()
    if max(rate.max() for rate in rates) > ALWAYS:
        return "a group of images is in nearly every episode of its class: none can be left out"
    spread = grouped.influence(*rates).spread(grouped.answers, "images")
    return replace(spread, value=float(scores.mean()), sampling=float(scores.var(ddof=1)) / len(scores))


@dataclass(frozen=True, eq=False)
class _Presence:
    """What some episodes show of each group."""

    shown: Flags
    """Whether one of its images is in the support."""
    queries_inside: Cells
    """Queries that are images of the group."""
    queries_near: Cells
    """Queries of the group's classes."""
    queries_far: Cells
    """Queries of other classes."""
    relevant: Flags
    """Whether one of its classes is in the episode."""

    @property
    def touched(self) -> Flags:
        """Whether any of its images is in the episode."""
        return self.shown | (self.queries_inside > 0)


class _Groups:
    """Groups of images, and the episodes that they are in."""

    def __init__(self, answers: Answers, group_of: Int[np.ndarray, " image"]) -> None:
        self.answers, self.group_of, self.count = answers, group_of, int(group_of.max()) + 1
        self.query_episode = answers.episode[answers.query_member]

    @cached_property
    def has_class(self) -> Bool[np.ndarray, "class group"]:
        """Whether a group has images of a class."""
        classes, owner = len(self.answers.layout.counts), self.answers.layout.owner
        images = np.bincount(owner * self.count + self.group_of, minlength=classes * self.count)
        return images.reshape(classes, self.count) > 0

    @cached_property
    def stratum(self) -> Int[np.ndarray, " group"]:
        """Groups of one class are drawn beside those of this class; groups over several classes beside each other."""
        classes = len(self.has_class)
        return np.where(self.has_class.sum(0) > 1, classes, self.has_class.argmax(0))

    @cached_property
    def query_parts(self) -> Float[np.ndarray, " query"]:
        """What each query adds to the score of its episode, around what is expected (D12)."""
        answers = self.answers
        share = answers.weight / np.maximum(answers.queries, 1)
        return share[answers.query_member] * centred_queries(answers)

    @cached_property
    def whole_scores(self) -> Float[np.ndarray, " episode"]:
        """The scores of episodes that can only be taken as a whole, around what is expected (D20)."""
        return centred_episodes(self.answers)

    def rates(self) -> tuple[PerGroup, PerGroup]:
        """How often a group touches a query of its own classes, and of others (D22); or an episode as a whole (D24)."""
        if self.answers.values is not None:
            touched, relevant = np.zeros(self.count), np.zeros(self.count)
            for slab in self._slabs():
                presence = self._presence(slab)
                touched += presence.touched.sum(0)
                relevant += presence.relevant.sum(0)
            return touched / np.maximum(relevant, 1), np.zeros(self.count)
        sums = np.zeros((4, self.count))
        for slab in self._slabs():
            seen = self._presence(slab)
            sums[0] += np.where(seen.shown, seen.queries_near, seen.queries_inside).sum(0)
            sums[1] += seen.queries_near.sum(0)
            sums[2] += (seen.shown * seen.queries_far * seen.relevant).sum(0)
            sums[3] += (seen.queries_far * seen.relevant).sum(0)
        return sums[0] / np.maximum(sums[1], 1), sums[2] / np.maximum(sums[3], 1)

    def influence(self, near_rate: PerGroup, far_rate: PerGroup) -> Influence:
        """What leaving out each group does to the mean, (D23) or (D24) summed over episodes as in (D6)."""
        sums, squares, fourths = np.zeros((3, self.count))
        for slab in self._slabs():
            effects = self._effects(near_rate, far_rate, slab)
            sums += effects.sum(0)
            squares += (effects**2).sum(0)
            fourths += (effects**4).sum(0)
        sizes = np.bincount(self.stratum)
        larger = np.maximum(sizes, 2)  # a group that is drawn beside no other
        return Influence(
            sums=sums,
            squares=squares,
            square_totals=np.bincount(self.stratum, squares),
            stratum=self.stratum,
            sizes=sizes,
            scale=(larger - 1) / larger / self.answers.episodes**2,
            fourths=fourths,
        )

    def _effects(self, near_rate: PerGroup, far_rate: PerGroup, slab: Slab) -> Cells:
        """How much each group moves the score of each episode: psi of (D23), or of (D24)."""
        seen, answers = self._presence(slab), self.answers
        if answers.values is not None:
            scores = self.whole_scores[slab[0] : slab[1], None]
            return seen.relevant * (seen.touched - near_rate) / (1 - near_rate) * scores
        inside = self._by_group(self.query_episode, self.group_of[answers.query_image], self.query_parts, slab)
        of_member = np.bincount(answers.query_member, self.query_parts, len(answers.episode))
        near = self._by_class(of_member, slab)
        far = np.bincount(answers.episode, of_member, answers.episodes)[slab[0] : slab[1], None] - near
        touched = np.where(seen.shown, near, inside)
        effects = (touched - near_rate * near) / (1 - near_rate) + (seen.shown - far_rate) / (1 - far_rate) * far
        return seen.relevant * effects

    def _slabs(self) -> Iterator[Slab]:
        """All episodes, some at a time."""
        step = max(1, STEP_CELLS // self.count)
        for first in range(0, self.answers.episodes, step):
            yield first, min(first + step, self.answers.episodes)

    def _presence(self, slab: Slab) -> _Presence:
        answers, group_of = self.answers, self.group_of
        support_episode = answers.episode[answers.support_member]
        supports, queries = np.ones(len(answers.support_image)), np.ones(len(answers.query_image))
        near = self._by_class(answers.queries.astype(np.float64), slab)
        total = np.bincount(answers.episode, answers.queries, answers.episodes)[slab[0] : slab[1], None]
        return _Presence(
            shown=self._by_group(support_episode, group_of[answers.support_image], supports, slab) > 0,
            queries_inside=self._by_group(self.query_episode, group_of[answers.query_image], queries, slab),
            queries_near=near,
            queries_far=total - near,
            relevant=self._by_class(np.ones(len(answers.episode)), slab) > 0,
        )

    def _by_group(self, episode: np.ndarray, group: np.ndarray, values: np.ndarray, slab: Slab) -> Cells:
        """Sums of values by episode and group."""
        inside = (episode >= slab[0]) & (episode < slab[1])
        cell = (episode[inside] - slab[0]) * self.count + group[inside]
        return np.bincount(cell, values[inside], (slab[1] - slab[0]) * self.count).reshape(-1, self.count)

    def _by_class(self, values: Float[np.ndarray, " member"], slab: Slab) -> Cells:
        """Sums of memberships' values over the classes that a group has images of."""
        answers, classes = self.answers, len(self.has_class)
        inside = (answers.episode >= slab[0]) & (answers.episode < slab[1])
        cell = (answers.episode[inside] - slab[0]) * classes + answers.class_row[inside]
        table = np.bincount(cell, values[inside], (slab[1] - slab[0]) * classes).reshape(-1, classes)
        return table @ self.has_class
