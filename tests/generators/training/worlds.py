"""A small world of drawings, and generators that are trained on it in a second."""

import math

import numpy as np
import torch

from fairshot.generators.dagan_rn import DaganRn
from fairshot.generators.dagan_un import DaganUn
from fairshot.generators.latent_diffusion import LatentDiffusion
from fairshot.generators.neural_statistician import NeuralStatistician
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.generators.vae_stn import VaeStn
from fairshot.generators.warp_editor import WarpEditor
from fairshot.learners.training.plan import Plan
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source

SIZE = 16
PLAN = Plan(images=4, steps=7, epoch=3, rate=1e-3, exemplars="random", clip=5.0)
SMALL_GAN = {"width": 2, "layers": 1, "critic_layers": 1, "critic_steps": 2, "latent": 3}
GENERATORS: dict[str, TrainableGenerator] = {
    "vae_stn": VaeStn(glimpses=2, patch=3, memory=8, latent=2),
    "neural_statistician": NeuralStatistician(width=2, hidden=4, context_vector=4, latent=2, context=2),
    "dagan_un": DaganUn(**SMALL_GAN),
    "dagan_rn": DaganRn(**SMALL_GAN, pairing="sample-sample"),
    "latent_diffusion": LatentDiffusion(code=3, channels=2, width=6, blocks=1, sampling_steps=3, autoencoding=0.5),
    "warp_editor": WarpEditor(channels=2, latent=2, points=4),
}


def world(classes: int = 10, images: int = 6) -> Source:
    """Each class a pattern of strokes whose pixels flip now and then; ink is light."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(classes), images)
    patterns = rng.random((classes, SIZE, SIZE)) < 0.2
    drawn = patterns[labels] ^ (rng.random((len(labels), SIZE, SIZE)) < 0.05)
    return from_arrays(drawn.astype(np.uint8) * 255, labels, name="patterns")


def base() -> Source:
    return world().select_classes(np.arange(7), name="patterns/base")


def val() -> Source:
    return world().select_classes(np.arange(7, 10), name="patterns/val")


def bernoulli(logits: torch.Tensor, image: torch.Tensor) -> float:
    """Minus the logarithm of the likelihood, pixel by pixel."""
    total = 0.0
    for logit, ink in zip(logits.flatten().tolist(), image.flatten().tolist(), strict=True):
        chance = 1 / (1 + math.exp(-logit))
        total -= math.log(chance if ink == 1 else 1 - chance)
    return total
