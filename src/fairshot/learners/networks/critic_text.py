"""The critic as the paper prints it in Table S1: with a ReLU between its two linear layers, which its code has not.

Features are taken in front of the ReLU, as they are of the other one.
"""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import relu

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.networks.critic import Critic


class CriticText(Critic):
    """As many parameters as the other."""

    def forward(
        self, images: Float[Tensor, "image colour height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image 128"]:
        """What comes out of the second linear layer."""
        return self.last(relu(self.trunk(images, tasks)))
