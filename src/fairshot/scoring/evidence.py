"""The evidence that a measure looks at: one set as critics see it, people's drawings beside it, and the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from fairshot.runtime.backends.backend import Progress
from fairshot.scoring.class_features import PerClass
from fairshot.scoring.critic_view import CriticView
from fairshot.scoring.human_distance import HumanScale, Point, Points
from fairshot.scoring.manifold import Manifold, compare_manifolds
from fairshot.scoring.measures.diversity import deviation_by_class
from fairshot.scoring.measures.frechet import Cloud, cloud_of
from fairshot.scoring.measures.measure import Measure
from fairshot.scoring.originality_curve import (
    OriginalityCurve,
    RankCurve,
    compare_originality,
    distances_to_exemplar,
    rank_curve,
)
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognisers import no_progress
from fairshot.scoring.recognition import Recognition, expected_accuracy, recognise


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that is known about one set of images; what takes time is found once, when a measure asks for it."""

    view: CriticView
    protocol: Protocol
    people: "Evidence | None" = None
    """The evidence about people's drawings; None where these are what is looked at."""
    progress: Progress = no_progress

    @property
    def human(self) -> "Evidence":
        """The evidence about people's drawings."""
        return self if self.people is None else self.people

    @cached_property
    def recognition(self) -> Recognition:
        """Which samples were recognised, in the trials of the protocol."""
        trials = self.protocol.draw_trials(self.view)
        distances = self.protocol.recognising_critic.distances(self.view, trials, self.progress)
        return recognise(distances, self.view.labels, trials)

    @cached_property
    def originality(self) -> Float[np.ndarray, " image"]:
        """The distance of each image to the exemplar of its class, in the features of diversity."""
        view = self.view
        features = view.critics.features(np.concatenate([view.images, view.exemplars]))
        return distances_to_exemplar(features[: len(view.images)], features[len(view.images) :], view.labels)

    @cached_property
    def originality_curve(self) -> OriginalityCurve:
        """How recognizability falls with originality, beside people's."""
        return compare_originality(self._curve, self.human._curve)

    @property
    def rank_curve(self) -> RankCurve:
        """The same from the least to the most original samples of each class."""
        return rank_curve(self._curve, self.view.labels[self.view.asking])

    @property
    def class_pairs(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The features of each class: of people's drawings, and of this set."""
        human, view = self.human.view, self.view
        return [(human.features[human.labels == c], view.features[view.labels == c]) for c in range(view.classes)]

    @cached_property
    def manifolds(self) -> list[Manifold]:
        """For each class, whether samples lie where people's drawings lie."""
        return [compare_manifolds(real, samples, self.protocol.neighbours) for real, samples in self.class_pairs]

    @cached_property
    def cloud(self) -> Cloud:
        """The features of all classes as a Gaussian cloud."""
        return cloud_of(self.view.features)

    @cached_property
    def points(self) -> Points:
        """Diversity and recognizability of every class."""
        diversity = deviation_by_class(self.view.features, self.view.labels)
        return np.stack([diversity, self.recognition.by_class], axis=1)

    @property
    def point(self) -> Point:
        """Diversity and recognizability: the means over classes."""
        diversity, recognizability = self.points.mean(axis=0).tolist()
        return diversity, recognizability

    @property
    def human_scale(self) -> HumanScale:
        """The scale of distances, which people set."""
        return HumanScale(self.human.points, 1 / self.protocol.way)

    @cached_property
    def _curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Originality and expected recognizability of every image that may be asked for."""
        view = self.view
        known = expected_accuracy(view.distances, view.labels, self.protocol.way)
        return self.originality[view.asking], known[view.asking]


@dataclass(frozen=True, eq=False)
class Measurement:
    """What all measures found about one set of images."""

    evidence: Evidence
    values: dict[str, PerClass]
    """By the name of the measure, one number a class."""
    whole: dict[str, float]
    """By the name of the measure, one number for all classes together."""


def measure_set(evidence: Evidence, measures: Mapping[str, Measure]) -> Measurement:
    """All measures of one set; those that compare with people are left out for people themselves."""
    values: dict[str, PerClass] = {}
    whole: dict[str, float] = {}
    for name, measure in measures.items():
        if measure.compares_with_people and evidence.people is None:
            continue
        by_class, number = measure.by_class(evidence), measure.whole(evidence)
        if by_class is not None:
            values[name] = by_class
        if number is not None:
            whole[name] = number
    return Measurement(evidence, values, whole)
