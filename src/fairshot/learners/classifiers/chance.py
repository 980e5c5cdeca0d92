"""Guesses: what a learner that knows nothing scores, with the same noise that guessing has."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch

ODD = 0x2545F4914F6CDD1D  # multiplying 64-bit words by an odd number loses nothing


@dataclass(frozen=True)
class Chance(Classifier):
    """A uniform guess that depends on nothing but the bits of the query and of the class's support images."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """A hash of query and class, so that the same task always gets the same guesses."""
        support, query = batch.vectors
        members = batch.support_labels[:, :, None] == torch.arange(batch.width)
        classes = torch.where(members, _hash(support)[:, :, None], 0).sum(1)
        mixed = _mix(_hash(query)[:, :, None] + ODD * classes[:, None, :])
        return (mixed >> 40).to(torch.float32)


def _hash(vectors: Float[Tensor, "episode image feature"]) -> Int[Tensor, "episode image"]:
    words = vectors.contiguous().view(torch.int32).to(torch.int64)
    return _mix(words + ODD * torch.arange(1, words.shape[-1] + 1)).sum(-1)


def _mix(words: Int[Tensor, "*shape"]) -> Int[Tensor, "*shape"]:
    for _ in range(2):
        words = (words ^ (words >> 29)) * ODD
    return words ^ (words >> 32)
