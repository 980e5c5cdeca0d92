"""ResNet-12 of MetaOptNet (Lee et al. 2019): four residual blocks of 64, 160, 320 and 640 channels."""

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import avg_pool2d, leaky_relu, max_pool2d

from fairshot.learners.layers.conv_norm import ConvNorm
from fairshot.learners.layers.drop_block import DropBlock
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.network import Network
from fairshot.runtime.errors import FairshotError

CHANNELS = (64, 160, 320, 640)
SLOPE = 0.1


class Resnet12(Network):
    """32 or 84 pixels give 640 numbers; unpooled, 84 pixels give 16,000.

    The last two blocks drop squares of `drop_block` pixels, the first two single ones. The last map is averaged over
    windows of the same side, as in the code of "Two sides of meta-learning evaluation". Unless told, the side is that
    of the last map: 5 for 84 pixels and 2 for 32, and the mean is over all of it.
    """

    def __init__(
        self, colours: int, size: int, *, drop_block: int | None = None, pooled: bool = True, dropout: float = 0.1
    ) -> None:
        super().__init__()
        last = size // 16
        self.drop_block = last if drop_block is None else drop_block
        if not 1 <= self.drop_block <= last:
            raise FairshotError(_refusal(size, drop_block))
        self.shape = (colours, size)
        self.pooled = pooled
        self.width = CHANNELS[-1] * (last - self.drop_block + 1 if pooled else last) ** 2
        self.blocks = nn.ModuleList()
        for number, (before, after) in enumerate(zip((colours, *CHANNELS), CHANNELS, strict=False)):
            drop = nn.Dropout(dropout) if number < 2 else DropBlock(dropout, self.drop_block)
            self.blocks.append(_Residual(before, after, drop))

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """Four times half the size."""
        maps = images
        for block in self.blocks:
            maps = block(maps, tasks)
        if self.pooled:
            maps = avg_pool2d(maps, self.drop_block, stride=1)
        return maps.flatten(1)


class _Residual(nn.Module):
    """Three convolutions beside one of a single pixel, then pooling and dropout."""

    def __init__(self, before: int, after: int, drop: nn.Module) -> None:
        super().__init__()
        self.convs = nn.ModuleList([ConvNorm(after if number else before, after, 3) for number in range(3)])
        self.shortcut = ConvNorm(before, after, 1)
        self.drop = drop

    def forward(self, maps: Tensor, tasks: Tasks | None) -> Tensor:
        short = self.shortcut(maps, tasks)
        for number, conv in enumerate(self.convs):
            maps = conv(leaky_relu(maps, SLOPE) if number else maps, tasks)
        return self.drop(max_pool2d(leaky_relu(maps + short, SLOPE), 2))


def _refusal(size: int, drop_block: int | None) -> str:
    if size < 16:
        return f"resnet12 halves an image four times and needs 16 pixels, here are {size}: use the recipe 84"
    return f"resnet12 cannot drop squares of {drop_block}: {size} pixels leave {size // 16}, use 1 to {size // 16}"
