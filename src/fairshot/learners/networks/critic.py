"""The network that judges drawings: four blocks and two linear layers (Boutin et al. 2022).

The first linear layer gives the 256 features in which diversity is measured, the second the 128 numbers by which
drawings are told apart. There is no ReLU between the two: the paper's table prints one, its weights were made without.
"""

from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.critic_trunk import FEATURES, CriticTrunk
from fairshot.learners.networks.network import Network

WIDTH = 128


class Critic(Network):
    """50 pixels give 256 features and out of them 128 numbers: 292,544 parameters."""

    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        self.shape, self.width = (colours, size), WIDTH
        self.trunk = CriticTrunk(colours, size)
        self.last = nn.Linear(FEATURES, WIDTH)

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image 128"]:
        """What comes out of the second linear layer."""
        return self.last(self.trunk(images, tasks))

    def embed_features(self, images: Float[Tensor, "image colour height width"]) -> Float[Tensor, "image 256"]:
        """The features of each image by itself, without gradient, with what batch norm learned."""
        return self.trunk.embed(images)
