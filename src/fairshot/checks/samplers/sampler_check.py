"""A SamplerCheck: one fault that a sampler of episodes may have."""

from abc import ABC, abstractmethod

from fairshot.checks.finding import Finding, Outcome
from fairshot.checks.samplers.draws import Draws

CERTAIN = 6.0  # standard deviations from what chance does: one sampler in a billion that has no fault


class SamplerCheck(ABC):
    """One way of looking at what a sampler drew; its file's first line says what it means."""

    @property
    def name(self) -> str:
        """The name of the file that it stands in."""
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def look(self, draws: Draws) -> tuple[Outcome, str]:
        """The outcome, and what was seen."""

    def find(self, draws: Draws) -> Finding:
        """The finding."""
        return Finding(self.name, "sampler", *self.look(draws))
