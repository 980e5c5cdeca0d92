"""Warp editor: bends the exemplar as people's drawings of a character differ from each other.

Where the yardstick `warped` bends by chance, a conditional autoencoder learns here which bends, slants, sizes and pens
turn the exemplar of a class into other people's drawings of it, and which of these go together on which exemplar.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import avg_pool2d

from fairshot.generators.networks.generative import Generative, Images, bernoulli_loss, gaussian_kl
from fairshot.generators.networks.warp_vae import WarpSizes, WarpVae, bending
from fairshot.generators.training.lessons import Pairs, Shown
from fairshot.generators.training.trainable import Preset, Terms, TrainableGenerator, refuse_number
from fairshot.learners.training.plan import Plan

# Squares of so many pixels are compared as wholes, so that lines that do not touch yet attract each other.
SQUARES = (3, 5, 9)
PAPER = Plan(
    recipe="diversity",
    exemplars="simclr@omniglot-critic",
    images=128,
    steps=100_000,
    epoch=2000,
    rate=1e-3,
    clip=5.0,
    cosine=True,
    augment="turns",
)
# 28 pixels: a quarter of an hour of one core.
LAPTOP = replace(PAPER, recipe="diversity-28", steps=4500, epoch=900)


@dataclass(frozen=True)
class WarpEditor(TrainableGenerator):
    """Trained to bend the exemplar of a class into any drawing of it."""

    beta: float = 1.0
    """The weight of the divergence in the loss."""
    attraction: float = 1.0
    """The weight of what larger squares of the drawings differ by."""
    stiffness: float = 1.0
    """The weight of bending: neighbouring places shifted differently."""
    latent: int = 24
    """Numbers in the latent vector."""
    channels: int = 32
    """Of the first convolutions."""
    points: int = 7
    """Points in width and height whose shifts are learned."""

    presets: ClassVar[Mapping[str, Preset]] = {
        "paper": Preset(PAPER, {"points": 9}),
        "laptop": Preset(LAPTOP),
        "quick": Preset(replace(LAPTOP, steps=4000, epoch=800), {"channels": 16}),
    }

    def __post_init__(self) -> None:
        for name, least in {"latent": 1, "channels": 1, "points": 3}.items():
            refuse_number(name, getattr(self, name), least=least)
        for name in ("beta", "attraction", "stiffness"):
            refuse_number(name, getattr(self, name), least=0)

    def make_network(self, size: int) -> Generative:
        """For drawings of that size."""
        return WarpVae(WarpSizes(size=size, latent=self.latent, channels=self.channels, points=self.points))

    def drawing_weights(self, network: Generative) -> dict[str, Tensor]:
        """All but what reads other drawings."""
        return {name: value for name, value in network.storable().items() if not name.startswith("posterior.")}

    def losses(self, network: Generative, shown: Shown, plan: Plan, *, step: int | None) -> Terms:
        """Minus the bound on the likelihood of Bernoulli pixels, with squares and bending; on val, beta is 1."""
        assert isinstance(network, WarpVae)
        assert isinstance(shown, Pairs)
        logits, edit, (mean, log_variance) = network(shown.wanted, shown.given)
        reconstruction = bernoulli_loss(logits, shown.wanted).mean()
        divergence = gaussian_kl(mean, log_variance).mean()
        difference = square_loss(logits.sigmoid(), shown.wanted).mean()
        bent = bending(edit.shifts).mean()
        beta = 1.0 if step is None else self.beta
        return {
            "loss": reconstruction + beta * divergence + self.attraction * difference + self.stiffness * bent,
            "reconstruction": reconstruction,
            "divergence": divergence,
            "difference": difference,
            "bending": bent,
        }


def square_loss(drawings: Images, wanted: Images) -> Float[Tensor, " image"]:
    """The squared differences of ink in squares around every pixel, summed; each size of square counts alike."""
    losses = [
        side * (avg_pool2d(drawings - wanted, side, stride=1, padding=side // 2)).square().sum((1, 2, 3))
        for side in SQUARES
    ]
    return torch.stack(losses).sum(0)
