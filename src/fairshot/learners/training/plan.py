"""A Plan: how a learner is trained, by name (`paper`: as published; `laptop`: minutes on two cores) or by hand."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from fairshot.runtime.errors import FairshotError

Statistics = Literal["running", "support"]
METAOPTNET = ((20 / 60, 0.06), (40 / 60, 0.012), (50 / 60, 0.0024))
"""How the rate falls in Lee et al. 2019: what it is multiplied by from epochs 20, 40 and 50 of 60 on."""
COUNTS = ("way", "shot", "query", "tasks", "images", "steps", "epoch", "val_episodes", "val_way", "val_shot")
AMOUNTS = (
    *("rate", "weight_decay", "clip", "clamp", "fixed_tasks", "fixed_support", "supervised", "halve_every", "plateau"),
    "patience",
)
SHARES = ("momentum", "smoothing")


@dataclass(frozen=True)
class Plan:
    """Network, batches, optimiser and length of a training; every field is part of the record."""

    network: str = "conv4"
    recipe: str | None = None
    """Preprocessing, where the split's own is not wanted."""
    begin: str = ""
    """Weights that the network begins with, such as prototypes@omniglot-lake or a run's folder; else random ones."""
    parts: Literal["base", "base+val"] = "base"
    """What is trained on; with val there is nothing left to choose a snapshot on."""
    way: int = 5
    shot: int = 5
    query: int = 15
    tasks: int = 1
    """Episodes a step."""
    within: bool = False
    """All classes of an episode are of one parent."""
    shared: bool = False
    """All episodes of a step have the same classes."""
    in_turn: bool = False
    """Every image of a class is its support once, the others its queries: more to learn from the same vectors."""
    task: str = ""
    """What episodes are drawn from, in the words of an evaluation: per-attribute:way=0; empty: any classes together."""
    fixed_tasks: int = 0
    """So many episodes, each with one support and one set of queries, again and again; 0: always fresh ones."""
    fixed_support: int = 0
    """FIX-ML: the support of a class comes from so many fixed images of it; 0: from all."""
    exemplars: str = ""
    """The support of a class is one image that never changes: nearest to the mean in the features of these weights
    (simclr@omniglot-critic, a run's folder), or any one (random); empty: other images in every episode."""
    images: int = 128
    """Images a step where labels of all base classes are learned."""
    steps: int = 10_000
    epoch: int = 100
    """Steps between two snapshots, each of which is tried on val."""
    supervised: int = 0
    """Meta-Baseline: so many of the steps learn labels of all base classes, the others episodes."""
    optimizer: Literal["sgd", "adam", "rmsprop"] = "adam"
    rate: float = 1e-3
    momentum: float = 0.9
    nesterov: bool = False
    weight_decay: float = 0.0
    clip: float = 0.0
    """Gradients longer than this, all parameters together, are shortened to it; 0: none are."""
    clamp: float = 0.0
    """Each number of the gradient is cut off at this size; 0: none is."""
    factors: tuple[tuple[float, float], ...] = ()
    """From a share of the steps on, what the rate is multiplied by."""
    halve_every: int = 0
    """Steps after which the rate is halved, again and again."""
    plateau: int = 0
    """Generators: epochs in a row without a lower loss on val after which the rate is halved; 0: it never is."""
    cosine: bool = False
    """The rate falls to zero as half a wave."""
    smoothing: float = 0.0
    augment: Literal["none", "drawing", "photo", "turns"] = "none"
    statistics: Statistics = "running"
    """What batch norm uses when the learner answers: learned statistics, or those of each episode's support."""
    patience: int = 0
    """Epochs without a better val accuracy after which training ends; 0: it never does before its time."""
    val_episodes: int = 200
    val_way: int = 20
    val_shot: int = 1

    def __post_init__(self) -> None:
        self._refuse_numbers(COUNTS, lambda value: value >= 1, "at least 1")
        self._refuse_numbers(AMOUNTS, lambda value: 0 <= value < math.inf, "0 or more")
        self._refuse_numbers(SHARES, lambda value: 0 <= value < 1, "from 0 to below 1")
        if self.nesterov and not self.momentum:
            raise FairshotError("nesterov of a training is True with momentum 0: give it a momentum, such as 0.9")
        if self.shared + self.within + sum(map(bool, (self.fixed_support, self.task, self.exemplars))) > 1:
            raise FairshotError(
                "only one of task, shared, within, fixed_support and exemplars can be had at once: leave the others out"
            )
        if 0 < self.fixed_tasks < self.tasks:
            raise FairshotError(f"{self.tasks} tasks a step cannot come from {self.fixed_tasks} fixed ones: fix more")

    def _refuse_numbers(self, names: tuple[str, ...], allowed: Callable[[float], bool], range_: str) -> None:
        for name in names:
            if not allowed(getattr(self, name)):
                raise FairshotError(f"{name} of a training is {getattr(self, name)}: it must be {range_}")

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, counted from 0."""
        rate = self.rate
        for share, factor in self.factors:
            if step >= share * self.steps:
                rate = self.rate * factor
        if self.halve_every:
            rate *= 0.5 ** (step // self.halve_every)
        if self.cosine:
            rate *= 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return rate

    @property
    def epochs(self) -> int:
        """How many snapshots there will be."""
        return -(-self.steps // self.epoch)


USUAL = Plan(way=30, shot=1, query=5, steps=1100, rate=2e-3, cosine=True, augment="drawing")
"""Minutes on two cores: how a learner is trained that has no plans of its own."""

# Meta-Dataset (Triantafillou et al. 2020): its rates were searched for on ILSVRC and are not stated with the protocol.
RELEASED = Plan(
    network="resnet18",
    recipe="84-colour",
    task="by-source",
    steps=75_000,
    epoch=500,
    statistics="support",
    val_episodes=600,
)
"""Episodes of one or many sources, each by its own rule; batch norm by the support of each."""
RELEASED_LABELS = Plan(
    network="resnet18", recipe="84-colour", task="by-source", images=256, steps=75_000, epoch=500, val_episodes=600
)
"""Labels of all classes of all sources."""

# The same in minutes on two cores: smaller images, episodes and networks, and statistics that are learned, so that an
# image is embedded once; one snapshot at the end, so that none is chosen.
SMALL_EPISODES = "by-source:most_way=20/most_support=100/most_queries=5"
RELEASED_LAPTOP = Plan(
    recipe="32-colour",
    task=SMALL_EPISODES,
    steps=1500,
    epoch=1500,
    rate=1e-3,
    cosine=True,
    val_episodes=60,
)
INNER_LAPTOP = replace(RELEASED_LAPTOP, steps=500, epoch=500, clip=10.0, val_episodes=5)
"""Where each task descends."""
LABELS_LAPTOP = replace(RELEASED_LAPTOP, images=128, augment="photo")
"""Labels of all classes of all sources."""
