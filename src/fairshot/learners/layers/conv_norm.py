"""A convolution without bias and its batch norm: what residual networks are made of."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import conv2d

from fairshot.learners.layers.layer import Foldable, Tasks
from fairshot.learners.layers.norm import Norm


class ConvNorm(Foldable):
    """Padded, so that only a stride makes maps smaller; weights begin as He et al. 2015 advise."""

    def __init__(self, before: int, after: int, kernel: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(before, after, kernel, stride, padding=kernel // 2, bias=False)
        self.norm = Norm(after)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out", nonlinearity="relu")

    def forward(
        self, maps: Float[Tensor, "image before height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image after down across"]:
        """Normalised maps."""
        return self.norm(self.conv(maps), tasks)

    def folded(self) -> nn.Module:
        """The same in evaluation, with batch norm inside the convolution."""
        factor, summand = self.norm.affine_as_learned()
        return _Folded(self.conv, self.conv.weight * factor[:, None, None, None], summand)


class _Folded(nn.Module):
    def __init__(self, conv: nn.Conv2d, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.stride, self.padding = conv.stride, conv.padding
        self.weight = weight.contiguous(memory_format=torch.channels_last)
        self.bias = bias

    def forward(self, maps: Tensor, tasks: None = None) -> Tensor:
        maps = maps.contiguous(memory_format=torch.channels_last)
        return conv2d(maps, self.weight, self.bias, self.stride, self.padding)
