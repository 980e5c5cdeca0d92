"""The Siamese network of Koch et al. 2015 with batch norm, as in omniglot-eval: 105 pixels give 4096 numbers."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import max_pool2d

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.layers.norm import Norm
from fairshot.learners.networks.network import Network
from fairshot.runtime.errors import FairshotError

KERNELS = (10, 7, 4, 4)
CHANNELS = (64, 128, 128, 256)
WIDTH = 4096


class Koch(Network):
    """Four convolutions without padding, pooling between them, and one dense layer through a sigmoid."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        if size < 65:
            raise FairshotError(
                f"koch has kernels of 10, 7, 4 and 4 with halvings between and needs 65 pixels, here are {size}: "
                "use the recipe omniglot-eval-koch"
            )
        self.shape = (colours, size)
        self.width = WIDTH
        self.convs, self.norms = nn.ModuleList(), nn.ModuleList()
        for before, after, kernel in zip((colours, *CHANNELS), CHANNELS, KERNELS, strict=False):
            self.convs.append(nn.Conv2d(before, after, kernel))
            self.norms.append(Norm(after))
        self.dense = nn.Linear(CHANNELS[-1] * _side(size) ** 2, WIDTH)

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image feature"]:
        """Numbers between 0 and 1."""
        maps = images
        for number, (conv, norm) in enumerate(zip(self.convs, self.norms, strict=True)):
            maps = torch.relu(norm(conv(max_pool2d(maps, 2) if number else maps), tasks))
        return torch.sigmoid(self.dense(maps.flatten(1)))


def _side(size: int) -> int:
    """Pixels of the last map."""
    for number, kernel in enumerate(KERNELS):
        size = (size // 2 if number else size) - kernel + 1
    return size
