"""A Metric turns a learner's answers and the truth into one score per episode."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from fairshot.runtime.errors import FairshotError

Queries = Bool[np.ndarray, "episode query"]


@dataclass(frozen=True)
class Metric(ABC):
    """One score per episode: a share of its queries."""

    higher_is_better: ClassVar[bool]

    @property
    def name(self) -> str:
        """As in results."""
        return type(self).__name__.lower()

    @abstractmethod
    def marked(self, correct: Queries) -> Queries:
        """The queries that count: the score is their share."""

    def score(self, correct: Queries, asked: Queries) -> Float[np.ndarray, " episode"]:
        """The score of each episode; queries that were not asked are padding."""
        return (self.marked(correct) & asked).sum(axis=1) / asked.sum(axis=1)


def correctness(
    logits: Float[Tensor, "episode query way"], query_labels: Int[Tensor, "episode query"], way: Int[Tensor, " episode"]
) -> Bool[Tensor, "episode query"]:
    """Whether the highest logit among the episode's own classes is the right one; of padding it says nothing."""
    if (way < logits.shape[2]).any():
        absent = torch.arange(logits.shape[2]) >= way[:, None]
        logits = logits.masked_fill(absent[:, None, :], -torch.inf)
    best = logits.amax(2)
    if torch.isnan(best).any():
        raise FairshotError("the learner answered NaN: a classifier returns a number for each query and class")
    if np.count_nonzero(logits.numpy() == best.numpy()[:, :, None]) > best.numel():
        return logits.argmax(2) == query_labels  # somewhere two classes are equally good: the first is chosen
    # Without ties the same, and several times as fast.
    return logits.gather(2, query_labels.clamp(min=0)[:, :, None])[:, :, 0] == best
