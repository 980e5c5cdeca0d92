"""DA-GAN-RN: draws after an exemplar that reaches its decoder through the smallest map alone (Antoniou et al. 2017).

As in Boutin et al. 2022: 6,149,153 parameters draw, fewer than those of DA-GAN-UN, contrary to the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from fairshot.generators.training.adversarial import Adversarial
from fairshot.generators.training.trainable import Preset
from fairshot.learners.training.plan import Plan

# 29,460 images in batches of 32 are 920 an epoch, of which there are 30; a step takes 5 batches.
PAPER = Plan(recipe="diversity-grey", exemplars="simclr@omniglot-critic", images=32, steps=5520, epoch=184, rate=1e-4)
# 28 pixels, a quarter of the channels and two inner layers in the critic: a quarter of an hour of one core. The critic
# has fewer steps and both networks a higher rate, as there are so few steps in all.
LAPTOP = replace(PAPER, recipe="diversity-grey-28", images=16, steps=1500, epoch=300, rate=5e-4, augment="turns")


@dataclass(frozen=True)
class DaganRn(Adversarial):
    """No skips from encoder to decoder."""

    skips = False
    presets: ClassVar[Mapping[str, Preset]] = {
        "paper": Preset(PAPER),
        "released": Preset(PAPER, {"pairing": "sample-prototype"}),
        "laptop": Preset(LAPTOP, {"width": 16, "critic_layers": 2, "critic_steps": 2}),
        # About two minutes of one core: with a critic's step for each of the other network, twice as many are done.
        "quick": Preset(
            replace(LAPTOP, steps=1000, epoch=250, rate=1e-3),
            {"width": 8, "layers": 1, "critic_layers": 1, "critic_steps": 1},
        ),
    }
