"""What each batch of a generator's training shows, from (seed, batch) alone: pairs of drawings, or sets of them."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import affine_grid, grid_sample

from fairshot.learners.training.augmentation import augment
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source

Pairing = Literal["prototype-sample", "sample-sample", "sample-prototype"]
TURNED = 0.8  # share of sets that are turned, as with the published context of 5: four copies beside the original
Ids = Int[np.ndarray, "..."]


@dataclass(frozen=True)
class Pairs:
    """What a batch shows: what is given to the generator, and what it should have drawn."""

    given: Float[Tensor, "image 1 size size"]
    wanted: Float[Tensor, "image 1 size size"]


@dataclass(frozen=True)
class DrawingSets:
    """What a batch shows: sets of drawings of one class each."""

    drawings: Float[Tensor, "set drawing 1 size size"]


Shown = Pairs | DrawingSets


@dataclass(frozen=True, eq=False)
class Material:
    """What lessons are drawn from."""

    source: Source
    plan: Plan
    seed: int
    exemplars: Int[np.ndarray, " class"] | None = None
    """The image that stands for each class, in the order of classes."""
    plain: bool = False
    """Whether drawings are shown as they are, as on val."""

    def images(self, image_ids: Ids) -> Float[Tensor, "image 1 size size"]:
        """Drawings as a network reads them."""
        return torch.from_numpy(np.array(self.source.recipe.scale(self.source.store[image_ids.ravel()])))

    def generator(self, batch: int) -> torch.Generator:
        """The randomness of one batch, but for who is shown."""
        return torch.Generator().manual_seed(int(Stream(self.seed, "lesson", batch).integers(1 << 48, 1)[0]))


class Lessons(ABC):
    """The batches of one training."""

    @abstractmethod
    def show(self, batch: int) -> Shown:
        """What the batch of that number shows."""

    @property
    @abstractmethod
    def round(self) -> int:
        """Batches after which everything was shown once."""


@dataclass(eq=False)
class PairLessons(Lessons):
    """Two drawings of one class; every drawing is shown once a round."""

    material: Material
    pairing: Pairing

    @property
    def round(self) -> int:
        """As many batches as can be filled."""
        return max(1, len(self.material.source) // self.material.plan.images)

    def show(self, batch: int) -> Pairs:
        """Drawings in random order, each with the exemplar of its class or with another drawing of it."""
        material, source = self.material, self.material.source
        size = min(material.plan.images, len(source))
        order = Stream(material.seed, "round", batch // self.round).permutations(np.array([len(source)]))[0]
        rows = order[batch % self.round * size :][:size]
        numbers = np.searchsorted(source.classes, source.class_ids[rows])
        drawings = source.image_ids[rows]
        if self.pairing == "sample-sample":
            given, wanted = self._others(rows, numbers, batch), drawings
        else:
            assert material.exemplars is not None
            exemplars = material.exemplars[numbers]
            given, wanted = (exemplars, drawings) if self.pairing == "prototype-sample" else (drawings, exemplars)
        both = torch.cat([material.images(given), material.images(wanted)], 1)
        if not material.plain:
            both = augment(both, material.plan.augment, material.generator(batch))
        return Pairs(both[:, :1], both[:, 1:])

    def _others(self, rows: Ids, numbers: Ids, batch: int) -> Ids:
        """For each drawing any other one of its class."""
        members = self.material.source.members
        counts, starts = members.counts[numbers], members.starts[numbers]
        if counts.min() < 2:
            raise FairshotError("a pair of drawings needs classes of two or more: choose another pairing")
        places = np.empty(len(self.material.source), dtype=np.int64)
        places[np.argsort(self.material.source.class_ids, kind="stable")] = np.arange(len(places))
        further = 1 + Stream(self.material.seed, "others", batch).integers(counts - 1, len(counts))
        return members.image_ids[starts + (places[rows] - starts + further) % counts]


@dataclass(eq=False)
class SetLessons(Lessons):
    """Sets of drawings of one class, most of them mirrored and turned as a whole.

    As published (`decouple` off), the drawings of a class are cut into as many sets as there are, each shown as often
    as it has drawings: once as it is, then mirrored and turned once more each time. So the size of a set decides how
    many there are and how many are turned. Decoupled, every class has one set a round, and four of five are turned.
    """

    material: Material
    context: int
    decouple: bool = True
    _round: tuple[int, Ids, Ids] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        counts = self.material.source.members.counts
        if counts.min() < self.context:
            raise FairshotError(
                f"sets of {self.context} drawings need classes of as many, and the smallest of "
                f"{self.material.source.name} has {counts.min()}: lower context"
            )

    @property
    def copies(self) -> int:
        """How often each set is shown in a round."""
        return 1 if self.decouple or self.material.plain else self.context

    @property
    def round(self) -> int:
        """As many batches as can be filled."""
        return max(1, self._sets_in_round // self.material.plan.images)

    @property
    def _sets_in_round(self) -> int:
        counts = self.material.source.members.counts
        return len(counts) if self.decouple else int((counts // self.context).sum()) * self.copies

    def show(self, batch: int) -> DrawingSets:
        """The sets of a batch."""
        sets, turns = self._sets(batch // self.round)
        size = min(self.material.plan.images, len(sets))
        rows = slice(batch % self.round * size, (batch % self.round + 1) * size)
        chosen, often = sets[rows], turns[rows]
        images = self.material.images(chosen)
        drawings = images.view(*chosen.shape, *images.shape[1:])
        if self.material.plain:
            return DrawingSets(drawings)
        return DrawingSets(turn_sets(drawings, torch.from_numpy(often), self.material.generator(batch)))

    def _sets(self, number: int) -> tuple[Ids, Ids]:
        """All sets of a round in the order in which they are shown, and how often each is mirrored and turned."""
        if self._round is None or self._round[0] != number:
            self._round = number, *self._draw_round(Stream(self.material.seed, "sets", number))
        return self._round[1], self._round[2]

    def _draw_round(self, stream: Stream) -> tuple[Ids, Ids]:
        members = self.material.source.members
        drawn = stream.permutations(members.counts)  # what exceeds the size of a class comes last
        parts = np.ones_like(members.counts) if self.decouple else members.counts // self.context
        sets = [
            members.image_ids[members.starts[c] + drawn[c, part * self.context : (part + 1) * self.context]]
            for c, count in enumerate(parts)
            for part in range(count)
        ]
        every = np.repeat(np.stack(sets), self.copies, axis=0)
        turns = np.tile(np.arange(self.copies), len(sets))
        if self.decouple:
            turns = (stream.child("turned").uniform(len(sets)) < TURNED).astype(np.int64)
        order = stream.child("order").permutations(np.array([len(every)]))[0]
        return every[order], turns[order]


def turn_sets(
    drawings: Float[Tensor, "set drawing 1 size size"], often: Int[Tensor, " set"], generator: torch.Generator
) -> Float[Tensor, "set drawing 1 size size"]:
    """All drawings of a set mirrored and turned by any angle alike, so often; resampled once."""
    count = len(drawings)
    if not count or not int(often.max()):
        return drawings
    maps = torch.eye(2).repeat(count, 1, 1)
    for number in range(int(often.max())):
        mirrored = 1 - 2 * (torch.rand(count, 2, generator=generator) < 0.5).float()
        angle = 2 * math.pi * torch.rand(count, generator=generator)
        turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], 1).view(-1, 2, 2)
        maps = torch.where((often > number)[:, None, None], maps @ torch.diag_embed(mirrored) @ turn, maps)
    where = torch.cat([maps, torch.zeros(count, 2, 1)], 2)
    grid = affine_grid(where, [count, 1, *drawings.shape[3:]], align_corners=False)
    # A set is one image with a channel for each drawing; what comes in from outside is paper.
    turned = grid_sample(drawings[:, :, 0], grid, align_corners=False)[:, :, None]
    return torch.where((often > 0)[:, None, None, None, None], turned, drawings)
