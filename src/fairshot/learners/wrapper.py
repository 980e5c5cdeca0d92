"""A classifier around another one: whatever the inner one says of itself holds for both."""

from abc import abstractmethod
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from jaxtyping import Int
from torch import Tensor

from fairshot.learners.learner import Classifier, Clusterer, Clusters, TaskBatch
from fairshot.runtime.errors import FairshotError

if TYPE_CHECKING:
    from fairshot.learners.encoders.encoder import Encoder
    from fairshot.learners.seen import Seen


class Wrapper(Classifier):
    """Declares what the inner classifier declares."""

    @property
    @abstractmethod
    def inner(self) -> Classifier:
        """The one inside."""

    @property
    def label(self) -> str:
        """As the one inside."""
        return self.inner.label

    @property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """As the one inside."""
        return self.inner.warnings

    @property
    def threads(self) -> bool:  # type: ignore[override]
        """As the one inside."""
        return self.inner.threads

    @property
    def transductive(self) -> bool:  # type: ignore[override]
        """As the one inside."""
        return self.inner.transductive

    @property
    def random(self) -> bool:  # type: ignore[override]
        """As the one inside."""
        return self.inner.random

    def around(self, inner: Classifier) -> Classifier:
        """The same around another one."""
        place = next(field.name for field in fields(self) if getattr(self, field.name) is self.inner)  # type: ignore[arg-type]
        return replace(self, **{place: inner})  # type: ignore[type-var]

    def reseeded(self, seed: int) -> Classifier:
        """With the one inside reseeded."""
        return self.around(self.inner.reseeded(seed))

    @property
    def clusters(self) -> bool:  # type: ignore[override]
        """As the one inside."""
        return self.inner.clusters

    @property
    def shift_invariant(self) -> bool:
        """As the one inside."""
        return self.inner.shift_invariant

    @property
    def seen(self) -> "Seen | None":  # type: ignore[override]
        """As the one inside."""
        return self.inner.seen

    @property
    def trained_recipe(self) -> str | None:  # type: ignore[override]
        """As the one inside."""
        return self.inner.trained_recipe

    @property
    def encoder(self) -> "Encoder | None":  # type: ignore[override]
        """As the one inside."""
        return self.inner.encoder

    def unable(self, way: int) -> str | None:
        """As the one inside."""
        return self.inner.unable(way)

    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """As the one inside."""
        return as_clusterer(self.inner).cluster(batch, sizes)


def as_clusterer(learner: Classifier) -> Clusterer | Wrapper:
    """The learner itself, if it can cluster."""
    if isinstance(learner, Clusterer) or (isinstance(learner, Wrapper) and learner.clusters):
        return learner
    raise FairshotError(
        f"{type(learner).__name__.lower()} needs labels, and clusters are asked for: choose a clusterer, such as "
        "kmeans, sinkhorn or centroid"
    )
