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
from fairshot.scoring.critic_view import CriticView
from fairshot.scoring.critics import FIVE_SHOT, MAML, PROTOTYPES, SHOTS
from fairshot.scoring.recognition import TIMES, Far, Trials, distances_in_trials

EPISODES = 32  # whose images are gathered at a time


def no_progress(what: str, done: int, whole: int, mean: float) -> None:
    """Shows nothing."""


@dataclass(frozen=True)
class Recogniser(ABC):
    """A way of recognising, by a critic of its kind."""

    kind: ClassVar[str]
    shot: ClassVar[int] = 1
    """Real drawings that a class is known by."""
    times: ClassVar[int] = TIMES
    """How often each class is asked for, if nobody says."""

    @abstractmethod
    def distances(self, view: CriticView, trials: Trials, progress: Progress = no_progress) -> Far:
        """How far each sample that is asked for is from each class of its episode."""


class Nearest(Recogniser):
    """The nearest exemplar."""

    kind = PROTOTYPES

    def distances(self, view: CriticView, trials: Trials, progress: Progress = no_progress) -> Far:
        """The squared distance to the exemplar of each class."""
        return distances_in_trials(view.distances, trials)


class NearestMean(Recogniser):
    """The nearest mean of five drawings."""

    kind = FIVE_SHOT
    shot = SHOTS[FIVE_SHOT]

    def distances(self, view: CriticView, trials: Trials, progress: Progress = no_progress) -> Far:
        """The squared distance to the mean of each class."""
        return distances_in_trials(view.distances_to(view.support[:, : self.shot], self.kind), trials)


@dataclass(frozen=True)
class Adapting(Recogniser):
    """A network that is adapted to the exemplars of every episode anew."""

    kind = MAML
    times = 20  # every episode is an adaptation

    critic: str = MAML
    """Which of the critics it is, where there are several that adapt."""

    def distances(self, view: CriticView, trials: Trials, progress: Progress = no_progress) -> Far:
        """What the adapted network says against each class: its logit, negative."""
        learner, way = view.critics.fitted[self.critic], trials.classes.shape[1]
        reason = learner.unable(way)
        if reason:
            raise FairshotError(f"{self.critic} of {view.critics.name} cannot serve {way}-way episodes: {reason}")
        logits = []
        for start in range(0, len(trials.classes), EPISODES):
            progress(f"{self.critic}: episodes", start, len(trials.classes), np.nan)
            some = slice(start, start + EPISODES)
            support, query = view.exemplars[trials.classes[some]], view.images[trials.samples[some]]
            logits.append(learner.classify(_batch(*(_scaled(view, images) for images in (support, query)))))
        return -torch.cat(logits).numpy().astype(np.float64)


def _scaled(view: CriticView, images: np.ndarray) -> Tensor:
    """Images of episodes as a network reads them."""
    flat = view.critics.recipe.scale(images.reshape(-1, *images.shape[2:]))
    return torch.from_numpy(np.array(flat)).reshape(*images.shape[:2], *flat.shape[1:])


def _batch(support: Tensor, query: Tensor) -> TaskBatch:
    """Tasks of one drawing a class, and one to be named."""
    episodes, way = support.shape[:2]
    labels, asked = torch.arange(way).repeat(episodes, 1), torch.ones(episodes, way, dtype=torch.bool)
    return TaskBatch(
        support=support,
        support_labels=labels,
        query=query,
        query_mask=asked,
        way=torch.full((episodes,), way),
        width=way,
    )


RECOGNISERS: dict[str, Recogniser] = {
    recogniser.kind: recogniser for recogniser in (Nearest(), Adapting(), NearestMean())
}
