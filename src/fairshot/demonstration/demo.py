"""The verb `demo`: train, compare, audit and score, and a page of it all; in a minute or two and without a download."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.audits.audit import audit, fitting_task, pixels_for
from fairshot.demonstration.jobs import Demonstration
from fairshot.evaluation.evaluate import evaluate
from fairshot.evaluation.train import train
from fairshot.learners.learner import Classifier
from fairshot.learners.training.loop import Reports
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.scoring.score import score
from fairshot.sources.source import Source
from fairshot.specs.data import as_part, find_part
from fairshot.specs.encoders import NONE, put_encoders, usual_encoder
from fairshot.specs.learners import as_learners, find_learner
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

FOLDER = "fairshot-demo"
RECIPE = "28"
EPISODES = 3000  # fewer than these leave some populations without an interval
STEPS = 100
SAMPLES = 10  # drawings of each class by a generator
# Alphabets of another world: the critics never saw them, and all that they never saw here would take a minute.
PEOPLE = "glyphs:alphabets=8,characters=8,drawers=10,takes=1,seed=1"
SETS = ("copy", "warped", "warp_editor@omniglot", "strangers")
OWN = {name: name for name in ("prototypes", "ridge", "prototypes:metric=cosine", "neighbours", "chance")}
NOT_TRAINED = (
    "no network was trained on these images, which takes dozens of classes: fairshot train prototypes --split {}"
)
NOT_DRAWN = "samples of generators are scored beside drawings of people: fairshot score --help"
NO_PARENTS = "no two groups of classes (PARENT/CLASS/IMAGE) are large enough to ask within one of them"


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much is done: less for a test, more for narrower intervals."""

    episodes: int = EPISODES
    steps: int = STEPS
    samples: int = SAMPLES
    shots: tuple[int, ...] = (1, 5)
    """Labelled images per class on invented handwriting."""
    world: str = "glyphs"
    """The invented handwriting."""
    people: str = PEOPLE
    """Drawings that those of generators are compared with."""

    @property
    def split(self) -> str:
        """Alphabets to learn from, and others."""
        return f"{self.world}/parents"


def demo(
    data: Any = None,
    *,
    out: Path | str | None = None,
    effort: Effort | int = EPISODES,
    seed: int = 0,
    backend: Backend = "auto",
    progress: Progress = lambda what, done, whole, mean: None,
) -> Demonstration:
    """All main jobs on invented handwriting, or on a folder of images or other data of one's own.

    `effort` is a number of episodes, or an Effort. Results and the page `report.html` are saved to `out`, which is a
    folder `fairshot-demo` where none is named, or one called after the data; the same call resumes where it was
    interrupted.
    """
    effort = effort if isinstance(effort, Effort) else Effort(episodes=effort)
    job = _Job(out=Path(out or folder_of(data)), effort=effort, seed=seed, backend=backend, progress=progress)
    return job.on_glyphs() if data is None else job.on_own(data)


def folder_of(data: Any) -> str:
    """Where a demonstration is saved that was not told where: each data set has a folder of its own."""
    name = Path(data.removeprefix("folder:")).name if isinstance(data, str) else ""
    words = re.sub(r"[^\w.]+", "-", name).strip("-.")
    return "-".join(filter(None, [FOLDER, words or ("data" if data is not None else "")]))


@dataclass(frozen=True, kw_only=True)
class _Job:
    out: Path
    effort: Effort
    seed: int
    backend: Backend
    progress: Progress

    def on_glyphs(self) -> Demonstration:
        """A network is trained on some alphabets, compared on others, and shipped generators draw."""
        learners = self._trained()
        part = find_part(f"{self.effort.split}/novel", recipe=RECIPE)
        tasks = [kind(way=5, shot=shot, query=5) for shot in self.effort.shots for kind in (Uniform, WithinParent)]
        evaluation = self._evaluate(part, learners, tasks)
        first, second = list(learners)[:2]
        found = audit(
            f"{self.effort.split}/novel",
            learner={first: learners[first]},
            rival={second: learners[second]},
            recipe=RECIPE,
            episodes=self.effort.episodes,
            seed=self.seed,
            progress=self.progress,
        )
        scores = score(SETS, critic="glyphs", on=self.effort.people, count=self.effort.samples, progress=self.progress)
        return Demonstration(self.out, evaluation, found, scores, parent="alphabet").write()

    def _trained(self) -> dict[str, Classifier]:
        """Two heads on a network that is trained here, two on pixels, and guessing."""
        whole = self.effort.steps
        reports = Reports(lambda moment: self.progress("training a network", moment.step, whole, np.nan))
        changes = {"steps": whole, "epoch": whole, "way": 20, "query": 4, "val_episodes": 50, "val_way": 5}
        folder = self.out / "network"
        train(
            "prototypes", self.effort.split, recipe=RECIPE, changes=changes, seed=self.seed, out=folder, reports=reports
        )
        specs = {
            "network + prototypes": str(folder),
            "network + ridge": f"ridge@{folder}",
            "pixels + ridge": "ridge",
            "pixels + prototypes": "prototypes",
            "chance": "chance",
        }
        return {name: find_learner(spec) for name, spec in specs.items()}

    def on_own(self, data: Any) -> Demonstration:
        """The same with what can be asked of the data; what cannot is said in a line each."""
        recipe = None if usual_encoder(data) else _pixels(data)
        learners = as_learners(put_encoders(OWN, None, data, recipe))
        part, _ = as_part(data, recipe=recipe, learners=list(learners.values()))
        usual = fitting_task(part)
        tasks = own_tasks(part, usual)
        notes = [NOT_TRAINED.format(data if isinstance(data, str) else "folder:PATH"), NOT_DRAWN]
        notes += [] if any(isinstance(task, WithinParent) for task in tasks) else [NO_PARENTS]
        evaluation = self._evaluate(part, learners, tasks)
        first, second = list(learners)[:2]
        found = audit(
            part,
            learner={first: learners[first]},
            rival={second: learners[second]},
            task=usual,
            episodes=self.effort.episodes,
            seed=self.seed,
            progress=self.progress,
        )
        return Demonstration(self.out, evaluation, found, None, tuple(notes)).write()

    def _evaluate(self, part: Source, learners: dict[str, Classifier], tasks: Sequence[TaskDistribution]) -> Evaluation:
        return evaluate(
            part,
            learners,
            tasks,
            encoder=NONE,
            episodes=self.effort.episodes,
            seed=self.seed,
            backend=self.backend,
            out=self.out / "evaluation",
            progress=self.progress,
        )


def _pixels(data: Any) -> str | None:
    """A small recipe for images that are compared as they are."""
    return pixels_for(data, None, encodes=False) if isinstance(data, str) else None


def own_tasks(part: Source, usual: Uniform) -> list[TaskDistribution]:
    """One shot and as many as classes allow, of any classes, and within one parent where two have enough of them."""
    shots = sorted({1, usual.shot})
    size: dict[str, Any] = {"way": usual.way, "query": usual.query, "skip_small": True, "disjoint": usual.disjoint}
    wide = np.bincount(part.parent_ids[usual.eligible(part)]) >= usual.way
    kinds = (Uniform, WithinParent) if wide.sum() > 1 else (Uniform,)
    return [kind(shot=shot, **size) for shot in shots for kind in kinds]
