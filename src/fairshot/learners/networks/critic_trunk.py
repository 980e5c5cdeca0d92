"""What all critics of drawings have in common: four blocks and a linear layer to 256 features (Boutin et al. 2022)."""

from collections.abc import Mapping

from jaxtyping import Bool, Float
from torch import Tensor, nn

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.networks.network import Network

FEATURES = 256


class CriticTrunk(Network):
    """50 pixels give 256 features: 259,648 parameters; with an output layer for 20 classes, 264,788."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        self.shape, self.width = (colours, size), FEATURES
        self.blocks = Conv4(colours, size)
        self.dense = nn.Linear(self.blocks.width, FEATURES)

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image 256"]:
        """The published ReLU in front of the linear layer changes nothing: every block ends with one."""
        return self.dense(self.blocks(images, tasks))

    def forward_each(
        self,
        parameters: Mapping[str, Float[Tensor, "task ..."]],
        images: Float[Tensor, "task image colour height width"],
        support: Bool[Tensor, "task image"],
    ) -> Float[Tensor, "task image 256"]:
        """By the fast way of its blocks."""
        of_blocks = {
            name.removeprefix("blocks."): value for name, value in parameters.items() if name.startswith("blocks.")
        }
        maps = self.blocks.forward_each(of_blocks, images, support)
        return maps @ parameters["dense.weight"].mT + parameters["dense.bias"][:, None]
