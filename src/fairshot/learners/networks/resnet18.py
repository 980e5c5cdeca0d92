"""ResNet-18 (He et al. 2016) without its classifier, fed as in Meta-Dataset: images give 512 numbers.

Images are first resampled to the next larger size of the form 32 k + 1 (84 pixels to 97), so that every halving keeps
the corner pixels where they are. Meta-Dataset's own has one more 1 x 1 convolution, beside its very first block.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import interpolate, max_pool2d

from fairshot.learners.layers.conv_norm import ConvNorm
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.network import Network

CHANNELS = (64, 128, 256, 512)


class Resnet18(Network):
    """A stem of 7 x 7 and eight residual blocks; the mean of the last map is the vector."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        self.shape = (colours, size)
        self.width = CHANNELS[-1]
        self.stem = ConvNorm(colours, CHANNELS[0], 7, 2)
        self.blocks = nn.ModuleList()
        for before, after in zip((CHANNELS[0], *CHANNELS), CHANNELS, strict=False):
            self.blocks.append(_Residual(before, after, 1 if before == after else 2))
            self.blocks.append(_Residual(after, after, 1))

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """A 32nd of the size, then its mean."""
        maps = interpolate(images, aligned_size(self.shape[1]), mode="bilinear", align_corners=True)
        maps = max_pool2d(torch.relu(self.stem(maps, tasks)), 3, stride=2, padding=1)
        for block in self.blocks:
            maps = block(maps, tasks)
        return maps.mean((2, 3))


def aligned_size(size: int) -> int:
    """The next larger number of the form 32 k + 1."""
    return 32 * -(-size // 32) + 1


class _Residual(nn.Module):
    """Two convolutions beside the maps themselves, or beside one of a single pixel where the shape changes."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.first = ConvNorm(before, after, 3, stride)
        self.second = ConvNorm(after, after, 3)
        self.shortcut = ConvNorm(before, after, 1, stride) if stride > 1 else None

    def forward(self, maps: Tensor, tasks: Tasks | None) -> Tensor:
        short = maps if self.shortcut is None else self.shortcut(maps, tasks)
        return torch.relu(self.second(torch.relu(self.first(maps, tasks)), tasks) + short)
