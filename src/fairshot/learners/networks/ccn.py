"""Four blocks of 64, 128, 256 and 256 channels, with which whole alphabets are clustered (Hsu et al. 2018)."""

from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.layers.block import Block
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.network import Network
from fairshot.runtime.errors import FairshotError

CHANNELS = (64, 128, 256, 256)


class Ccn(Network):
    """32 pixels give 1024 numbers."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        if size < 16:
            raise FairshotError(
                f"ccn halves an image four times and needs 16 pixels, here are {size}: use the recipe 28"
            )
        self.shape = (colours, size)
        self.width = CHANNELS[-1] * (size // 16) ** 2
        pairs = zip((colours, *CHANNELS), CHANNELS, strict=False)
        self.blocks = nn.ModuleList([Block(before, after) for before, after in pairs])

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """Four times half the size."""
        maps = images
        for block in self.blocks:
            maps = block(maps, tasks)
        return maps.flatten(1)
