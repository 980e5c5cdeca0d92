"""Descent on each task's support: of a linear layer alone, or of a whole network, for many tasks at once.

Every parameter has a row for each task. Padded images and classes that a task does not have count for nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import pad

from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.network import Network, count_parameters
from fairshot.learners.portions import portions
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import PAD

Parameters = Mapping[str, Float[Tensor, "task ..."]]
Logits = Float[Tensor, "task image way"]
PIXELS = 1 << 18  # shown to a network at a time: their maps take about 200 MB in four layers of 64 channels
NUMBERS = 1 << 24  # parameters of all tasks adapted at a time
BETAS, TINY = (0.9, 0.999), 1e-8  # of Adam, as usual
WEIGHT, BIAS = "@weight", "@bias"  # of the linear layer: no module can have parameters of these names


@dataclass(frozen=True)
class Descent:
    """So many steps against the gradient of the whole support."""

    steps: int
    rate: float
    optimizer: Literal["sgd", "adam"] = "sgd"

    def __post_init__(self) -> None:
        if self.steps < 0:
            raise FairshotError(f"{self.steps} steps of descent were asked for: ask for 0 or more")
        if not 0 < self.rate < float("inf"):
            raise FairshotError(f"the rate of descent is {self.rate:g}: it must be above 0")

    def run(self, start: Parameters, slope: Callable[[Parameters], Parameters]) -> Parameters:
        """The parameters after all steps; those without a slope stay as they are."""
        now = dict(start)
        first, second = ({name: torch.zeros_like(values) for name, values in now.items()} for _ in range(2))
        for step in range(1, self.steps + 1):
            for name, gradient in slope(now).items():
                if self.optimizer == "adam":
                    first[name] = BETAS[0] * first[name] + (1 - BETAS[0]) * gradient
                    second[name] = BETAS[1] * second[name] + (1 - BETAS[1]) * gradient.square()
                    size = torch.sqrt(second[name] / (1 - BETAS[1] ** step)) + TINY
                    gradient = first[name] / (1 - BETAS[0] ** step) / size
                now[name] = now[name] - self.rate * gradient
        return now


def zero_layer(batch: TaskBatch, width: int) -> Parameters:
    """A linear layer for vectors of that width, all zeros, for every task."""
    tasks = len(batch.way)
    dtype = batch.support.dtype
    return {
        WEIGHT: torch.zeros(tasks, batch.width, width, dtype=dtype),
        BIAS: torch.zeros(tasks, batch.width, dtype=dtype),
    }


def linear(parameters: Parameters, vectors: Float[Tensor, "task image feature"], batch: TaskBatch) -> Logits:
    """The layer's answers; classes that a task does not have are out of the question."""
    logits = vectors @ parameters[WEIGHT].mT + parameters[BIAS][:, None]
    absent = torch.arange(batch.width) >= batch.way[:, None]
    return logits.masked_fill(absent[:, None], -torch.inf) if bool(absent.any()) else logits


def descend_layer(batch: TaskBatch, start: Parameters, descent: Descent) -> Logits:
    """Answers to queries on vectors of a linear layer that descended on the support.

    In double precision: where features are small, what rounding adds to the biases would outweigh all that was learned.
    """
    support, query = batch.vectors
    support, truth, weight = support.double(), batch.one_hot.double(), _weights(batch)[:, :, None].double()

    def slope(now: Parameters) -> Parameters:
        error = (linear(now, support, batch).softmax(2) - truth) * weight
        return {WEIGHT: error.mT @ support, BIAS: error.sum(1)}

    ended = descent.run({name: values.double() for name, values in start.items()}, slope)
    return linear({name: values.to(query.dtype) for name, values in ended.items()}, query, batch)


@dataclass(frozen=True)
class Adapted:
    """A network and its linear layer, whose every task has parameters of its own.

    Batch norm uses the statistics of each task's support, in training and in testing, so that no query is normalised
    by others; moving averages are not used.
    """

    network: Network
    order: Literal["second", "first"] = "first"
    """Whether what an adapted network answers can be derived through its adaptation."""

    def adapt(self, batch: TaskBatch, start: Parameters, descent: Descent) -> Parameters:
        """All parameters after descent on the support; needs grad mode."""
        second = self.order == "second"
        images = real_support(batch)
        known = batch.support_labels != PAD

        def slope(now: Parameters) -> Parameters:
            now = {name: values if second and values.requires_grad else _leaf(values) for name, values in now.items()}
            logits = linear(now, self.network.forward_each(now, images, known), batch)
            chosen = logits.log_softmax(2).gather(2, batch.support_labels.clamp(min=0)[:, :, None])[:, :, 0]
            loss = -(chosen * _weights(batch)).sum()
            gradients = torch.autograd.grad(loss, list(now.values()), create_graph=second, allow_unused=True)
            return {name: values for name, values in zip(now, gradients, strict=True) if values is not None}

        end = descent.run(start, slope)
        # The first order takes the gradient at the end for that at the start, as if descent only added a constant.
        return end if second else {name: start[name] + (values - start[name]).detach() for name, values in end.items()}

    def answer(self, batch: TaskBatch, parameters: Parameters) -> Logits:
        """What queries get."""
        images = torch.cat([real_support(batch), batch.query], 1)
        known = pad(batch.support_labels != PAD, (0, batch.query.shape[1]))
        vectors = self.network.forward_each(parameters, images, known)[:, batch.support.shape[1] :]
        return linear(parameters, vectors, batch)

    def answer_all(
        self, batch: TaskBatch, start: Callable[[TaskBatch], Parameters], descent: Descent
    ) -> Float[Tensor, "episode query way"]:
        """Adapts and answers some tasks at a time, also where gradients are switched off; leaves nothing behind."""
        answers = []
        most = max(1, NUMBERS // count_parameters(self.network))
        for pieces in portions(batch, PIXELS, most=most):
            with torch.inference_mode(False), torch.enable_grad():
                copied = [_copied(piece) for piece in pieces]
                adapted = self.adapt(copied[0], start(copied[0]), descent)
                with torch.no_grad():
                    answers.append(torch.cat([self.answer(piece, adapted) for piece in copied], 1))
        return torch.cat(answers)


def copies(network: Network, tasks: int) -> Parameters:
    """The network's parameters for every task; a gradient that goes to them goes to the network."""
    return {name: values[None].expand(tasks, *values.shape) for name, values in network.named_parameters()}


def _leaf(values: Tensor) -> Tensor:
    """The same numbers, to be derived by, with no past."""
    return values.detach().requires_grad_()


def frozen(parameters: Parameters) -> Parameters:
    """Copies that gradients do not leave."""
    return {name: values.detach().clone() for name, values in parameters.items()}


def _weights(batch: TaskBatch) -> Float[Tensor, "task support"]:
    """Every real support image counts the same, and every task counts as one."""
    real = (batch.support_labels != PAD).to(batch.support.dtype)
    return real / real.sum(1, keepdim=True).clamp(min=1)


def real_support(batch: TaskBatch) -> Float[Tensor, "task support colour height width"]:
    """Support images, blank where there is none."""
    padding = batch.support_labels == PAD
    return batch.support.masked_fill(padding[:, :, None, None, None], 0) if bool(padding.any()) else batch.support


def _copied(batch: TaskBatch) -> TaskBatch:
    """Tensors that gradients can be derived from, whatever mode they were made in."""
    return replace(
        batch,
        support=batch.support.clone(),
        support_labels=batch.support_labels.clone(),
        query=batch.query.clone(),
        query_mask=batch.query_mask.clone(),
        way=batch.way.clone(),
        seeds=batch.seeds.clone(),
    )
