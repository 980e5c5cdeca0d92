"""One probe after the other out of a population, each with its intervals: do they hold?

A population keeps what it does not ask about: other labels keep the classes and the test images, other test images the
classes, the labelled images and the draws, other images the classes, and other classes keep nothing.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float, Int

from fairshot.evaluation.probe_scorer import Answered, join_answered, judge
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.ridge import Ridge
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.statistics.intervals.probe_populations import PROBE_SPREADS
from fairshot.statistics.probe_answers import ProbeAnswers, ProbeLayout
from fairshot.studies.kinds.simulated_benchmarks import World

Population = Literal["labels", "test", "images", "classes"]
KEPT: dict[str, tuple[str, ...]] = {
    "labels": ("classes", "test"),
    "test": ("classes", "pool", "draws"),
    "images": ("classes",),
    "classes": (),
}
LEARNERS: dict[str, Classifier] = {"prototypes": Prototypes(), "ridge": Ridge()}
SEED = 1  # 0 served while the estimator for other classes was made; what is reported was not looked at before
SETS = 4  # different kept parts that the repetitions take turns with
SEEDS = 3  # of which papers print the mean and the standard deviation
MISSING = (np.nan, np.nan)
LOGITS = 1 << 19  # made at a time: they fit the cache


@dataclass(frozen=True)
class ProbeTask:
    """How many images are labelled, and how many are asked."""

    shot: int
    test: int

    @property
    def label(self) -> str:
        """What a table calls it."""
        return f"{self.shot}-shot, {self.test} test images"


@dataclass(frozen=True)
class ProbeSetting:
    """A kind of probe, and which population is asked about; the images of the world are those of the pool."""

    world: World
    task: ProbeTask
    draws: int
    population: Population
    learner: str = "prototypes"
    null: bool = False
    """A probe is of one learner, whose score is not 0."""

    @property
    def episodes(self) -> tuple[int, ...]:
        """The numbers of draws that are looked at: one."""
        return (self.draws,)

    @property
    def key(self) -> str:
        """Names the setting's random streams."""
        return fingerprint("probe", SEED, repr(self.world), repr(self.task), self.population, self.learner, self.draws)

    @property
    def label(self) -> str:
        """Tells it from every other setting."""
        return f"{self.world.label}; {self.task.label}; {self.population}; {self.learner}; {self.draws} draws"

    def set_of(self, repetition: int) -> int:
        """Which kept parts a repetition has; the same number, the same truth."""
        return repetition % SETS if KEPT[self.population] else 0

    def stream(self, name: str, repetition: int) -> Stream:
        """Random numbers for one part of a probe: those of the set for what is kept."""
        kept = name in KEPT[self.population]
        return Stream(SEED, self.key, name, f"set {self.set_of(repetition)}" if kept else repetition)


@dataclass(frozen=True, eq=False)
class Benchmark:
    """One probe of a setting."""

    setting: ProbeSetting
    repetition: int

    def _stream(self, name: str) -> Stream:
        return self.setting.stream(name, self.repetition)

    @cached_property
    def counts(self) -> Int[np.ndarray, " class"]:
        """Pool images of each class."""
        few, many = self.setting.world.images
        return few + self._stream("classes").child("counts").integers(many - few + 1, self.setting.world.classes)

    @cached_property
    def layout(self) -> ProbeLayout:
        """Which pool and test image is of which class and group."""
        world, asked = self.setting.world, self.setting.task.test
        pool, test = (np.repeat(np.arange(world.classes), many) for many in (self.counts, asked))
        groups = [
            np.concatenate([np.arange(many) // world.group for many in each]) + owner * int(self.counts.max() + asked)
            for each, owner in ((self.counts, pool), ([asked] * world.classes, test))
        ]
        parents = np.zeros(world.classes, dtype=np.int64)
        return ProbeLayout(
            pool_class=pool, pool_group=groups[0], test_class=test, test_group=groups[1], parents=parents
        )

    @cached_property
    def support(self) -> Int[np.ndarray, "draw class shot"]:
        """The labelled images of every draw."""
        draws, shot = self.setting.draws, self.setting.task.shot
        rows = self._stream("draws").ordered_sample(np.tile(self.counts, draws), shot)
        starts = np.cumsum(self.counts) - self.counts
        return rows.reshape(draws, len(self.counts), shot) + starts[:, None]

    def answers(self) -> ProbeAnswers:
        """What the learner answers."""
        world, layout = self.setting.world, self.layout
        classes = world.draw_classes(self._stream("classes").child("parents"), self._stream("classes"))
        asked = np.full(world.classes, self.setting.task.test)
        pool, test = (
            torch.from_numpy(world.draw_images(classes, counts, self._stream(name)).astype(np.float32))
            for counts, name in ((self.counts, "pool"), (asked, "test"))
        )
        labels = torch.arange(world.classes).repeat_interleave(self.setting.task.shot)
        step = max(1, LOGITS // (len(test) * world.classes))
        parts = [
            self._answer(pool[torch.from_numpy(rows.reshape(len(rows), -1))], labels, test)
            for rows in np.split(self.support, range(step, len(self.support), step))
        ]
        found = join_answered(parts)
        return ProbeAnswers(
            layout=layout,
            support=self.support,
            correct=found.correct.view(np.int8),
            stolen=found.stolen["accuracy"],
            stolen_pairs=found.pairs["accuracy"] / len(self.support),
        )

    def _answer(
        self,
        support: Float[torch.Tensor, "draw support feature"],
        labels: Int[torch.Tensor, " support"],
        test: Float[torch.Tensor, "test feature"],
    ) -> Answered:
        draws, classes = len(support), self.setting.world.classes
        batch = TaskBatch(
            support=support,
            support_labels=labels.expand(draws, -1).contiguous(),
            query=test.expand(draws, *test.shape),
            query_mask=torch.ones(draws, len(test), dtype=torch.bool),
            way=torch.full((draws,), classes),
            width=classes,
        )
        with torch.inference_mode():
            return judge(LEARNERS[self.setting.learner].classify(batch), self.layout, ["accuracy"])


def repeat_probe(setting: ProbeSetting, repetition: int) -> Float[np.ndarray, "1 end"]:
    """The mean; the first three draws' mean minus and plus their deviation; both ends of ours, NaN if there is none."""
    answers = Benchmark(setting, repetition).answers()
    spread = PROBE_SPREADS[setting.population](answers)
    worst = 1 / answers.layout.classes
    ours = None if isinstance(spread, str) else spread.estimate(worst=worst).interval
    seeds = answers.scores[:SEEDS]
    mean, deviation = float(seeds.mean()), float(seeds.std(ddof=1))
    return np.array([[float(answers.scores.mean()), mean - deviation, mean + deviation, *(ours or MISSING)]])
