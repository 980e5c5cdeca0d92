"""The block of four-layer networks: 3 x 3 convolution, batch norm, 2 x 2 max-pooling and ReLU."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import conv2d, max_pool2d

from fairshot.learners.networks.network import Tasks
from fairshot.learners.networks.normalised import NormPoolRelu, first_block

MOMENTUM = 0.1
EPSILON = 1e-5
FEW_COLOURS = 4  # up to so many, statistics are found from the pixels under the kernel


class Block(nn.Module):
    """Convolution, batch norm, pooling and ReLU with the parameters of the usual three layers."""

    def __init__(self, colours: int, channels: int = 64) -> None:
        super().__init__()
        self.conv = nn.Conv2d(colours, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels, eps=EPSILON, momentum=MOMENTUM)

    def forward(
        self, maps: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image channel down across"]:
        """Pooled maps."""
        if tasks is not None:
            return self._by_task(maps, tasks)
        return self._by_batch(maps) if self.training else self._as_learned(maps)

    def _by_batch(self, maps: Tensor) -> Tensor:
        """A bias before batch norm is lost in its mean, so it is added there alone."""
        weight, gain, bias = self.conv.weight, self.norm.weight, self.norm.bias
        if maps.shape[1] <= FEW_COLOURS and not maps.requires_grad:
            pooled, mean, variance = first_block(maps, weight, gain, bias, EPSILON)
        else:
            maps = conv2d(maps.contiguous(memory_format=torch.channels_last), weight, padding=1)
            pooled, mean, variance = NormPoolRelu.apply(maps.permute(0, 2, 3, 1).contiguous(), gain, bias, EPSILON)
        count = len(maps) * maps.shape[2] * maps.shape[3]
        self._learn(mean, variance * count / max(1, count - 1))
        return pooled.permute(0, 3, 1, 2)

    @torch.no_grad()
    def _learn(self, mean: Tensor, variance: Tensor) -> None:
        assert self.norm.running_mean is not None
        assert self.norm.running_var is not None
        assert self.norm.num_batches_tracked is not None
        self.norm.running_mean.lerp_(mean + self.conv.bias, MOMENTUM)
        self.norm.running_var.lerp_(variance, MOMENTUM)
        self.norm.num_batches_tracked += 1

    def _as_learned(self, maps: Tensor) -> Tensor:
        """Batch norm folded into the convolution."""
        assert self.norm.running_mean is not None
        assert self.norm.running_var is not None
        scale = self.norm.weight * torch.rsqrt(self.norm.running_var + EPSILON)
        weight = (self.conv.weight * scale[:, None, None, None]).contiguous(memory_format=torch.channels_last)
        bias = self.norm.bias + (self.conv.bias - self.norm.running_mean) * scale
        maps = maps.contiguous(memory_format=torch.channels_last)
        return torch.relu(max_pool2d(conv2d(maps, weight, bias, padding=1), 2))

    def _by_task(self, maps: Tensor, tasks: Tasks) -> Tensor:
        maps = self.conv(maps)
        mean, variance = tasks.moments(maps)
        gain, bias = (p[:, None, None] for p in (self.norm.weight, self.norm.bias))
        return torch.relu(max_pool2d((maps - mean) * torch.rsqrt(variance + EPSILON) * gain + bias, 2))
