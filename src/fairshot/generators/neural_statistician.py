"""VAE-NS, the Neural Statistician: learns what sets of drawings of one class share (Edwards and Storkey, ICLR 2017).

As in Boutin et al. 2022: 7,479,623 parameters, one latent layer, and a loss in which the likelihood counts more and the
divergences less at first. `beta` multiplies both divergences, as in the released code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from fairshot.generators.networks.generative import Generative, bernoulli_loss
from fairshot.generators.networks.statistician import Statistician, StatisticianSizes, binarise_at_random
from fairshot.generators.training.lessons import DrawingSets, Lessons, Material, SetLessons, Shown
from fairshot.generators.training.trainable import Preset, Terms, TrainableGenerator, refuse_number
from fairshot.learners.training.plan import Plan

# 1473 classes with 4 sets of 5 drawings in 5 copies, in batches of 32 sets: 920 steps an epoch, 300 epochs.
PAPER = Plan(
    recipe="diversity",
    images=32,
    steps=276_000,
    epoch=920,
    rate=1e-3,
    weight_decay=1e-5,
    clamp=1.0,
    plateau=10,
)
# 28 pixels and half of the channels: a quarter of an hour of one core.
LAPTOP = replace(PAPER, recipe="diversity-28", images=16, steps=4000, epoch=800, rate=2e-3, plateau=0, cosine=True)
SMALL = {"width": 16, "hidden": 256, "context_vector": 256}


@dataclass(frozen=True)
class NeuralStatistician(TrainableGenerator):
    """Trained on sets of drawings; when it draws, the exemplar is a set of one."""

    context: int = 5
    """Drawings in a set."""
    beta: float = 1.0
    """The weight of both divergences in the loss."""
    latent: int = 16
    """Numbers in the latent vector of a drawing."""
    context_vector: int = 512
    """Numbers in the vector of a set."""
    hidden: int = 256
    width: int = 32
    """Channels of the first convolutions."""
    decouple: bool = True
    """Whether context changes nothing else: else it decides how many sets there are and how many are turned."""
    anneal: bool = True
    """Whether the likelihood begins with twice its weight, its excess halved every epoch, as in the released code."""

    presets: ClassVar[Mapping[str, Preset]] = {
        "paper": Preset(PAPER),
        "fig4-base": Preset(PAPER, {"context": 10}),
        "released": Preset(replace(PAPER, images=100, steps=88_500, epoch=295), {"decouple": False}),
        "laptop": Preset(LAPTOP, SMALL),
        # About two minutes of one core.
        "quick": Preset(
            replace(LAPTOP, steps=1100, epoch=220),
            {"width": 8, "hidden": 128, "context_vector": 128},
        ),
    }

    def __post_init__(self) -> None:
        for name in ("context", "latent", "context_vector", "hidden", "width"):
            refuse_number(name, getattr(self, name), least=1)
        refuse_number("beta", self.beta, least=0)

    def make_lessons(self, material: Material) -> Lessons:
        """Sets of drawings."""
        return SetLessons(material, self.context, decouple=self.decouple)

    @property
    def needs_exemplars(self) -> bool:
        """In training every drawing of a class is as good as another."""
        return False

    def make_network(self, size: int) -> Generative:
        """For drawings of that size."""
        return Statistician(
            StatisticianSizes(
                size=size, latent=self.latent, context=self.context_vector, hidden=self.hidden, width=self.width
            )
        )

    def losses(self, network: Generative, shown: Shown, plan: Plan, *, step: int | None) -> Terms:
        """Minus the bound for each drawing; on val with nothing but the weights of the bound itself."""
        assert isinstance(network, Statistician)
        assert isinstance(shown, DrawingSets)
        drawings = binarise_at_random(shown.drawings)
        logits, of_sets, of_drawings = network(drawings)
        count = len(logits)
        reconstruction = bernoulli_loss(logits, drawings.flatten(0, 1)).sum() / count
        of_set, of_drawing = of_sets.sum() / count, of_drawings.sum() / count
        excess = 0.5 ** (step // plan.epoch) if step is not None and self.anneal else 0.0
        beta = 1.0 if step is None else self.beta
        loss = (1 + excess) * reconstruction + beta * (of_set + of_drawing) / (1 + excess)
        return {
            "loss": loss,
            "reconstruction": reconstruction,
            "set_divergence": of_set,
            "drawing_divergence": of_drawing,
        }
