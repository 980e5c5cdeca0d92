"""What critics find about one set of images, measure by measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8
from scipy.spatial.distance import cdist
from scipy.special import softmax

from fairshot.critics import Critics
from fairshot.scored import HUMAN
from fairshot.statistics.authentic import authentic
from fairshot.statistics.class_values import over_class_values
from fairshot.statistics.copies import copied
from fairshot.statistics.diversity import chords_by_class, deviation_by_class
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.frechet import frechet_distance, inception_score, too_few
from fairshot.statistics.manifold import NEIGHBOURS, Manifold, compare_manifolds
from fairshot.statistics.originality import Originality, compare_originality, original
from fairshot.statistics.recognizability import TIMES, WAY, Recognized, draw_trials, expected_accuracy, recognise
from fairshot.statistics.vendi import vendi_score

LEAST_POOL = 3  # points; two are as far apart as can be, whatever they are
INK = 127  # what is lighter is ink, after the recipe


@dataclass(frozen=True)
class Judging:
    """How samples are judged."""

    way: int = WAY
    times: int = TIMES
    """How often each class is asked for."""
    exemplar_asks: bool = False
    """Whether the exemplar may be the human drawing that is to be recognised, as in the published code."""
    neighbours: int = NEIGHBOURS
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Sight:
    """Some images as both critics see them, each beside the exemplar of its class."""

    name: str
    critics: Critics = field(repr=False)
    images: UInt8[np.ndarray, "image channel height width"]
    labels: Int[np.ndarray, " image"]
    exemplars: UInt8[np.ndarray, "class channel height width"]
    asking: Bool[np.ndarray, " image"]
    """Which may be asked for: of people's drawings not the exemplar itself."""

    @cached_property
    def features(self) -> Float[np.ndarray, "image feature"]:
        """In which diversity is measured."""
        return self.critics.features(self.images)

    @cached_property
    def rival_features(self) -> Float[np.ndarray, "image feature"]:
        """The same layer of the other critic."""
        return self.critics.rival_features(self.images)

    @property
    def ink(self) -> Bool[np.ndarray, "image height width"]:
        """What is drawn; tones of a recipe that does not cut are cut here."""
        return self.images.mean(axis=1) > INK

    @cached_property
    def distances(self) -> Float[np.ndarray, "image class"]:
        """To the exemplar of every class, as the recogniser measures them."""
        outputs = self.critics.outputs(np.concatenate([self.images, self.exemplars])).astype(np.float64)
        return cdist(outputs[: len(self.images)], outputs[len(self.images) :], "sqeuclidean")

    @cached_property
    def originality(self) -> Float[np.ndarray, " image"]:
        """Distance to the own exemplar."""
        both = self.critics.features(np.concatenate([self.images, self.exemplars]))
        return original(both[: len(self.images)], both[len(self.images) :], self.labels)

    @property
    def copies(self) -> Bool[np.ndarray, " image"]:
        """Which are their exemplar."""
        return copied(self.ink, (self.exemplars.mean(axis=1) > INK)[self.labels])

    def by_class(self, values: np.ndarray) -> Float[np.ndarray, " class"]:
        """The mean of a number an image over those that may be asked for."""
        rows = np.flatnonzero(self.asking)
        classes = len(self.exemplars)
        return np.bincount(self.labels[rows], values[rows], classes) / np.bincount(self.labels[rows], minlength=classes)


@dataclass(frozen=True, eq=False)
class Card:
    """What was found about one set of images."""

    sight: Sight
    values: dict[str, Float[np.ndarray, " class"]]
    recognized: Recognized
    whole: dict[str, float]
    """Of all classes together."""
    curve: Originality | None = None

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The mean of each measure over classes."""
        own = {name: over_class_values(values) for name, values in self.values.items()}
        return own | {"recognizability": self.recognized.estimate}

    @property
    def point(self) -> tuple[float, float]:
        """Diversity and recognizability."""
        return float(self.values["diversity"].mean()), float(self.recognized.by_class.mean())


def judge(own: Sight, human: Sight, judging: Judging) -> Card:
    """All measures; those that compare with people are left out for people themselves."""
    labels, features, classes = own.labels, own.features, range(len(own.exemplars))
    trials = draw_trials(labels, own.asking, way=judging.way, times=judging.times, seed=judging.seed)
    recognized = recognise(own.distances, labels, trials)
    values = {
        "diversity": deviation_by_class(features, labels),
        "recognizability": recognized.by_class,
        "copies": own.by_class(own.copies),
        "originality": own.by_class(own.originality),
        "chords": chords_by_class(features, labels),
        "vendi": np.array([vendi_score(features[labels == c]) for c in classes]),
    }
    whole = {"inception": inception_score(softmax(-own.distances[own.asking], axis=1))}
    if own is human:
        return Card(own, values, recognized, whole)
    pairs = [(human.features[human.labels == c], features[labels == c]) for c in classes]
    found = [compare_manifolds(real, samples, judging.neighbours) for real, samples in pairs]
    values |= {name: _column(found, name) for name in ("precision", "recall", "density", "coverage")}
    values["authentic"] = np.array([authentic(real, samples).mean() for real, samples in pairs])
    whole["frechet"] = frechet_distance(human.features, features)
    curve = compare_originality(_curve(own, judging.way), _curve(human, judging.way))
    whole |= {"curve": curve.distance} if curve.distance is not None else {}
    return Card(own, values, recognized, whole, curve)


def _column(found: Sequence[Manifold], name: str) -> Float[np.ndarray, " class"]:
    return np.array([getattr(one, name) for one in found])


def _curve(own: Sight, way: int) -> tuple[np.ndarray, np.ndarray]:
    known = expected_accuracy(own.distances, own.labels, way)
    return own.originality[own.asking], known[own.asking]


def notes_on(cards: Mapping[str, Card], judging: Judging) -> list[str]:
    """What a reader must know of the numbers."""
    human = cards[HUMAN].sight
    told = "may be" if judging.exemplar_asks else "is never"
    notes = [f"the exemplar {told} the human drawing that is to be recognised"]
    others = [card.sight for name, card in cards.items() if name != HUMAN]
    images = min([len(own.labels) for own in (human, *others)])
    warning = too_few(images, human.features.shape[1]) if others else None
    notes += [warning] if warning else []
    counts = {own.name: int(np.bincount(own.labels).min()) for own in (*others, human)}
    fewest = min(counts.values())
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {number}" for name, number in counts.items())
        notes.append(
            f"sets differ in their images a class ({told}): the deviation of few is a little too small, and chords, "
            "vendi, recall and coverage grow with their number"
        )
    if fewest <= judging.neighbours:
        notes.append(
            f"balls reach to neighbour {fewest - 1} and not {judging.neighbours}, as a class has {fewest} images"
        )
    if len(cards) < LEAST_POOL:
        notes.append(
            "a distance to people needs two sets of samples to set its scale: score a yardstick beside, such as copy"
        )
    return notes
