"""What each step of training shows, from (seed, step) alone: after any interruption the next step is the same."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from fairshot.learners.learner import TaskBatch
from fairshot.learners.training.augmentation import augment
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Lesson
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.task import BLOCK, TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent


@dataclass(frozen=True)
class SharedClasses(Uniform):
    """So many episodes in a row have the same classes and other images."""

    together: int = 16

    def choose(
        self, source: Source, eligible: Int[np.ndarray, " class"], stream: Stream, episodes: range
    ) -> Int[np.ndarray, "episode way"]:
        """One set of classes for each group of episodes."""
        groups = range(-(-len(episodes) // self.together))
        return np.repeat(super().choose(source, eligible, stream, groups), self.together, axis=0)[: len(episodes)]


@dataclass(frozen=True)
class FixedSupport(Uniform):
    """FIX-ML: the support of a class comes from a few images of it that never change, the queries from the others."""

    pool: int = 5

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """Classes and queries from a part without the pools, the support out of the pools."""
        pools = self._pools(source)
        others = source.select(~np.isin(source.image_ids, pools))
        drawn = Uniform(way=self.way, shot=1, query=self.query, disjoint=None).draw(others, stream, episodes)
        rows = np.searchsorted(source.classes, drawn.class_ids)
        sizes = np.full(rows.size, self.pool)
        places = stream.child("fixed").ordered_sample(sizes, self.shot).reshape(*rows.shape, self.shot)
        support = np.take_along_axis(pools[rows], places, axis=2).reshape(len(rows), -1)
        labels = np.tile(np.repeat(np.arange(self.way), self.shot), (len(rows), 1))
        return replace(drawn, support_ids=support, support_labels=labels)

    def _pools(self, source: Source) -> Int[np.ndarray, "class pool"]:
        members = source.members
        if self.pool < self.shot or members.counts.min() <= self.pool + self.query:
            raise FairshotError(
                f"{self.pool} fixed support images serve at most {self.pool} shots and need "
                f"{self.pool + self.query + 1} images per class, the smallest has {members.counts.min()}: change "
                "fixed_support, shot or query"
            )
        places = Stream(0, "fixed support").ordered_sample(members.counts, self.pool)
        return members.image_ids[members.starts[:, None] + places]


@dataclass(eq=False)
class Lessons:
    """The lessons of one training."""

    base: Source
    plan: Plan
    seed: int
    given: TaskDistribution | None = None
    """The task that the plan names."""
    _block: tuple[int, Episodes] | None = field(default=None, init=False)

    @cached_property
    def task(self) -> TaskDistribution:
        """What episodes are drawn from."""
        if self.given is not None:
            return self.given
        plan = self.plan
        way, shot, query = plan.way, plan.shot, plan.query
        if plan.fixed_support:
            return FixedSupport(way=way, shot=shot, query=query, pool=plan.fixed_support)
        # A lesson may show frames of one film on both sides: nothing is judged by it, and small classes can serve it.
        if plan.within:
            return WithinParent(way=way, shot=shot, query=query, disjoint=None)
        if plan.shared:
            return SharedClasses(way=way, shot=shot, query=query, together=plan.tasks, disjoint=None)
        return Uniform(way=way, shot=shot, query=query, disjoint=None)

    def generator(self, step: int) -> torch.Generator:
        """The randomness of one step, but for who meets whom."""
        return torch.Generator().manual_seed(int(Stream(self.seed, "lesson", step).integers(1 << 48, 1)[0]))

    def episodes(self, step: int) -> Lesson:
        """The episodes of a step, with their truth."""
        drawn = self._episodes(step).trimmed
        labels = torch.from_numpy(np.ascontiguousarray(drawn.query_labels))
        count, support = drawn.support_ids.shape
        images = self._images(np.concatenate([drawn.support_ids, drawn.query_ids], 1).ravel(), step)
        images = images.view(count, -1, *images.shape[1:])
        batch = TaskBatch(
            support=images[:, :support],
            support_labels=torch.from_numpy(np.ascontiguousarray(drawn.support_labels)),
            query=images[:, support:],
            query_mask=labels != PAD,
            way=torch.from_numpy(drawn.ways),
            width=drawn.class_ids.shape[1],
        )
        return Lesson(step, tasks=batch, query_labels=labels)

    def labelled(self, step: int) -> Lesson:
        """Images of a step with the places of their classes among the base classes; each is shown once a round."""
        size, count = min(self.plan.images, len(self.base)), len(self.base)
        steps_in_round = count // size
        order = Stream(self.seed, "round", step // steps_in_round).permutations(np.array([count]))[0]
        rows = order[(step % steps_in_round) * size : (step % steps_in_round + 1) * size]
        labels = np.searchsorted(self.base.classes, self.base.class_ids[rows])
        return Lesson(step, images=self._images(self.base.image_ids[rows], step), labels=torch.from_numpy(labels))

    def _episodes(self, step: int) -> Episodes:
        tasks = self.plan.tasks
        if self.plan.fixed_tasks:
            # Every round shows all of them once, but for those that fill no step.
            turn, place = divmod(step, len(self._fixed) // tasks)
            order = Stream(self.seed, "fixed round", turn).permutations(np.array([len(self._fixed)]))[0]
            return self._fixed[order[place * tasks : (place + 1) * tasks]]
        episodes_in_block = BLOCK // tasks * tasks  # steps never reach across the blocks that are drawn
        if episodes_in_block == 0:
            raise FairshotError(f"{tasks} tasks a step are too many: at most {BLOCK}")
        block, first = divmod(step * tasks, episodes_in_block)
        if self._block is None or self._block[0] != block:
            start = block * BLOCK
            self._block = block, self.task.sample(self.base, range(start, start + BLOCK), self.seed)
        return self._block[1][first : first + tasks]

    @cached_property
    def _fixed(self) -> Episodes:
        return self.task.sample(self.base, range(self.plan.fixed_tasks), self.seed)

    def _images(self, image_ids: Int[np.ndarray, " image"], step: int) -> Tensor:
        """Bytes gathered from memory or from a memory map, scaled and augmented as one batch."""
        stored = self.base.store[image_ids]
        return augment(
            torch.from_numpy(np.array(self.base.recipe.scale(stored))), self.plan.augment, self.generator(step)
        )
