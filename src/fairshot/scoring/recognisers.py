"""Who tells which of an episode's classes a drawing is of: by its distance to them, or by adapting to the episode."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critic_view import Sight
from fairshot.scoring.critics import FIVE_SHOT, MAML, PROTOTYPES, SHOTS
from fairshot.scoring.measures.recognizability import TIMES, Far, Trials, meet

EPISODES = 32  # whose images are gathered at a time


def _silent(what: str, done: int, whole: int, mean: float) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Recogniser(ABC):
    """A way of recognising, by a critic of its kind."""

    kind: ClassVar[str]
    shot: ClassVar[int] = 1
    """Real drawings that a class is known by."""
    times: ClassVar[int] = TIMES
    """How often each class is asked for, if nobody says."""

    @abstractmethod
    def far(self, own: Sight, trials: Trials, progress: Progress = _silent) -> Far:
        """How far each sample that is asked for is from each class of its episode."""


class Nearest(Recogniser):
    """The nearest exemplar."""

    kind = PROTOTYPES

    def far(self, own: Sight, trials: Trials, progress: Progress = _silent) -> Far:
        """The squared distance to it."""
        return meet(own.distances, trials)


class NearestMean(Recogniser):
    """The nearest mean of five drawings."""

    kind = FIVE_SHOT
    shot = SHOTS[FIVE_SHOT]

    def far(self, own: Sight, trials: Trials, progress: Progress = _silent) -> Far:
        """The squared distance to it."""
        return meet(own.distances_to(own.support[:, : self.shot], self.kind), trials)


class Adapting(Recogniser):
    """A network that is adapted to the exemplars of every episode anew."""

    kind = MAML
    times = 20  # every episode is an adaptation

    def far(self, own: Sight, trials: Trials, progress: Progress = _silent) -> Far:
        """What the adapted network says against each class: its logit, negative."""
        learner, way = own.critics.fitted[self.kind], trials.classes.shape[1]
        reason = learner.unable(way)
        if reason:
            raise FairshotError(f"{self.kind} of {own.critics.name} cannot serve {way}-way episodes: {reason}")
        answers = []
        for start in range(0, len(trials.classes), EPISODES):
            progress(f"{self.kind}: episodes", start, len(trials.classes), np.nan)
            some = slice(start, start + EPISODES)
            support, query = own.exemplars[trials.classes[some]], own.images[trials.samples[some]]
            answers.append(learner.classify(_batch(*(_scaled(own, images) for images in (support, query)))))
        return -torch.cat(answers).numpy().astype(np.float64)


def _scaled(own: Sight, images: np.ndarray) -> Tensor:
    """Images of episodes as a network reads them."""
    flat = own.critics.recipe.scale(images.reshape(-1, *images.shape[2:]))
    return torch.from_numpy(np.array(flat)).reshape(*images.shape[:2], *flat.shape[1:])


def _batch(support: Tensor, query: Tensor) -> TaskBatch:
    """Tasks of one drawing a class, and one to be named."""
    episodes, way = support.shape[:2]
    labels, asked = torch.arange(way).repeat(episodes, 1), torch.ones(episodes, way, dtype=torch.bool)
    return TaskBatch(support, labels, query, asked, torch.full((episodes,), way), way)


RECOGNISERS: dict[str, Recogniser] = {each.kind: each for each in (Nearest(), Adapting(), NearestMean())}
