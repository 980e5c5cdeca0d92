"""A generator whose network can be trained: its settings, what a step shows, its loss and its presets."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar

from jaxtyping import Float
from torch import Tensor

from fairshot.generators.generator import Drawings, Exemplars, Generator
from fairshot.generators.networks.generative import Generative
from fairshot.generators.training.lessons import Lessons, Material, PairLessons, Shown
from fairshot.learners.training.checkpoint import Optimizers
from fairshot.learners.training.loop import make_optimizer
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.resumable import limit_gradients
from fairshot.runtime.errors import FairshotError, unknown

# What a plan says that means something to a generator.
PLANNED = (
    *("recipe", "parts", "exemplars", "images", "steps", "epoch", "optimizer", "rate", "momentum", "nesterov"),
    *("weight_decay", "clip", "clamp", "factors", "halve_every", "plateau", "cosine", "augment", "patience"),
)
Terms = dict[str, Float[Tensor, ""]]


@dataclass(frozen=True)
class Preset:
    """A plan by name, and the settings of the generator that go with it where they are not the published ones."""

    plan: Plan
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TrainableGenerator(Generator):
    """A frozen dataclass of settings; what is learned is in the network, which is made for images of some size."""

    presets: ClassVar[Mapping[str, Preset]] = {}
    sampling: ClassVar[tuple[str, ...]] = ()
    """Settings that say how is drawn and nothing of the weights: they can be changed after training."""

    @classmethod
    def preset(cls, name: str) -> Preset:
        """The preset of that name."""
        if name not in cls.presets:
            raise unknown(f"preset of {cls.__name__.lower()}", name, cls.presets)
        return cls.presets[name]

    def with_settings(self, settings: Mapping[str, Any]) -> "TrainableGenerator":
        """This generator with the settings of a preset, but for those that it was given itself."""
        usual = {setting.name: setting.default for setting in fields(self)}
        given = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return replace(self, **{**settings, **given})

    def rate_at(self, plan: Plan, step: int) -> float:
        """The learning rate of a step, counted from 0, as the plan says."""
        return plan.rate_at(step)

    def first_choice(self, plan: Plan) -> int:
        """How many steps are done before a snapshot can be worth choosing."""
        return 0

    @property
    def batches(self) -> int:
        """How many batches one step shows."""
        return 1

    @property
    def needs_exemplars(self) -> bool:
        """Whether one drawing of each class has to stand for it in training."""
        return True

    def make_lessons(self, material: Material) -> Lessons:
        """What steps show: the exemplar of a class, and any drawing of it that is wanted."""
        return PairLessons(material, "prototype-sample")

    @abstractmethod
    def make_network(self, size: int) -> Generative:
        """The network for drawings of so many pixels in width and height, with random weights."""

    def make_optimizers(self, network: Generative, plan: Plan) -> Optimizers:
        """One optimiser for all weights, as the plan says."""
        return {"optimizer": make_optimizer(plan, list(network.parameters()), fused=True)}

    @abstractmethod
    def losses(self, network: Generative, shown: Shown, plan: Plan, *, step: int | None) -> Terms:
        """What is lowered, under `loss`, and what it is made of; without a step, as on val."""

    def advance(
        self, network: Generative, shown: list[Shown], optimizers: Optimizers, plan: Plan, *, step: int
    ) -> Terms:
        """One step of every optimiser."""
        terms = self.losses(network, shown[0], plan, step=step)
        optimizers["optimizer"].zero_grad(set_to_none=True)
        terms["loss"].backward()  # type: ignore[no-untyped-call]
        limit_gradients(network, plan)
        optimizers["optimizer"].step()
        return terms

    @property
    def judges_val(self) -> bool:
        """Whether the loss on val says which snapshot is better."""
        return True

    def drawing_weights(self, network: Generative) -> dict[str, Tensor]:
        """The weights that are needed to draw."""
        return network.storable()

    def generate(self, exemplars: Exemplars, count: int, seed: int) -> Drawings:
        """Nothing can be drawn before training."""
        name = type(self).__name__
        raise FairshotError(
            f"{name} has to be trained before it can draw: say 'fairshot train ... --out runs/a', then name runs/a"
        )


def refuse_number(name: str, value: int | float, *, least: int) -> None:
    """Raises for a setting of a generator that is too small."""
    if not value >= least:
        raise FairshotError(f"{name} of a generator is {value}: it must be at least {least}")
