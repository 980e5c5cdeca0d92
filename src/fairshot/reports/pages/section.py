"""A PageSection: one block of a page. A file of this folder with one of its own name adds it to every page."""

from abc import ABC, abstractmethod
from typing import ClassVar

from fairshot.tables.tabular import Tabular


class PageSection(ABC):
    """What a page says under one heading."""

    place: ClassVar[int]
    """Sections stand in the order of these numbers."""
    heading: ClassVar[str] = ""

    @abstractmethod
    def body(self, result: Tabular) -> str:
        """The block as HTML; nothing where the result has nothing of the kind. Names must be escaped."""
