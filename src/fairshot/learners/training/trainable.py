"""A classifier whose network can be trained: what it learns beside the network, its loss, and its presets."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from fairshot.learners.layers.layer import Tasks
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.networks.network import Network
from fairshot.learners.portions import PIXELS, portions
from fairshot.learners.training.plan import USUAL, Plan, Statistics
from fairshot.learners.training.storable import Storable
from fairshot.runtime.errors import unknown
from fairshot.tasks.episodes import PAD

if TYPE_CHECKING:
    from fairshot.learners.fitted import Fitted
    from fairshot.learners.training.loop import Reports
    from fairshot.sources.source import Source

Head = Mapping[str, Tensor]


class Model(Storable):
    """All that training changes: the network, and what a learner learns beside it, by name."""

    def __init__(self, network: Network, head: Head, statistics: Statistics = "running") -> None:
        super().__init__()
        self.network = network
        self.head = nn.ParameterDict(dict(head))
        self.statistics = statistics

    @property
    def learned(self) -> Head:
        """What a learner learned beside the network."""
        return dict(self.head.items())

    def embed_tasks(self, batch: TaskBatch) -> TaskBatch:
        """Tasks of images as tasks of vectors; in portions where nothing is learned and no image heeds the batch."""
        if self.statistics != "support" or torch.is_grad_enabled():
            return self._embed(batch)
        embedded = [[self._embed(piece) for piece in pieces] for pieces in portions(batch, PIXELS)]
        support = torch.cat([pieces[0].support for pieces in embedded])
        query = torch.cat([torch.cat([piece.query for piece in pieces], 1) for pieces in embedded])
        return replace(batch, support=support, query=query)

    def _embed(self, batch: TaskBatch) -> TaskBatch:
        episodes, support = batch.support_labels.shape
        images = torch.cat([batch.support, batch.query], 1)
        known = torch.cat([batch.support_labels != PAD, torch.zeros_like(batch.query_mask)], 1)
        real = known | torch.cat([torch.zeros_like(batch.support_labels, dtype=torch.bool), batch.query_mask], 1)
        if self.statistics == "support":
            vectors = self.network(images.flatten(0, 1), Tasks(known)).unflatten(0, (episodes, -1))
        elif bool(real.all()):
            vectors = self.network(images.flatten(0, 1), None).unflatten(0, (episodes, -1))
        else:  # padding must not be among what batch norm sees
            shown = self.network(images[real], None)
            vectors = shown.new_zeros(*real.shape, shown.shape[1]).masked_scatter(real[:, :, None], shown)
        return replace(batch, support=vectors[:, :support], query=vectors[:, support:])


@dataclass(frozen=True)
class Lesson:
    """What one step of training shows: episodes with their truth, or images with labels of all base classes."""

    step: int
    tasks: TaskBatch | None = None
    query_labels: Int[Tensor, "episode query"] | None = None
    images: Float[Tensor, "image ..."] | None = None
    labels: Int[Tensor, " image"] | None = None


@dataclass(frozen=True)
class Loss:
    """What a step tries to lower, and the share of right answers in it."""

    value: Float[Tensor, ""]
    accuracy: float


class Trainable(Classifier):
    """A classifier on a network's vectors. A frozen dataclass; what it learns stands in `Head`, not in its fields."""

    reads: ClassVar[Literal["images", "features", "both"]] = "images"
    presets: ClassVar[Mapping[str, Plan]] = {"laptop": USUAL}
    """Plans by name; learners of fairshot have `paper` and `laptop`, those of somebody's own a usual `laptop`."""

    @classmethod
    def plan(cls, preset: str) -> Plan:
        """The plan of that name."""
        if preset not in cls.presets:
            raise unknown(f"preset of {cls.__name__.lower()}", preset, cls.presets)
        return cls.presets[preset]

    def lesson(self, plan: Plan, step: int) -> Literal["episodes", "labels"]:
        """What a step is about."""
        return "episodes"

    def start(self, width: int, classes: int) -> Head:
        """What is learned beside the network, before training: given the vector's width and the base classes."""
        return {}

    @abstractmethod
    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """The answers on vectors."""

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The answers on vectors before anything was learned."""
        return self.logits(batch, self.start(batch.vectors[0].shape[2], batch.width))

    def embed_with(self, model: Model, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """What can be done for an image without knowing its episode; with support statistics that is nothing."""
        return images if model.statistics == "support" else model.network.embed(images)

    def answer(self, model: Model, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """The answers on what `embed_with` gave."""
        return self.logits(model.embed_tasks(batch) if model.statistics == "support" else batch, model.learned)

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of answers to episodes."""
        batch, labels = embedded(model, lesson, plan)
        return judged(self.logits(batch, model.learned).flatten(0, 1), labels.flatten(), plan)

    def refuse_way(self, model: Model, way: int) -> str | None:
        """Why episodes of that way cannot be served by what was learned; None if they can."""
        return None

    def fit(
        self,
        base: "Source",
        val: "Source | None" = None,
        *,
        plan: "Plan | str" = "laptop",
        seed: int = 0,
        out: "str | Path | None" = None,
        reports: "Reports | None" = None,
    ) -> "Fitted":
        """A trained copy; with `out` it is kept there, and goes on from there if it was interrupted."""
        from fairshot.learners.training.loop import train

        return train(self, base, val, plan=plan, seed=seed, out=out, reports=reports)


def embedded(model: Model, lesson: Lesson, plan: Plan) -> tuple[TaskBatch, Int[Tensor, "episode query"]]:
    """The episodes of a lesson as vectors, with the truth; each image is support in turn, where the plan says so."""
    assert lesson.tasks is not None
    assert lesson.query_labels is not None
    batch = model.embed_tasks(lesson.tasks)
    return in_turn(batch, lesson.query_labels, plan.shot) if plan.in_turn else (batch, lesson.query_labels)


def in_turn(
    batch: TaskBatch, query_labels: Int[Tensor, "episode query"], shot: int
) -> tuple[TaskBatch, Int[Tensor, "turn other_query"]]:
    """Episodes of the same vectors in which other images of each class are the support, all others being queries.

    Every episode has as many images of each class, in any order.
    """
    vectors = torch.cat([batch.support, batch.query], 1)
    order = torch.cat([batch.support_labels, query_labels], 1).argsort(dim=1, stable=True)
    sorted_ = vectors.gather(1, order[:, :, None].expand_as(vectors))
    by_class = sorted_.view(len(sorted_), batch.width, -1, sorted_.shape[2])
    turns = by_class.shape[2] // shot
    places = [torch.arange(by_class.shape[2]).roll(-turn * shot) for turn in range(turns)]
    turned = torch.cat([by_class[:, :, place] for place in places])
    support, query = turned[:, :, :shot].flatten(1, 2), turned[:, :, shot:].flatten(1, 2)
    labels = torch.arange(batch.width).expand(len(turned), -1)
    asked = labels.repeat_interleave(by_class.shape[2] - shot, 1)
    mask, way = torch.ones_like(asked, dtype=torch.bool), batch.way.repeat(turns)
    return TaskBatch(
        support=support,
        support_labels=labels.repeat_interleave(shot, 1),
        query=query,
        query_mask=mask,
        way=way,
        width=batch.width,
    ), asked


def judged(logits: Float[Tensor, "query way"], labels: Int[Tensor, " query"], plan: Plan) -> Loss:
    """Cross-entropy of answers whose truth is known; padded queries count for nothing."""
    value = cross_entropy(logits, labels, ignore_index=PAD, label_smoothing=plan.smoothing)
    asked = labels != PAD
    right = (logits.detach().argmax(1) == labels) & asked
    return Loss(value, float(right.sum()) / max(1, int(asked.sum())))
