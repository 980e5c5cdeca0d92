"""Answers of a learner, looked at before they are believed: anybody's own may have any form."""

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import failures_said


def answer_tasks(learner: Classifier, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
    """What a learner answers to tasks; raises, with its name, if that is not a number for each query and class."""
    with failures_said(f"{learner.label} failed on {len(batch.way)} tasks of {batch.width} classes"):
        logits = learner.classify(batch)
    wanted = (*batch.query_mask.shape, batch.width)
    if not isinstance(logits, Tensor) or tuple(logits.shape) != wanted:
        form = f"shape {tuple(logits.shape)}" if isinstance(logits, Tensor) else f"type {type(logits).__name__}"
        raise FairshotError(
            f"{learner.label} answered with something of {form}: classify returns a logit for each task, query and "
            f"class, here of shape {wanted}"
        )
    if logits.is_complex() or logits.dtype == torch.bool:
        raise FairshotError(f"{learner.label} answered with {logits.dtype}: classify returns a number for each class")
    if torch.isnan(logits.sum()) and _has_nan(logits, batch):  # the sum alone is quick, and hardly ever not a number
        raise FairshotError(f"{learner.label} answered NaN: a classifier returns a number for each query and class")
    return logits


def _has_nan(logits: Tensor, batch: TaskBatch) -> bool:
    """Whether a number is missing where one counts: for a query that was asked and a class that is there."""
    present = torch.arange(batch.width) < batch.way[:, None]
    return bool((torch.isnan(logits) & present[:, None] & batch.query_mask[:, :, None]).any())
