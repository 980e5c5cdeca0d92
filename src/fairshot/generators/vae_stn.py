"""VAE-STN: an autoencoder that draws glimpse by glimpse, each patch moved into its place (Rezende et al., ICML 2016).

As in Boutin et al. 2022. Their text, tables and code differ: `layers` names the released code (2,499,159 parameters) or
Table S5 with the memory of the text (4,924,647); `narrow` layers are ours, with fewer multiplications. 60 glimpses are
the paper's, 100 those of the released command.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from torch import Tensor

from fairshot.generators.networks.attention_vae import AttentionSizes, AttentionVae, Layers
from fairshot.generators.networks.generative import Generative, bernoulli_loss
from fairshot.generators.training.lessons import Pairs, Shown
from fairshot.generators.training.trainable import Preset, Terms, TrainableGenerator, refuse_number
from fairshot.learners.training.plan import Plan

# 29,460 images in batches of 128 are 230 steps an epoch, of which there are 500.
PAPER = Plan(
    recipe="diversity",
    exemplars="simclr@omniglot-critic",
    images=128,
    steps=115_000,
    epoch=230,
    rate=1e-3,
    clip=5.0,
    plateau=10,
)
# 28 pixels, 20 glimpses and two thirds of the memory: a quarter of an hour of one core. Small batches, as many more are
# then shown in that time.
LAPTOP = Plan(
    recipe="diversity-28",
    exemplars="simclr@omniglot-critic",
    images=32,
    steps=5000,
    epoch=1000,
    rate=1e-3,
    clip=5.0,
    cosine=True,
    augment="turns",
)


@dataclass(frozen=True)
class VaeStn(TrainableGenerator):
    """Trained to draw any drawing of a class when it is shown the exemplar of that class."""

    beta: float = 1.0
    """The weight of the divergence in the loss."""
    glimpses: int = 60
    """Steps of attention."""
    latent: int = 80
    """Numbers in the latent vector of each glimpse."""
    patch: int = 15
    """Pixels in width and height of what is read and written at a time."""
    memory: int = 400
    layers: Layers = "released"

    presets: ClassVar[Mapping[str, Preset]] = {
        "paper": Preset(PAPER),
        "released": Preset(PAPER, {"glimpses": 100, "beta": 2.0}),
        "table-s5": Preset(PAPER, {"layers": "table-s5"}),
        "laptop": Preset(LAPTOP, {"glimpses": 20, "patch": 9, "memory": 256, "latent": 40}),
        # About two minutes of one core, with layers of a fifth of the multiplications.
        "quick": Preset(
            replace(LAPTOP, steps=1800, epoch=450, rate=2e-3),
            {"glimpses": 12, "patch": 9, "memory": 192, "latent": 20, "layers": "narrow"},
        ),
    }

    def __post_init__(self) -> None:
        for name, least in {"beta": 0, "glimpses": 1, "latent": 1, "patch": 1, "memory": 2}.items():
            refuse_number(name, getattr(self, name), least=least)

    def make_network(self, size: int) -> Generative:
        """For drawings of that size."""
        return AttentionVae(
            AttentionSizes(
                size=size,
                patch=self.patch,
                latent=self.latent,
                memory=self.memory,
                glimpses=self.glimpses,
                layers=self.layers,
            )
        )

    def drawing_weights(self, network: Generative) -> dict[str, Tensor]:
        """All but what reads other drawings."""
        reading = ("mean.", "log_variance.", "both.")
        return {name: value for name, value in network.storable().items() if not name.startswith(reading)}

    def losses(self, network: Generative, shown: Shown, plan: Plan, *, step: int | None) -> Terms:
        """Minus the bound on the likelihood of Bernoulli pixels; on val, beta is 1."""
        assert isinstance(network, AttentionVae)
        assert isinstance(shown, Pairs)
        logits, divergences = network(shown.wanted, shown.given)
        reconstruction, divergence = bernoulli_loss(logits, shown.wanted).mean(), divergences.mean()
        beta = 1.0 if step is None else self.beta
        return {"loss": reconstruction + beta * divergence, "reconstruction": reconstruction, "divergence": divergence}
