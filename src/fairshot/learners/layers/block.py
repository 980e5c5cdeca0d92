"""The block of four-layer networks: 3 x 3 convolution, batch norm, 2 x 2 max-pooling and ReLU."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import conv2d, max_pool2d

from fairshot.learners.layers.fused_block import first_block, four_kernels, norm_pool_relu, pool_relu_windows
from fairshot.learners.layers.layer import Foldable, Tasks
from fairshot.learners.layers.norm import EPSILON, Norm
from fairshot.learners.layers.shared_norm import is_shared, normed, shared_moments

FEW_COLOURS = 4  # up to so many, statistics are found from the pixels under the kernel


class Block(Foldable):
    """Convolution, batch norm, pooling and ReLU with the parameters of the usual three layers.

    In training the convolution's bias gets no gradient: batch norm takes away what it adds.
    """

    def __init__(self, colours: int, channels: int = 64) -> None:
        super().__init__()
        self.conv = nn.Conv2d(colours, channels, 3, padding=1)
        self.norm = Norm(channels)

    def forward(
        self, maps: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image channel down across"]:
        """Pooled maps."""
        if tasks is not None:
            return torch.relu(max_pool2d(self.norm(self.conv(maps), tasks), 2))
        if self.training and is_shared():
            return self._by_shared_batch(maps)
        return self._by_batch(maps) if self.training else self.folded()(maps)

    def _by_shared_batch(self, maps: Tensor) -> Tensor:
        """The same from the statistics of all processes, one layer after the other."""
        maps = conv2d(maps.contiguous(memory_format=torch.channels_last), self.conv.weight, padding=1)
        mean, variance, count = shared_moments(maps)
        assert self.conv.bias is not None
        self.norm.learn(mean.detach() + self.conv.bias, variance.detach() * count / max(1.0, count - 1))
        scale = torch.rsqrt(variance + EPSILON) * self.norm.weight
        return torch.relu(max_pool2d(normed(maps, mean, scale, self.norm.bias), 2))

    def _by_batch(self, maps: Tensor) -> Tensor:
        weight, gain, bias = self.conv.weight, self.norm.weight, self.norm.bias
        if maps.shape[1] <= FEW_COLOURS and not maps.requires_grad:
            pooled, mean, variance = first_block(maps, weight, gain, bias, EPSILON)
        else:
            maps = conv2d(maps.contiguous(memory_format=torch.channels_last), weight, padding=1)
            pooled, mean, variance = norm_pool_relu(maps.permute(0, 2, 3, 1).contiguous(), gain, bias, EPSILON)
        count = len(maps) * maps.shape[2] * maps.shape[3]
        assert self.conv.bias is not None
        self.norm.learn(mean + self.conv.bias, variance * count / max(1, count - 1))
        return pooled.permute(0, 3, 1, 2)

    def folded(self) -> nn.Module:
        """The block in evaluation, with batch norm inside the convolution."""
        factor, summand = self.norm.affine_as_learned()
        assert self.conv.bias is not None
        return _Folded(self.conv.weight * factor[:, None, None, None], self.conv.bias * factor + summand)


class _Folded(nn.Module):
    """Convolution, pooling and ReLU; the few colours of images take the short way if nobody wants a gradient."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.short = weight.shape[1] <= FEW_COLOURS and not torch.is_grad_enabled()
        self.weight = four_kernels(weight) if self.short else weight.contiguous(memory_format=torch.channels_last)
        self.bias = bias

    def forward(self, maps: Tensor, tasks: None = None) -> Tensor:
        if self.short:
            return pool_relu_windows(maps, self.weight, self.bias).permute(0, 3, 1, 2)
        maps = conv2d(maps.contiguous(memory_format=torch.channels_last), self.weight, self.bias, padding=1)
        return torch.relu(max_pool2d(maps, 2))
