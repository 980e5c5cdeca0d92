"""The network that judges drawings: four blocks and two linear layers (Boutin et al. 2022).

The first linear layer gives the 256 features in which diversity is measured, the second the 128 numbers by which
drawings are told apart. There is no ReLU between the two: the paper's table prints one, its weights were made without.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.layers.block import Block
from fairshot.learners.layers.layer import Tasks, fold
from fairshot.learners.networks.network import CHUNK, Network
from fairshot.runtime.errors import FairshotError

CHANNELS, FEATURES, WIDTH = 64, 256, 128


class Critic(Network):
    """50 pixels give 256 features and out of them 128 numbers: 292,544 parameters."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        if size < 16:
            raise FairshotError(
                f"critic halves an image four times and needs 16 pixels, here are {size}: use --recipe diversity"
            )
        self.shape = (colours, size)
        self.width = WIDTH
        self.blocks = nn.ModuleList([Block(CHANNELS if number else colours, CHANNELS) for number in range(4)])
        self.dense = nn.Linear(CHANNELS * (size // 16) ** 2, FEATURES)
        self.last = nn.Linear(FEATURES, WIDTH)

    def features(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image 256"]:
        """What comes out of the first linear layer."""
        maps = images
        for block in self.blocks:
            maps = block(maps, tasks)
        # The published ReLU in front of the layer changes nothing: every block ends with one.
        return self.dense(maps.flatten(1))

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image 128"]:
        """What comes out of the second."""
        return self.last(self.features(images, tasks))

    def embed_features(self, images: Float[Tensor, "image colour height width"]) -> Float[Tensor, "image 256"]:
        """The features of each image by itself, without gradient, with what batch norm learned."""
        with torch.no_grad():
            folded = fold(self)
            assert isinstance(folded, Critic)
            return torch.cat([folded.features(part) for part in torch.split(images, CHUNK)])
