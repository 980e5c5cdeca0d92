"""Constrained Clustering Networks: a network says which pairs of images are alike, and for every task a fresh network
is trained whose clusters agree with it (Hsu et al., ICLR 2018 with KCL, ICLR 2019 with MCL).

Without a trained network, pairs are alike where vectors are near, and a linear layer on them is trained.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import ClassVar, Literal

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from fairshot.learners.learner import Clusters, TaskBatch
from fairshot.learners.solvers.centroids import in_units
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Head, Lesson, Loss, Model
from fairshot.learners.training.trainable_clusterer import TrainableClusterer
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.memory import keep_large_blocks
from fairshot.runtime.seeds import Stream
from fairshot.tasks.episodes import PAD

MARGIN = 2.0  # how far the distributions of two different images should be from each other
LEAST = 1e-7  # a probability below this counts as this

LINEAR_RATE, LINEAR_STEPS = 0.1, 60  # a linear layer on vectors learns faster than a network
CHUNK = 100  # images answered at a time
BEGINNING = Lock()

Pairs = Bool[Tensor, "image image"]
Alike = Float[Tensor, "image image"]
Shares = Float[Tensor, "image cluster"]


@dataclass(frozen=True)
class Constrained(TrainableClusterer):
    """Clusters that keep alike pairs together and others apart."""

    reads: ClassVar = "both"
    presets: ClassVar = {
        "paper": Plan(network="ccn", recipe="32", way=10, shot=5, query=5, steps=20_000, epoch=1000, val_episodes=1),
        "laptop": Plan(
            network="ccn",
            recipe="32",
            way=10,
            shot=5,
            query=5,
            steps=600,
            rate=1e-3,
            cosine=True,
            augment="drawing",
            val_episodes=1,
        ),
    }

    loss_of: Literal["kcl", "mcl"] = "mcl"
    """What a pair costs: Kullback-Leibler distances with a margin, or the likelihood of being in one cluster."""
    steps: int = 200
    """For every task."""
    rate: float = 1e-3
    images: int = 100
    """Shown in a step, with all their pairs."""
    columns: int = 0
    """How many clusters there may be; 0: as many as there are classes."""
    hidden: int = 512
    seed: int = 0

    random: ClassVar = True

    def __post_init__(self) -> None:
        for name, least in (("steps", 1), ("images", 2), ("columns", 0), ("hidden", 1)):
            if getattr(self, name) < least:
                raise FairshotError(f"{name} of constrained is {getattr(self, name)}: it must be at least {least}")

    def start(self, width: int, classes: int) -> Head:
        """A layer that looks at each image of a pair, and one that judges how what it saw differs."""
        return {
            "pair": torch.randn(width, self.hidden) * (2 / width) ** 0.5,
            "pair_bias": torch.zeros(self.hidden),
            "judge": torch.full((self.hidden,), 1 / self.hidden),
            "judge_bias": torch.ones(()),
        }

    def logits(self, batch: TaskBatch, head: Head) -> Float[Tensor, "episode query way"]:
        """How alike a query and the images of each class are on average, by what was learned of pairs."""
        support, query = batch.vectors
        members = batch.one_hot / batch.one_hot.sum(1, keepdim=True).clamp(min=1)
        tables = [alike(torch.cat([known, asked]), head) for known, asked in zip(support, query, strict=True)]
        return torch.stack([table[support.shape[1] :, : support.shape[1]] for table in tables]) @ members

    def loss(self, model: Model, lesson: Lesson, plan: Plan) -> Loss:
        """Of all pairs of a task: alike or not."""
        assert lesson.tasks is not None
        assert lesson.query_labels is not None
        batch = model.embed_tasks(lesson.tasks)
        labels = torch.cat([lesson.tasks.support_labels, lesson.query_labels], 1)
        answers, truth = [], []
        for images, task_labels in zip(torch.cat([batch.support, batch.query], 1), labels, strict=True):
            pairs = torch.ones(len(task_labels), len(task_labels), dtype=torch.bool).triu(1)
            answers.append(alike(images, model.learned)[pairs])
            truth.append((task_labels[:, None] == task_labels)[pairs])
        logits, wanted = torch.cat(answers), torch.cat(truth)
        value = binary_cross_entropy_with_logits(logits, wanted.to(logits.dtype))
        return Loss(value, float(((logits > 0) == wanted).float().mean()))

    def embed_with(self, model: Model, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """The images themselves: each task trains a network on them."""
        return images

    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """On vectors: a share of all pairs is alike, as many as classes of these sizes have."""
        batch = in_units(batch)
        width = batch.support.shape[2]
        return self._cluster(
            batch, lambda images, number: near_pairs(images, sizes[number]), lambda: (nn.Identity(), width)
        )

    def cluster_with(self, model: Model, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """On images: the trained network says which pairs are alike, and a fresh one of its kind learns from that."""

        def fresh() -> tuple[nn.Module, int]:
            kind = type(model.network)
            return kind(*model.network.shape), model.network.width

        return self._cluster(batch, lambda images, _: alike(model.network.embed(images), model.learned) > 0, fresh)

    def _cluster(
        self, batch: TaskBatch, pairs: Callable[[Tensor, int], Pairs], fresh: Callable[[], tuple[nn.Module, int]]
    ) -> Clusters:
        """Each task by itself."""
        keep_large_blocks()  # a network is trained here
        count = torch.full_like(batch.way, self.columns) if self.columns else batch.way
        shape, kind = (self.columns or batch.width,), batch.support.dtype
        support, query = (
            torch.full(images.shape[:2] + shape, -torch.inf, dtype=kind) for images in (batch.support, batch.query)
        )
        seeds = batch.streams(self.seed, "constrained").integers(1 << 48).tolist()
        for number, real in enumerate(batch.support_labels != PAD):
            images = batch.support[number][real]
            images, columns = images[_order(images)], int(count[number])
            with torch.inference_mode(False), torch.enable_grad():
                model = self._begin(fresh, columns, seeds[number]).to(kind)
                self._train(model, images.clone(), pairs(images, number).clone(), seeds[number])
            support[number, real, :columns] = _answers(model, batch.support[number][real])
            query[number, :, :columns] = _answers(model, batch.query[number])
        return Clusters(support, query, count)

    def _begin(self, fresh: Callable[[], tuple[nn.Module, int]], columns: int, seed: int) -> nn.Sequential:
        """A network and a linear layer, whose weights begin with other random numbers in every task."""
        # Modules draw their first weights from the global generator, which other threads would draw from as well.
        with BEGINNING, torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            network, width = fresh()
            return nn.Sequential(network, nn.Linear(width, columns))

    def _train(self, model: nn.Sequential, images: Tensor, wanted: Pairs, seed: int) -> None:
        """Puts alike images into one cluster."""
        linear = isinstance(model[0], nn.Identity)
        rate, steps = (LINEAR_RATE, min(LINEAR_STEPS, self.steps)) if linear else (self.rate, self.steps)
        optimizer = torch.optim.Adam(model.train().parameters(), lr=rate)
        shown = torch.arange(len(images))
        stream = Stream(seed, "constrained")
        for _ in range(steps):
            if len(images) > self.images:
                shown = torch.from_numpy(stream.ordered_sample(np.array([len(images)]), self.images)[0])
            value = pair_loss(model(images[shown]).softmax(1), wanted[shown][:, shown], self.loss_of)
            optimizer.zero_grad(set_to_none=True)
            value.backward()  # type: ignore[no-untyped-call]
            optimizer.step()


def alike(vectors: Float[Tensor, "image feature"], head: Head) -> Alike:
    """Above 0 where two images are of one class, whichever comes first."""
    seen = torch.relu(vectors @ head["pair"] + head["pair_bias"])
    # The squared difference of every feature, weighted: a sum of products, however many pairs there are.
    lengths = seen.square() @ head["judge"]
    apart = lengths[:, None] + lengths - 2 * (seen * head["judge"]) @ seen.mT
    return head["judge_bias"] - apart


def near_pairs(vectors: Float[Tensor, "image feature"], sizes: Int[Tensor, " way"]) -> Pairs:
    """The nearest pairs, as many as there are within classes of these sizes."""
    count = len(vectors)
    distances = torch.cdist(vectors, vectors)
    wanted = int((sizes * (sizes - 1)).sum()) // 2
    ranked = distances[torch.ones(count, count, dtype=torch.bool).triu(1)].sort().values
    limit = ranked[wanted - 1] if wanted else ranked.new_tensor(-1.0)
    return (distances <= limit) | torch.eye(count, dtype=torch.bool)


def pair_loss(shares: Shares, wanted: Pairs, kind: Literal["kcl", "mcl"]) -> Float[Tensor, ""]:
    """The mean over all pairs of different images."""
    others = ~torch.eye(len(shares), dtype=torch.bool)
    if kind == "mcl":
        together = (shares @ shares.mT).clamp(LEAST, 1 - LEAST)
        return -torch.where(wanted, together.log(), (1 - together).log())[others].mean()
    logs = shares.clamp(min=LEAST).log()
    # Row i, column j: from the distribution of image i, which is held fast, to that of image j.
    apart = (shares * logs).sum(1, keepdim=True).detach() - shares.detach() @ logs.mT
    losses = torch.where(wanted, apart, (MARGIN - apart).clamp(min=0))
    return (losses + losses.mT)[others].mean()


def _order(images: Float[Tensor, "image ..."]) -> Int[Tensor, " image"]:
    """Images sorted along some direction: which of them a step shows must not hang on where they stood."""
    direction = torch.from_numpy(Stream(0, "direction").uniform(images[0].numel()) - 0.5).to(images.dtype)
    return (images.flatten(1) @ direction).argsort(stable=True)


def _answers(model: nn.Module, images: Tensor) -> Shares:
    """The logarithm of how likely each cluster is."""
    with torch.inference_mode():
        return torch.cat([model.eval()(part) for part in torch.split(images, CHUNK)]).log_softmax(1)
