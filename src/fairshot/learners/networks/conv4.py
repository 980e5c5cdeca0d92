"""Four blocks of 64 channels, the small network of the field (Vinyals et al. 2016; Snell et al. 2017)."""

from collections.abc import Mapping

from jaxtyping import Bool, Float
from torch import Tensor

from fairshot.learners.layers.block import Block
from fairshot.learners.layers.layer import Tasks
from fairshot.learners.layers.per_task import BlockWeights, block_each, first_block_each
from fairshot.learners.networks.network import Network
from fairshot.runtime.errors import FairshotError

CHANNELS = 64


class Conv4(Network):
    """28 pixels give 64 numbers, 84 give 1600."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        if size < 16:
            raise FairshotError(
                f"conv4 halves an image four times and needs 16 pixels, here are {size}: use the recipe 28"
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

    def forward_each(
        self,
        parameters: Mapping[str, Float[Tensor, "task ..."]],
        images: Float[Tensor, "task image colour height width"],
        support: Bool[Tensor, "task image"],
    ) -> Float[Tensor, "task image feature"]:
        """The same answers as any network's, several times faster."""
        maps = images
        for number, (name, _) in enumerate(self.named_children()):
            kernels, gain, bias = (
                parameters[f"{name}.{layer}"] for layer in ("conv.weight", "norm.weight", "norm.bias")
            )
            block = block_each if number else first_block_each
            maps = block(maps, BlockWeights(kernels, gain, bias), support)
        return maps.permute(0, 1, 4, 2, 3).flatten(2)
