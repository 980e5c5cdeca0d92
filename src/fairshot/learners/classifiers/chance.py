"""Guesses: what a learner that knows nothing scores, with the same noise that guessing has."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch

ODD = 0x2545F4914F6CDD1D  # multiplying 64-bit words by an odd number loses nothing
DIGIT = 1 << 24  # the integers below it are exact as 32-bit floats


@dataclass(frozen=True)
class Chance(Classifier):
    """A uniform guess that depends on nothing but the bits of the images, and is made anew in every episode."""

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image 2"]:
        """A hash of the image, as two numbers of 24 bits."""
        words = images.flatten(1).contiguous().view(torch.int32).to(torch.int64)
        hashed = _mix(words + ODD * torch.arange(1, words.shape[1] + 1)).sum(1)
        return torch.stack([hashed % DIGIT, (hashed >> 24) % DIGIT], dim=1).to(torch.float32)

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """A hash of query, class and whole support set, so that the same task always gets the same guesses."""
        support, query = (_word(vectors) for vectors in batch.vectors)
        members = batch.support_labels[:, :, None] == torch.arange(batch.width)
        classes = torch.where(members, _mix(support)[:, :, None], 0).sum(1)
        asked = _mix(query + ODD * classes.sum(1, keepdim=True))
        return (_mix(asked[:, :, None] + ODD * classes[:, None, :]) >> 40).to(torch.float32)


def _word(vectors: Float[Tensor, "episode image 2"]) -> Int[Tensor, "episode image"]:
    low, high = vectors.to(torch.int64).unbind(-1)
    return low + DIGIT * high


def _mix(words: Int[Tensor, "*shape"]) -> Int[Tensor, "*shape"]:
    for _ in range(2):
        words = (words ^ (words >> 29)) * ODD
    return words ^ (words >> 32)
