"""A classifier around another one: whatever the inner one says of itself holds for both."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from fairshot.learners.learner import Classifier

if TYPE_CHECKING:
    from fairshot.learners.seen import Seen


class Wrapper(Classifier):
    """Declares what the inner classifier declares."""

    @property
    @abstractmethod
    def inner(self) -> Classifier:
        """The one inside."""

    @property
    def threads(self) -> bool:  # type: ignore[override]
        """As the one inside."""
        return self.inner.threads

    @property
    def transductive(self) -> bool:  # type: ignore[override]
        """As the one inside."""
        return self.inner.transductive

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

    def unable(self, way: int) -> str | None:
        """As the one inside."""
        return self.inner.unable(way)
