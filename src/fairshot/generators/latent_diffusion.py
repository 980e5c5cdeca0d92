"""Latent diffusion: noise becomes the code of a drawing, led by the exemplar's code (Rombach et al., CVPR 2022).

After Boutin et al. 2024, "Latent representation matters": the autoencoder's codes are left as they are (`plain`),
pulled to the exemplar's (`prototype`), or made to say the same of two drawings of a class in numbers that have nothing
to do with each other (`barlow`). Sizes and weights are ours: small enough for one core.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.generators.networks.code_diffusion import CodeDiffusion, DiffusionSizes
from fairshot.generators.networks.generative import Generative, Vectors, bernoulli_loss
from fairshot.generators.training.lessons import Pairs, Shown
from fairshot.generators.training.trainable import Preset, Terms, TrainableGenerator, refuse_number
from fairshot.learners.training.checkpoint import Optimizers
from fairshot.learners.training.loop import make_optimizer
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.resumable import limit_gradients
from fairshot.runtime.errors import FairshotError

Regulariser = Literal["plain", "prototype", "barlow"]
OFF_DIAGONAL = 0.005  # what correlations of different numbers count beside those of the same one (Zbontar et al. 2021)
ALONE = 0.1  # share of drawings that the denoiser learns without their exemplar, for guidance
BLUR = 0.2  # noise on codes when drawings are learned from them: codes that are nearly alike then give drawings alike

PAPER = Plan(
    recipe="diversity",
    exemplars="simclr@omniglot-critic",
    images=128,
    steps=200_000,
    epoch=5000,
    rate=1e-3,
    clip=1.0,
    cosine=True,
    augment="turns",
)
# 28 pixels: a quarter of an hour of one core.
LAPTOP = replace(PAPER, recipe="diversity-28", steps=10_000, epoch=2000)
SMALL = {"code": 64, "channels": 16, "width": 240}  # as large as may come with the package


@dataclass(frozen=True)
class LatentDiffusion(TrainableGenerator):
    """The autoencoder is trained first and then left as it is, while the denoiser is trained on its codes."""

    regulariser: Regulariser = "prototype"
    strength: float = 1.0
    """The weight of the regulariser."""
    guidance: float = 4.0
    """How much the exemplar leads, when drawing: 1 as much as in training; it can be changed after training.

    Of 1, 2, 3, 4 and 6, the usual one drew nearest to people on val, after the preset quick."""
    sampling_steps: int = 30
    """Steps from noise to a code, when drawing; they can be changed after training."""
    code: int = 96
    """Numbers in a code."""
    channels: int = 32
    """Of the first convolution of the autoencoder."""
    width: int = 512
    """Of the denoiser's layers."""
    blocks: int = 3
    """Pairs of layers of the denoiser."""
    autoencoding: float = 0.3
    """The share of all steps that train the autoencoder."""

    sampling: ClassVar[tuple[str, ...]] = ("guidance", "sampling_steps")
    presets: ClassVar[Mapping[str, Preset]] = {
        "paper": Preset(PAPER, {"code": 128}),
        "laptop": Preset(LAPTOP),
        "small": Preset(replace(LAPTOP, steps=60_000, epoch=3000), SMALL),
        "quick": Preset(replace(LAPTOP, steps=8000, epoch=800, rate=2e-3), SMALL),
    }

    def __post_init__(self) -> None:
        for name in ("sampling_steps", "code", "channels", "width", "blocks"):
            refuse_number(name, getattr(self, name), least=1)
        for name in ("strength", "guidance"):
            refuse_number(name, getattr(self, name), least=0)
        if not 0 < self.autoencoding < 1:
            raise FairshotError(f"autoencoding of a generator is {self.autoencoding}: it must be between 0 and 1")

    def make_network(self, size: int) -> Generative:
        """For drawings of that size."""
        return CodeDiffusion(
            DiffusionSizes(
                size=size,
                code=self.code,
                channels=self.channels,
                width=self.width,
                blocks=self.blocks,
                guidance=self.guidance,
                steps=self.sampling_steps,
            )
        )

    def first_choice(self, plan: Plan) -> int:
        """The steps of the autoencoder: a snapshot with an untrained denoiser is never chosen."""
        return min(max(1, round(self.autoencoding * plan.steps)), plan.steps - 1)

    def rate_at(self, plan: Plan, step: int) -> float:
        """Each of the two trainings has the plan's schedule for itself."""
        first = self.first_choice(plan)
        if step < first:
            return replace(plan, steps=first).rate_at(step)
        return replace(plan, steps=plan.steps - first).rate_at(step - first)

    def make_optimizers(self, network: Generative, plan: Plan) -> Optimizers:
        """One for each of the two trainings."""
        assert isinstance(network, CodeDiffusion)
        parts = {"autoencoder": network.autoencoder, "denoiser": network.denoiser}
        return {name: make_optimizer(plan, list(part.parameters()), fused=True) for name, part in parts.items()}

    def advance(
        self, network: Generative, shown: list[Shown], optimizers: Optimizers, plan: Plan, *, step: int
    ) -> Terms:
        """One step of the autoencoder or of the denoiser."""
        terms = self.losses(network, shown[0], plan, step=step)
        for optimizer in optimizers.values():
            optimizer.zero_grad(set_to_none=True)
        terms["loss"].backward()  # type: ignore[no-untyped-call]
        limit_gradients(network, plan)
        optimizers["autoencoder" if step < self.first_choice(plan) else "denoiser"].step()
        return terms

    def losses(self, network: Generative, shown: Shown, plan: Plan, *, step: int | None) -> Terms:
        """Of the autoencoder, then of the denoiser; on val what the denoiser loses, with the other losses beside it."""
        assert isinstance(network, CodeDiffusion)
        assert isinstance(shown, Pairs)
        if step is not None and step < self.first_choice(plan):
            return self._autoencoder_losses(network, shown, blur=BLUR)
        network.autoencoder.eval()
        with torch.no_grad():
            exemplar_codes, codes = map(network.autoencoder.encode, (shown.given, shown.wanted))
        denoising = denoising_loss(network, codes, exemplar_codes, alone=0.0 if step is None else ALONE)
        beside = self._autoencoder_losses(network, shown, blur=0.0) if step is None else {}
        return {**beside, "loss": denoising, "denoising": denoising}

    def _autoencoder_losses(self, network: CodeDiffusion, shown: Pairs, *, blur: float) -> Terms:
        autoencoder, count = network.autoencoder, len(shown.wanted)
        exemplar_codes, codes = torch.split(autoencoder.encode(torch.cat([shown.given, shown.wanted])), count)
        logits = autoencoder.decode(codes + blur * torch.randn_like(codes))
        reconstruction = bernoulli_loss(logits, shown.wanted).mean()
        regularisation = REGULARISERS[self.regulariser](exemplar_codes, codes)
        loss = reconstruction + self.strength * regularisation
        return {"loss": loss, "reconstruction": reconstruction, "regularisation": regularisation}


def denoising_loss(
    network: CodeDiffusion, codes: Vectors, exemplar_codes: Vectors, *, alone: float
) -> Float[Tensor, ""]:
    """The mean squared error of the velocity at random angles, with random noise."""
    angles = math.pi / 2 * torch.rand(len(codes))
    noise = torch.randn_like(codes)
    cosines, sines = angles.cos()[:, None], angles.sin()[:, None]
    hidden = torch.rand(len(codes)) < alone
    velocity = network.denoiser(cosines * codes + sines * noise, angles, exemplar_codes, hidden)
    return (velocity - (cosines * noise - sines * codes)).square().mean()


def no_loss(exemplar_codes: Vectors, codes: Vectors) -> Float[Tensor, ""]:
    """Codes are left as they are."""
    return codes.new_zeros(())


def prototype_loss(exemplar_codes: Vectors, codes: Vectors) -> Float[Tensor, ""]:
    """The squared distance of a drawing's code from its exemplar's."""
    return (codes - exemplar_codes).square().sum(1).mean()


def barlow_loss(exemplar_codes: Vectors, codes: Vectors) -> Float[Tensor, ""]:
    """How far the correlations between the codes of two drawings of a class are from the identity matrix."""
    one, other = (standardise(vectors) for vectors in (exemplar_codes, codes))
    correlations = one.T @ other / len(codes)
    same = torch.eye(len(correlations), dtype=torch.bool)
    return (correlations[same] - 1).square().sum() + OFF_DIAGONAL * correlations[~same].square().sum()


def standardise(vectors: Vectors) -> Vectors:
    """Each number with mean 0 and variance 1 over the batch."""
    return (vectors - vectors.mean(0)) / vectors.var(0, correction=0).add(1e-6).sqrt()


REGULARISERS = {"plain": no_loss, "prototype": prototype_loss, "barlow": barlow_loss}
