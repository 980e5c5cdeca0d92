"""Batch norm that can take its statistics from the support of each task instead of the batch."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.layers.shared_norm import is_shared, normed, shared_moments

MOMENTUM = 0.1
EPSILON = 1e-5


class Norm(nn.BatchNorm2d):
    """Without tasks, torch's own batch norm; with tasks, nothing is learned about mean and variance."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels, eps=EPSILON, momentum=MOMENTUM)

    def forward(
        self, maps: Float[Tensor, "image channel height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image channel height width"]:
        """Maps of mean 0 and variance 1, times gain, plus bias."""
        if tasks is None and self.training and is_shared():
            mean, variance, count = shared_moments(maps)
            self.learn(mean.detach(), variance.detach() * count / max(1.0, count - 1))
            return normed(maps, mean, torch.rsqrt(variance + self.eps) * self.weight, self.bias)
        if tasks is None:
            return super().forward(maps)
        mean, variance = tasks.moments(maps)
        gain, bias = (p[:, None, None] for p in (self.weight, self.bias))
        return (maps - mean) * torch.rsqrt(variance + self.eps) * gain + bias

    @torch.no_grad()
    def learn(self, mean: Float[Tensor, " channel"], variance: Float[Tensor, " channel"]) -> None:
        """Let the running statistics follow those of a batch."""
        assert self.running_mean is not None
        assert self.running_var is not None
        assert self.num_batches_tracked is not None
        self.running_mean.lerp_(mean, MOMENTUM)
        self.running_var.lerp_(variance, MOMENTUM)
        self.num_batches_tracked += 1

    def affine_as_learned(self) -> tuple[Float[Tensor, " channel"], Float[Tensor, " channel"]]:
        """Factor and summand that evaluation comes down to."""
        assert self.running_mean is not None
        assert self.running_var is not None
        factor = self.weight * torch.rsqrt(self.running_var + self.eps)
        return factor, self.bias - self.running_mean * factor
