"""The Protocol by which samples are scored: who meets whom, who recognises, and what is shown."""

from dataclasses import dataclass
from typing import Literal

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.scoring.critic_view import CriticView
from fairshot.scoring.critics import PROTOTYPES
from fairshot.scoring.manifold import NEIGHBOURS
from fairshot.scoring.recognisers import RECOGNISERS, Recogniser
from fairshot.scoring.recognition import WAY, Trials, draw_trials

LEAST = {"way": 2, "times": 1, "neighbours": 1}

Exemplars = Literal["central", "random"]


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How samples are scored; the defaults are the published protocol."""

    way: int = WAY
    """Classes of an episode."""
    times: int | None = None
    """How often each class is asked for; None: as often as is usual with the recogniser."""
    recogniser: str = PROTOTYPES
    exemplars: Exemplars = "central"
    """Which drawing of a class is its exemplar: the one nearest to the mean of its class, or any."""
    exemplar_asks: bool = False
    """Whether the exemplar may be the human drawing that is to be recognised, as in the published code."""
    neighbours: int = NEIGHBOURS
    """Out to which neighbour the balls of precision, recall, density and coverage reach."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.recogniser not in RECOGNISERS:
            raise unknown("recogniser", self.recogniser, RECOGNISERS)
        for name, least in LEAST.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise FairshotError(f"--{name} is {value}: it must be at least {least}")

    @property
    def recognising_critic(self) -> Recogniser:
        """The recogniser itself."""
        return RECOGNISERS[self.recogniser]

    @property
    def asks(self) -> int:
        """How often each class is asked for."""
        return self.times if self.times is not None else self.recognising_critic.times

    def draw_trials(self, view: CriticView) -> Trials:
        """Which classes meet, and which image asks for each."""
        return draw_trials(view.labels, view.asking, way=self.way, times=self.asks, seed=self.seed)
