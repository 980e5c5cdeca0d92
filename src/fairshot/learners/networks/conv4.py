"""Four blocks of 64 channels, the small network of the field (Vinyals et al. 2016; Snell et al. 2017)."""

from jaxtyping import Float
from torch import Tensor

from fairshot.learners.networks.block import Block
from fairshot.learners.networks.network import Network, Tasks
from fairshot.runtime.errors import FairshotError

CHANNELS = 64


class Conv4(Network):
    """28 pixels give 64 numbers, 84 give 1600."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        if size < 16:
            raise FairshotError(
                f"conv4 halves an image four times and needs 16 pixels, here are {size}: use --recipe 28"
            )
        self.shape = (colours, size)
        self.width = CHANNELS * (size // 16) ** 2
        for number in range(4):
            self.add_module(f"block{number + 1}", Block(CHANNELS if number else colours, CHANNELS))

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """Four times half the size."""
        maps = images
        for block in self.children():
            maps = block(maps, tasks)
        return maps.flatten(1)
