"""Answers: every query with its correctness, class and image, and every support image, as one long table.

Intervals for fresh images, classes and parents are sums over this table. A *membership* is one class in one episode.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from fairshot.sources.source import Source
from fairshot.statistics.scores import Scores
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import TaskDistribution


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """The classes and images that episodes could draw from: class number k has counts[k] images and one parent."""

    classes: Int[np.ndarray, " class"]
    counts: Int[np.ndarray, " class"]
    parents: Int[np.ndarray, " class"]
    image_ids: Int[np.ndarray, " image"]
    """By class, back to back."""
    groups: Int[np.ndarray, " image"]
    """Images with the same number depend on each other: frames of a film, drawings of a hand."""
    units: Int[np.ndarray, " class"]
    """Classes with the same number are made of one another, such as the turns of one character."""
    refused: str = ""
    """Why nothing can be said about other images and classes: the classes here are then units that episodes are of."""

    @cached_property
    def families(self) -> bool:
        """Whether classes come in parents: several of them, and not one for each class."""
        return 1 < len(np.unique(self.parents)) < len(np.unique(self.units))

    @cached_property
    def grouped(self) -> bool:
        """Whether any images depend on each other."""
        return len(np.unique(self.groups)) < len(self.groups)

    @cached_property
    def owner(self) -> Int[np.ndarray, " image"]:
        """The class number of each image."""
        return np.repeat(np.arange(len(self.counts)), self.counts)


def layout_of(source: Source, rows: Int[np.ndarray, " drawable"] | None = None, groups: str | None = None) -> Layout:
    """What episodes of this source could draw from: all its classes, or some rows of its members.

    `groups` names the attribute that images which depend on each other share.
    """
    members = source.members
    rows = np.arange(len(members.classes)) if rows is None else rows
    images = np.isin(np.repeat(np.arange(len(members.counts)), members.counts), rows)
    parents = np.unique(source.parent_ids[rows], return_inverse=True)[1]
    image_ids = members.image_ids[images]
    group = source.attributes[groups][source.rows(image_ids)] if groups else np.arange(len(image_ids))
    return Layout(
        classes=members.classes[rows],
        counts=members.counts[rows],
        parents=parents,
        image_ids=image_ids,
        groups=group,
        units=source.class_units[rows],
    )


def layout_by_unit(source: Source, units: Int[np.ndarray, " image"], refused: str) -> Layout:
    """For episodes that are each of one unit, such as the value of an attribute, and not of whole classes."""
    order = np.argsort(units, kind="stable")
    values, counts = np.unique(units, return_counts=True)
    every = np.arange(len(values))
    return Layout(
        classes=values,
        counts=counts,
        parents=every,
        image_ids=source.image_ids[order],
        groups=np.arange(len(order)),
        units=every,
        refused=refused,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """What one learner, or the difference of two, answered in every episode."""

    layout: Layout
    episode: Int[np.ndarray, " member"]
    class_row: Int[np.ndarray, " member"]
    support_member: Int[np.ndarray, " support"]
    support_image: Int[np.ndarray, " support"]
    query_member: Int[np.ndarray, " query"]
    query_image: Int[np.ndarray, " query"]
    correct: Float[np.ndarray, " query"]
    """1 or 0; for a difference of two learners 1, 0 or -1; for several runs their mean."""
    values: Float[np.ndarray, " episode"] | None = None
    """The scores of episodes that can only be taken as a whole, because queries are not judged one by one."""

    def scored(self, correct: Float[np.ndarray, " query"], values: Float[np.ndarray, " episode"] | None) -> "Answers":
        """Other answers to the same queries; what does not hang on them is not found again."""
        other = replace(self, correct=correct, values=values)
        for name in ("episodes", "way", "shots", "queries", "parent", *(("weight",) if len(correct) else ())):
            vars(other)[name] = getattr(self, name)
        return other

    def first(self, episodes: int) -> "Answers":
        """The answers of the first episodes."""
        if episodes >= self.episodes:
            return self
        members = int(np.searchsorted(self.episode, episodes))
        support, query = self.support_member < members, self.query_member < members
        return replace(
            self,
            episode=self.episode[:members],
            class_row=self.class_row[:members],
            support_member=self.support_member[support],
            support_image=self.support_image[support],
            query_member=self.query_member[query],
            query_image=self.query_image[query],
            correct=self.correct[query],
            values=None if self.values is None else self.values[:episodes],
        )

    @cached_property
    def episodes(self) -> int:
        """How many episodes there are."""
        return int(self.episode[-1]) + 1

    @cached_property
    def way(self) -> Int[np.ndarray, " episode"]:
        """Classes of each episode."""
        return np.bincount(self.episode, minlength=self.episodes)

    @cached_property
    def shots(self) -> Int[np.ndarray, " member"]:
        """Support images of each membership."""
        return np.bincount(self.support_member, minlength=len(self.episode))

    @cached_property
    def queries(self) -> Int[np.ndarray, " member"]:
        """Query images of each membership."""
        return np.bincount(self.query_member, minlength=len(self.episode))

    @cached_property
    def weight(self) -> Float[np.ndarray, " member"]:
        """A class's share of its episode's score: its share of the queries (D1)."""
        asked = np.bincount(self.episode, self.queries, self.episodes)
        return self.queries / asked[self.episode]

    @cached_property
    def class_scores(self) -> Float[np.ndarray, " member"]:
        """The share of correct queries of each membership (D1)."""
        return np.bincount(self.query_member, self.correct, len(self.episode)) / np.maximum(self.queries, 1)

    @cached_property
    def scores(self) -> Float[np.ndarray, " episode"]:
        """The score of each episode (D1)."""
        if self.values is not None:
            return self.values
        return np.bincount(self.episode, self.weight * self.class_scores, self.episodes)

    @cached_property
    def parent(self) -> Int[np.ndarray, " episode"] | None:
        """The parent of each episode, if there are several and every episode stays within one."""
        if len(np.unique(self.layout.parents)) < 2:
            return None
        parents = self.layout.parents[self.class_row]
        last = np.zeros(self.episodes, dtype=np.int64)
        last[self.episode] = parents
        return last if (last[self.episode] == parents).all() else None


def tabulate(
    layout: Layout, episodes: Episodes, scores: Scores, *, minus: Scores | None = None, per_query: bool = True
) -> Answers:
    """The answers of one learner, or of one minus another on the same episodes.

    Where queries are not judged one by one, every query counts as part of its episode, of an unknown class or not.
    """
    real = episodes.class_ids != PAD
    member = np.full(real.shape, PAD)
    member[real] = np.arange(real.sum())
    place = np.searchsorted(layout.classes, episodes.class_ids[real])
    image_row = np.full(int(layout.image_ids.max()) + 1, PAD)
    image_row[layout.image_ids] = np.arange(len(layout.image_ids))
    support, query = episodes.support_labels != PAD, scores.asked if per_query else episodes.query_labels != PAD
    shown = _members(member, episodes.support_labels, support)
    if layout.refused:  # class ids are not the layout's
        place[shown] = layout.owner[image_row[episodes.support_ids[support]]]
    correct = scores.correct[query].astype(np.float64)
    values = scores.values if minus is None else scores.values - minus.values
    return Answers(
        layout=layout,
        episode=np.nonzero(real)[0],
        class_row=place,
        support_member=shown,
        support_image=image_row[episodes.support_ids[support]],
        query_member=_members(member, episodes.query_labels, query),
        query_image=image_row[episodes.query_ids[query]],
        correct=correct if minus is None else correct - minus.correct[query],
        values=None if per_query else values,
    )


def like(first: Answers, other: Answers) -> Answers:
    """The other answers, which share with the first what was asked, if that is the same."""
    tables = ("episode", "class_row", "support_member", "support_image", "query_member", "query_image")
    drawable = ("classes", "counts", "parents", "image_ids", "groups", "units")
    pairs = [(first, other, tables), (first.layout, other.layout, drawable)]
    same = all(np.array_equal(getattr(a, name), getattr(b, name)) for a, b, names in pairs for name in names)
    shared = first is not other and same and first.layout.refused == other.layout.refused
    return first.scored(other.correct, other.values) if shared else other


def _members(
    member: Int[np.ndarray, "episode way"],
    labels: Int[np.ndarray, "episode image"],
    chosen: Bool[np.ndarray, "episode image"],
) -> Int[np.ndarray, " chosen"]:
    """The memberships of the chosen images."""
    if not member.size:
        return np.zeros(0, dtype=np.int64)
    place = labels + np.arange(len(member))[:, None] * member.shape[1]
    return member.ravel().take(place.ravel() if chosen.all() else place[chosen])


def drawable_layout(task: TaskDistribution, part: Source) -> Layout:
    """The classes and images that the task draws from; images that the task keeps apart depend on each other."""
    if task.refuses:
        return layout_by_unit(part, task.units(part), task.refuses)
    groups = getattr(task.resolve(part), "disjoint", None) or ("group" if "group" in part.attributes else None)
    return layout_of(part, task.population(part), groups)
