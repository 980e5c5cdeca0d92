"""A Generative network draws images of one channel after exemplars of the same size; ink is 1 and paper 0."""

from abc import abstractmethod
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.training.storable import Storable

Images = Float[Tensor, "image 1 size size"]
Vectors = Float[Tensor, "image _"]


class Generative(Storable):
    """Turns an exemplar and noise into a drawing; the same noise gives the same drawing."""

    size: int
    """Width and height of a drawing in pixels."""
    noise: int
    """Numbers from the normal distribution that a drawing is made of."""

    @abstractmethod
    def draw(self, exemplars: Images, noise: Vectors) -> Images:
        """A drawing for each exemplar and row of noise, with values from 0 to 1."""


def gaussian_kl(mean: Tensor, log_variance: Tensor) -> Float[Tensor, " row"]:
    """The divergence of normal distributions from the standard one, summed over all but the first axis."""
    return -0.5 * (1 + log_variance - mean.square() - log_variance.exp()).flatten(1).sum(1)


def gaussian_kl_between(mean: Tensor, log_variance: Tensor, *, prior: tuple[Tensor, Tensor]) -> Float[Tensor, " row"]:
    """The divergence of normal distributions from others, summed over all but the first axis."""
    prior_mean, prior_log_variance = prior
    spread = ((mean - prior_mean).square() + log_variance.exp()) / prior_log_variance.exp()
    return 0.5 * (prior_log_variance - log_variance - 1 + spread).flatten(1).sum(1)


def sample_gaussian(mean: Tensor, log_variance: Tensor) -> Tensor:
    """A value of each normal distribution, from torch's global generator, through which gradients flow."""
    return mean + torch.randn_like(mean) * (0.5 * log_variance).exp()


def perceptron(*widths: int) -> nn.Sequential:
    """Linear layers of these widths with rectifiers between them."""
    layers: list[nn.Module] = []
    for number, (entering, leaving) in enumerate(pairwise(widths)):
        layers += [nn.ReLU()] if number else []
        layers.append(nn.Linear(entering, leaving))
    return nn.Sequential(*layers)


def bernoulli_loss(logits: Tensor, targets: Tensor) -> Float[Tensor, " image"]:
    """Minus the logarithm of the likelihood of each image, summed over its pixels."""
    losses = nn.functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    return losses.flatten(1).sum(1)
