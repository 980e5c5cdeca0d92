"""A Generator draws new images of a class after one exemplar; a function with the same arguments is one too."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import as_a_guest

Exemplars = Float[np.ndarray, "class channel height width"]
Drawings = Float[np.ndarray, "class count channel height width"]


class Generator(ABC):
    """A frozen dataclass whose fields are its settings."""

    @abstractmethod
    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """So many images of each class, given one of each, with values from 0 to 1."""


@dataclass(frozen=True)
class ForeignGenerator(Generator):
    """Somebody's own function `generate(exemplars, count, seed)`."""

    function: Callable[..., Any]
    name: str

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> np.ndarray:
        """Whatever it returns, as an array."""
        try:
            with as_a_guest():
                drawn = self.function(exemplars.copy(), count, seed)
                return np.asarray(drawn.detach().cpu() if hasattr(drawn, "detach") else drawn)
        except (Exception, SystemExit) as error:  # whatever foreign code may raise
            raise FairshotError(
                f"{self.name} failed as generate(exemplars, count, seed) with exemplars of shape {exemplars.shape} "
                f"({type(error).__name__}: {error})"
            ) from error
