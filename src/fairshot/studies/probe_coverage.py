"""How often does a 95% interval of a probe hold? Probes drawn again and again, beside the mean ± sd of three seeds.

The cap inside the estimator for other classes was chosen while probes of seed 0 were looked at, so that these say
nothing about it any more: the study draws all its probes from seed 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from fairshot.studies.coverage import Coverage
from fairshot.studies.kinds.probe_benchmarks import SEED, Population, ProbeSetting, ProbeTask, repeat_probe
from fairshot.studies.kinds.simulated_benchmarks import Cifar, Gaussian, World

EACH: tuple[Population, ...] = ("labels", "test", "classes")
BOTH = 4  # every so many settings is asked about other labels and other test images at once, too
PROBES: tuple[tuple[World, ProbeTask, int, str], ...] = (
    (Gaussian(10, images=(100, 100)), ProbeTask(1, 20), 3, "prototypes"),
    (Gaussian(10, images=(100, 100)), ProbeTask(16, 20), 100, "prototypes"),
    (Gaussian(20, images=(50, 50)), ProbeTask(4, 20), 10, "prototypes"),
    (Gaussian(20, images=(20, 100)), ProbeTask(4, 20), 30, "prototypes"),
    (Gaussian(20, images=(80, 80), group=4), ProbeTask(4, 20), 30, "prototypes"),
    (Gaussian(40, images=(50, 50)), ProbeTask(2, 10), 3, "prototypes"),
    (Gaussian(40, images=(50, 50)), ProbeTask(8, 10), 30, "prototypes"),
    (Gaussian(40, images=(50, 50)), ProbeTask(4, 10), 10, "ridge"),
    (Gaussian(100, images=(50, 50)), ProbeTask(1, 10), 10, "prototypes"),
    (Gaussian(100, images=(50, 50)), ProbeTask(16, 5), 3, "prototypes"),
    (Gaussian(100, images=(50, 50)), ProbeTask(4, 5), 20, "prototypes"),
    (Cifar(10, images=(100, 100)), ProbeTask(16, 20), 10, "prototypes"),
    (Cifar(20, images=(100, 100)), ProbeTask(8, 20), 30, "ridge"),
    (Cifar(40, images=(100, 100)), ProbeTask(4, 10), 3, "prototypes"),
    (Cifar(100, images=(100, 100)), ProbeTask(1, 5), 20, "prototypes"),
    (Cifar(100, images=(100, 100)), ProbeTask(16, 5), 10, "prototypes"),
)


@dataclass(frozen=True)
class ProbeCoverage(Coverage):
    """Many repetitions of every probe; `usual` is what papers print, the mean ± sd of three seeds."""

    repeat: ClassVar[Callable] = staticmethod(repeat_probe)
    seed: ClassVar = SEED


STUDY = ProbeCoverage(
    title="How often 95% intervals of probes hold",
    paper="fairshot",
    settings=tuple(
        ProbeSetting(world, task, draws, population, learner)
        for number, (world, task, draws, learner) in enumerate(PROBES)
        for population in (*EACH, *(("images",) if number % BOTH == 0 else ()))
    ),
)
