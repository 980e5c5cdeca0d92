"""Small worlds to plant leaks in: drawings of random strokes, and tasks and splits over them."""

from collections.abc import Iterable

import numpy as np

from fairshot.checks.check import Case
from fairshot.checks.checklist import all_checks, check, run_checks, usual_task
from fairshot.checks.finding import Finding
from fairshot.checks.report import CheckReport
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.learner import Classifier
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes

SIDE = 12


def make_images(*, classes: int = 12, images: int = 12, noise: float = 0.15, seed: int = 0) -> np.ndarray:
    """Grey drawings [class, image, side, side]: each class a pattern, each image with noise of its own."""
    rng = np.random.default_rng(seed)
    patterns = 255 * (rng.random((classes, 1, SIDE, SIDE)) < 0.4)
    drawings = (1 - noise) * patterns + noise * rng.integers(0, 256, (classes, images, SIDE, SIDE))
    flips = rng.random(drawings.shape) < noise
    return np.where(flips, 255 - drawings, drawings).round().astype(np.uint8)


def make_source(images: np.ndarray, groups: np.ndarray | None = None) -> Source:
    """The drawings as a source."""
    labels = np.repeat(np.arange(len(images)), images.shape[1])
    return from_arrays(images.reshape(-1, SIDE, SIDE), labels, name="drawings", groups=groups)


def make_split(source: Source) -> Split:
    """The first half of the classes is base, two are val, the rest is novel."""
    half = len(source.classes) // 2
    return split_classes(
        "halves", source, base=np.arange(half - 2), val=np.arange(half - 2, half), novel=np.arange(half, 2 * half)
    )


def leaks(findings: Iterable[Finding]) -> set[str]:
    """The names of the checks that found a leak."""
    return {finding.check for finding in findings if finding.outcome == "leak"}


def seen(findings: Iterable[Finding], name: str) -> str:
    """What one check saw."""
    return next(finding.seen for finding in findings if finding.check == name)


def check_learner(learner: Classifier) -> list[Finding]:
    """The findings about a learner on clean drawings, which `test_a_clean_world_is_clean` looks at."""
    return learner_findings(learner, make_source(make_images()))


def learner_findings(learner: Classifier, part: Source, episodes: int = 8) -> list[Finding]:
    """The findings of the checks of learners alone: those of the data are the same for every learner."""
    return run_checks(Case(learner, part, usual_task(part), count=episodes), all_checks("learner"))


def check_data(part: Source, **options: object) -> CheckReport:
    """The findings of an honest learner."""
    return check(Prototypes(), part, **options)  # type: ignore[arg-type]
