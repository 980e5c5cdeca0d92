"""A Metric turns a learner's answers and the truth into one score per episode."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD

Queries = Bool[np.ndarray, "episode query"]
Values = Float[np.ndarray, " episode"]


@dataclass(frozen=True, eq=False)
class Clustering:
    """The support of each episode: how many images are in a cluster and of a class, and how many there are of both."""

    counts: Int[np.ndarray, "episode cluster class"]
    clusters: Int[np.ndarray, " episode"]
    classes: Int[np.ndarray, " episode"]


@dataclass(frozen=True, eq=False)
class Judged:
    """Logits beside the truth. A label that the episode does not show is that of an unknown class."""

    logits: Float[Tensor, "episode query way"]
    labels: Int[Tensor, "episode query"]
    way: Int[Tensor, " episode"]
    clustering: Clustering | None = None
    """What the support was grouped into, where that is judged."""

    @cached_property
    def asked(self) -> Queries:
        """The queries that are no padding."""
        return (self.labels != PAD).numpy()

    @cached_property
    def known(self) -> Queries:
        """The queries whose class the episode shows."""
        return self.asked & (self.labels < self.way[:, None]).numpy()

    @cached_property
    def correct(self) -> Queries:
        """Whether the highest logit among the episode's own classes is the right one."""
        return correctness(self.logits, self.labels, self.way).numpy() & self.known

    @cached_property
    def present(self) -> Float[Tensor, "episode query way"]:
        """The logits, with minus infinity for classes that the episode does not show."""
        return without_absent(self.logits, self.way).double()

    @cached_property
    def probabilities(self) -> Float[np.ndarray, "episode query way"]:
        """Softmax of the logits over the episode's own classes."""
        return self.present.softmax(2).numpy()


@dataclass(frozen=True)
class Metric(ABC):
    """One score per episode."""

    higher_is_better: ClassVar[bool]
    fraction: ClassVar[bool] = False
    """Whether a score is a share of something, from 0 to 1."""
    needs_clusters: ClassVar[bool] = False
    """Whether it judges how the support was grouped without labels."""
    needs_unknown: ClassVar[bool] = False
    """Whether episodes must have queries of unknown classes."""

    @property
    def name(self) -> str:
        """As in results, with what is set otherwise than usual."""
        own = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default]
        words = re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()  # the name of its file
        return words + (f":{','.join(own)}" if own else "")

    def of_hopeless(self, chance: float) -> float | None:
        """The score of a class whose queries are answered by chance; None where a score is not one of classes."""
        return None

    @abstractmethod
    def score(self, judged: Judged) -> Values:
        """The score of each episode."""


@dataclass(frozen=True)
class Share(Metric):
    """A metric that judges each query by itself: the score is the share of those that it marks."""

    fraction: ClassVar = True

    @abstractmethod
    def marked(self, correct: Queries) -> Queries:
        """The queries that count."""

    def score(self, judged: Judged) -> Values:
        """The share of the queries of known classes."""
        return (self.marked(judged.correct) & judged.known).sum(axis=1) / judged.known.sum(axis=1)


def without_absent(
    logits: Float[Tensor, "episode query way"], way: Int[Tensor, " episode"]
) -> Float[Tensor, "episode query way"]:
    """Minus infinity for classes that an episode does not show."""
    if not (way < logits.shape[2]).any():
        return logits
    absent = torch.arange(logits.shape[2]) >= way[:, None]
    return logits.masked_fill(absent[:, None, :], -torch.inf)


def correctness(
    logits: Float[Tensor, "episode query way"], query_labels: Int[Tensor, "episode query"], way: Int[Tensor, " episode"]
) -> Bool[Tensor, "episode query"]:
    """Whether the highest logit among the episode's own classes is the right one; of padding it says nothing."""
    logits = without_absent(logits, way)
    by_class, labels = logits.mT.contiguous(), query_labels.clamp(min=0)
    best = by_class.amax(1)
    if torch.isnan(best).any():
        raise FairshotError("the learner answered NaN: a classifier returns a number for each query and class")
    if np.count_nonzero(by_class.numpy() == best.numpy()[:, None]) > best.numel():
        return logits.argmax(2) == query_labels  # somewhere two classes are equally good: the first is chosen
    # Without ties the same, and several times as fast.
    return by_class.gather(1, labels[:, None])[:, 0] == best
