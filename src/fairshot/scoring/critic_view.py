"""Images as critics see them, each beside the drawings that its class is known by."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8
from scipy.spatial.distance import cdist

from fairshot.learners.exemplars import any_rows, nearest_rows
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import PROTOTYPES, Critics
from fairshot.scoring.sample_scores import HUMAN
from fairshot.sources.source import Source

INK = 127  # what is lighter is ink, after the recipe

Rows = Int[np.ndarray, "class shot"]


@dataclass(frozen=True, eq=False)
class CriticView:
    """Some images, and the real drawings that stand for their classes."""

    name: str
    critics: Critics = field(repr=False)
    images: UInt8[np.ndarray, "image channel height width"]
    labels: Int[np.ndarray, " image"]
    support: UInt8[np.ndarray, "class shot channel height width"]
    asking: Bool[np.ndarray, " image"]
    """Which images may be asked for: of people's drawings not those of the support."""

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.support)

    @property
    def exemplars(self) -> UInt8[np.ndarray, "class channel height width"]:
        """The one drawing of each class that stands for it: the first of its support."""
        return self.support[:, 0]

    @cached_property
    def features(self) -> Float[np.ndarray, "image feature"]:
        """The features in which diversity is measured."""
        return self.critics.features(self.images)

    @cached_property
    def rival_features(self) -> Float[np.ndarray, "image feature"]:
        """The same layer of the prototypical critic."""
        return self.critics.features(self.images, PROTOTYPES)

    @property
    def ink(self) -> Bool[np.ndarray, "image height width"]:
        """Which pixels are drawn; tones of a recipe that does not cut are cut here."""
        return self.images.mean(axis=1) > INK

    @property
    def exemplar_ink(self) -> Bool[np.ndarray, "class height width"]:
        """Which pixels of the exemplars are drawn."""
        return self.exemplars.mean(axis=1) > INK

    @cached_property
    def distances(self) -> Float[np.ndarray, "image class"]:
        """The squared distance to the exemplar of every class, as the prototypical critic measures it."""
        return self.distances_to(self.support[:, :1], PROTOTYPES)

    def distances_to(
        self, support: UInt8[np.ndarray, "class shot channel height width"], kind: str
    ) -> Float[np.ndarray, "image class"]:
        """The squared distance to the mean of every class's support, in the outputs of a critic."""
        drawings = support.reshape(-1, *support.shape[2:])
        outputs = self.critics.outputs(np.concatenate([self.images, drawings]), kind).astype(np.float64)
        means = outputs[len(self.images) :].reshape(*support.shape[:2], -1).mean(axis=1)
        return cdist(outputs[: len(self.images)], means, "sqeuclidean")

    def select(self, rows: Int[np.ndarray, " row"]) -> "CriticView":
        """Some of the images, as they were seen already."""
        chosen = replace(self, images=self.images[rows], labels=self.labels[rows], asking=self.asking[rows])
        vars(chosen).update(features=self.features[rows], distances=self.distances[rows])
        return chosen

    def mean_by_class(self, values: np.ndarray) -> Float[np.ndarray, " class"]:
        """The mean of one number an image over the images of each class that may be asked for."""
        labels = self.labels[self.asking]
        sums = np.bincount(labels, values[self.asking], self.classes)
        return sums / np.bincount(labels, minlength=self.classes)


def support_rows(critics: Critics, part: Source, how: str, *, shot: int, seed: int) -> Rows:
    """The drawings of each class that it is known by: those nearest to its mean (`central`), or any (`random`)."""
    fewest = int(part.members.counts.min())
    if fewest <= shot:
        other = "" if shot == 1 else ", or use a recogniser that needs one, such as recogniser=prototypes"
        raise FairshotError(
            f"{part.name} has a class of {fewest} drawings by people, and {shot} of them stand for it: give {shot + 1} "
            f"or more of each class{other}"
        )
    if how == "random":
        return any_rows(part.class_ids, shot, seed)
    return nearest_rows(critics.features(np.asarray(part.read(slice(None)))), part.class_ids, shot)


def view_people(
    critics: Critics, part: Source, support: Rows, kept: Int[np.ndarray, " kept"], *, exclude: bool
) -> CriticView:
    """The drawings of the kept classes; those of the support may not be asked for, if they are to be excluded."""
    labels = np.searchsorted(part.classes, part.class_ids)
    rows = np.flatnonzero(np.isin(labels, kept))
    asking = ~np.isin(rows, support) if exclude else np.ones(len(rows), dtype=bool)
    images, support = np.asarray(part.read(rows)), support[kept]
    shown = np.asarray(part.read(support.ravel())).reshape(*support.shape, *images.shape[1:])
    return CriticView(HUMAN, critics, images, np.searchsorted(kept, labels[rows]), shown, asking=asking)
