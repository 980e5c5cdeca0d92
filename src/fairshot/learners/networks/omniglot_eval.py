"""Three blocks and a bare convolution, the network of the omniglot-eval table: 24 pixels give 64 numbers."""

from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.layers.block import Block
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.network import Network
from fairshot.runtime.errors import FairshotError

CHANNELS = 64


class OmniglotEval(Network):
    """The last convolution has no padding, norm, ReLU or pooling, so that vectors can point anywhere."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        if size < 24:
            raise FairshotError(
                "omniglot_eval halves an image three times, then needs 3 x 3, so 24 pixels in all, "
                f"here are {size}: use the recipe omniglot-eval"
            )
        self.shape = (colours, size)
        self.width = CHANNELS * (size // 8 - 2) ** 2
        self.blocks = nn.ModuleList([Block(CHANNELS if number else colours, CHANNELS) for number in range(3)])
        self.last = nn.Conv2d(CHANNELS, CHANNELS, 3)

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """Three times half the size, then two pixels less."""
        maps = images
        for block in self.blocks:
            maps = block(maps, tasks)
        return self.last(maps).flatten(1)
