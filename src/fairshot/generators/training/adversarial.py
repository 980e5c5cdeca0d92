"""Two networks trained against one another by Wasserstein's distance with a penalty (Gulrajani et al. 2017)."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from fairshot.generators.networks.dagan import Dagan, DaganSizes
from fairshot.generators.networks.generative import Generative, Images
from fairshot.generators.training.lessons import Lessons, Material, Pairing, PairLessons, Pairs, Shown
from fairshot.generators.training.trainable import Terms, TrainableGenerator, refuse_number
from fairshot.learners.training.checkpoint import Optimizers
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError

PENALTY, LITTLE = 10.0, 1e-12  # the weight of the penalty; what keeps the root away from zero
BETAS = (0.0, 0.9)  # of Adam, for both networks


@dataclass(frozen=True)
class Adversarial(TrainableGenerator):
    """The training that both kinds of DA-GAN share: so many steps of the critic, then one of the network that draws."""

    latent: int = 128
    """Numbers of noise that a drawing is made of."""
    pairing: Pairing = "prototype-sample"
    """What is given and what is wanted: the exemplar of a class and any drawing of it, as the paper says; two drawings
    of a class, as DA-GAN did first; or any drawing and the exemplar, as the released code does."""
    width: int = 64
    """Channels of the first two levels."""
    layers: int = 2
    """Inner layers of each block of the network that draws."""
    critic_layers: int = 5
    """Inner layers of each block of the critic."""
    critic_steps: int = 5
    dropout: float = 0.5
    """Share of numbers left out in training at the end of each block of both networks."""

    skips: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in ("latent", "width", "layers", "critic_layers", "critic_steps"):
            refuse_number(name, getattr(self, name), least=1)
        if not 0 <= self.dropout < 1:
            raise FairshotError(f"dropout of a generator is {self.dropout}: it must be from 0 to below 1")

    def make_lessons(self, material: Material) -> Lessons:
        """Pairs of drawings."""
        return PairLessons(material, self.pairing)

    @property
    def needs_exemplars(self) -> bool:
        """Unless any two drawings are a pair."""
        return self.pairing != "sample-sample"

    @property
    def batches(self) -> int:
        """A batch for every step of the critic; the last one serves the network that draws as well."""
        return self.critic_steps

    @property
    def judges_val(self) -> bool:
        """A critic that gets better makes the loss worse: it says nothing of snapshots."""
        return False

    def make_network(self, size: int) -> Generative:
        """For drawings of that size."""
        return Dagan(
            DaganSizes(
                size=size,
                latent=self.latent,
                width=self.width,
                layers=self.layers,
                critic_layers=self.critic_layers,
                dropout=self.dropout,
                skips=self.skips,
            )
        )

    def make_optimizers(self, network: Generative, plan: Plan) -> Optimizers:
        """One for each network."""
        assert isinstance(network, Dagan)
        return {
            name: torch.optim.Adam(part.parameters(), lr=plan.rate, betas=BETAS, fused=True)
            for name, part in {"optimizer": network.drawer, "critic_optimizer": network.critic}.items()
        }

    def drawing_weights(self, network: Generative) -> dict[str, Tensor]:
        """Without the critic."""
        assert isinstance(network, Dagan)
        return network.drawing_weights()

    def losses(self, network: Generative, shown: Shown, plan: Plan, *, step: int | None) -> Terms:
        """What the network that draws lowers: minus the critic's score of what it draws."""
        assert isinstance(network, Dagan)
        assert isinstance(shown, Pairs)
        drawn = network.draw(shown.given, torch.randn(len(shown.given), network.noise))
        return {"loss": -network.critic(shown.given, drawn).mean()}

    def critic_losses(self, network: Dagan, shown: Pairs) -> Terms:
        """What the critic lowers: the score of drawn pairs less that of true ones, and the penalty."""
        with torch.no_grad():
            drawn = network.draw(shown.given, torch.randn(len(shown.given), network.noise))
        distance = network.critic(shown.given, shown.wanted).mean() - network.critic(shown.given, drawn).mean()
        share = torch.rand(len(drawn), 1, 1, 1)
        between = share * shown.wanted + (1 - share) * drawn
        penalty = gradient_penalty(network, shown.given, between)
        return {"critic": PENALTY * penalty - distance, "distance": distance, "penalty": penalty}

    def advance(
        self, network: Generative, shown: list[Shown], optimizers: Optimizers, plan: Plan, *, step: int
    ) -> Terms:
        """The critic's steps, then one of the network that draws, for which the critic stands still."""
        assert isinstance(network, Dagan)
        for pairs in shown:
            assert isinstance(pairs, Pairs)
            terms = self.critic_losses(network, pairs)
            optimizers["critic_optimizer"].zero_grad(set_to_none=True)
            terms["critic"].backward()  # type: ignore[no-untyped-call]
            optimizers["critic_optimizer"].step()
        network.critic.requires_grad_(False)
        own = self.losses(network, shown[-1], plan, step=step)
        optimizers["optimizer"].zero_grad(set_to_none=True)
        own["loss"].backward()  # type: ignore[no-untyped-call]
        optimizers["optimizer"].step()
        network.critic.requires_grad_(True)
        return {**own, "distance": terms["distance"], "penalty": terms["penalty"]}


def gradient_penalty(network: Dagan, given: Images, between: Images) -> Float[Tensor, ""]:
    """How far the critic's slope along the second drawing of a pair is from 1, squared, on average."""
    between = between.detach().requires_grad_()
    scores = network.critic(given, between).sum()
    (slopes,) = torch.autograd.grad(scores, between, create_graph=True)
    return ((slopes.flatten(1).square().sum(1) + LITTLE).sqrt() - 1).square().mean()
