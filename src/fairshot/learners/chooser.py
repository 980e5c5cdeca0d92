"""A Chooser: a head that chooses its own strength inside the support, so that it needs no validation set."""

from abc import abstractmethod
from collections.abc import Mapping

from fairshot.learners.learner import Classifier


class Chooser(Classifier):
    """Chooses among candidates by answering each support image from the others; no query is ever looked at."""

    @property
    @abstractmethod
    def candidates(self) -> Mapping[str, Classifier]:
        """What it chooses from: the same head with fixed settings, by what is different about each."""
