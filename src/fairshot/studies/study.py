"""A Study: one published table or one question of our own, as a value; running it gives a result to be committed."""

import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.learner import Classifier
from fairshot.results.schema import LIMITED, Result, write_result
from fairshot.results.shards import GATHER
from fairshot.results.study_result import STUDY, StudyResult, name_study
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.specs.metrics import find_metric
from fairshot.specs.registry import find_module
from fairshot.tables import table as typed
from fairshot.tasks.task import TaskDistribution


@dataclass(frozen=True)
class Conditions:
    """How a study is run."""

    limit: int | None = None
    """At most this many of what the study counts."""
    backend: Backend = "auto"
    out: Path | None = None
    stamp: Callable[[Result], Result] = lambda result: result
    progress: Progress = lambda what, done, whole, mean: None
    note: Callable[[str], None] = lambda note: None
    """Is called with sentences about what is to be done and what was, for runs that take hours."""
    shard: str | None = None
    """The share of this command, such as 3/40; gather puts all shares together."""
    command: Sequence[str] = ()


@dataclass(frozen=True)
class Choice:
    """What of a study is to be run; a study that is not asked for anything runs as it is."""

    only: tuple[str, ...] = ()
    """Words, of which the names of courses hold at least one."""
    critic: str = ""
    """By whom samples are judged, in place of the study's critics."""
    settings: str = ""
    """Settings of all generators, such as `decouple=False`."""
    known: tuple[Path | str, ...] = ()
    """Results of earlier runs: courses that are scored in one of them are neither trained nor scored again."""

    @property
    def asked(self) -> list[str]:
        """What was chosen, by the names of options."""
        named = {"only": self.only, "critic": self.critic, "set": self.settings, "known": self.known}
        return [f"--{name}" for name, value in named.items() if value]


WHOLE = Choice()


@dataclass(frozen=True)
class Study(ABC):
    """What is asked, and where it comes from."""

    view: ClassVar[str] = "tasks"
    """How the result is shown: a table for each task, or otherwise."""

    title: str
    paper: str

    @property
    @abstractmethod
    def size(self) -> tuple[int, str]:
        """How many of what a whole run has: what a limit cuts short."""

    @property
    @abstractmethod
    def cells(self) -> set[tuple[str, str]]:
        """Learner and task of every row of the result."""

    @property
    def has_shards(self) -> bool:
        """Whether several commands can each answer a share of it in one folder."""
        return False

    @property
    def preset(self) -> str:
        """What a whole run is: as published, or by the plans that learners are trained with."""
        return "paper"

    def published_for(self, learner: str, task: str, metric: str) -> float | None:
        """What the paper reports for a cell."""
        return None

    def tables(self, result: Result) -> list[typed.Table]:
        """What readers of a result are shown, made of the result alone; nothing where its rows are the table."""
        return []

    def choose(self, choice: Choice) -> "Study":
        """The part of the study that is asked for; raises where a study has nothing to choose from."""
        if choice.asked:
            raise FairshotError(f"there is nothing to choose in '{self.title}': leave out {' and '.join(choice.asked)}")
        return self

    @abstractmethod
    def run(self, conditions: Conditions) -> Result:
        """The result, stamped."""


@dataclass(frozen=True)
class TableStudy(Study):
    """Learners (rows) on tasks (columns) of one part, and what a paper reports for them."""

    what: str
    learners: tuple[str, ...]
    tasks: tuple[TaskDistribution, ...]
    metric: str = "accuracy"
    recipe: str | None = None
    episodes: int = 1000
    seed: int = 0
    published: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    """By learner and task label, and the metric where there are several; as fractions."""

    @property
    def size(self) -> tuple[int, str]:
        """Episodes."""
        return self.episodes, "episodes"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner on every task."""
        return {(name, task.label) for name in self.learners for task in self.tasks}

    @property
    def has_shards(self) -> bool:
        """Where it is one evaluation."""
        return type(self).run is TableStudy.run

    def published_for(self, learner: str, task: str, metric: str) -> float | None:
        """What the paper reports for a cell."""
        return self.published.get((learner, task, metric), self.published.get((learner, task)))

    def beside_published(self, result: Result, training: dict[str, dict[str, Any]]) -> Result:
        """With what the paper reports in every row, and how learners were trained."""
        rows = [
            row.model_copy(update={"published": self.published_for(row.learner, row.task, row.metric)})
            for row in result.rows
        ]
        return result.model_copy(update={"rows": rows, "training": training})

    def prepare(self, conditions: Conditions) -> tuple[dict[str, Classifier], dict[str, dict[str, Any]]]:
        """The learners by name, and how those were trained that had to be."""
        return {name: find_learner(name) for name in self.learners}, {}

    def run(self, conditions: Conditions) -> Result:
        """Our numbers beside the published ones."""
        learners, training = self.prepare(conditions)

        evaluation = evaluate(
            find_part(self.what, recipe=self.recipe),
            learners,
            self.tasks,
            episodes=min(self.episodes, conditions.limit or self.episodes),
            seed=self.seed,
            metric=find_metric(self.metric),
            backend=conditions.backend,
            out=conditions.out,
            shard=conditions.shard,
            command=conditions.command,
            progress=conditions.progress,
        )
        return conditions.stamp(self.beside_published(evaluation.result, training))


def run(
    study: "Study | str",
    *,
    limit: int | None = None,
    backend: Backend = "auto",
    out: Path | str | None = None,
    shard: str | None = None,
    command: Sequence[str] = (),
    progress: Progress = lambda what, done, whole, mean: None,
    note: Callable[[str], None] = lambda note: None,
    choice: Choice = WHOLE,
) -> StudyResult:
    """The result of a study, by name or as a value; with a limit it says so.

    Studies of generators can be run in part, and by other critics than theirs: `choice` says so. `shard` is what
    `evaluate` takes; the courses of a study are shared as well.
    """
    found: Study = find_module("studies", study).STUDY if isinstance(study, str) else study
    chosen = found.choose(choice)
    out = None if out is None else Path(out)
    how: dict[str, Any] = {"limit": limit, "backend": backend, "out": out, "shard": shard}
    result = run_study(chosen, **how, command=command, progress=progress, note=note)
    return StudyResult(chosen.title, chosen.paper, chosen.view, result)


def run_study(
    study: Study,
    *,
    limit: int | None = None,
    backend: Backend = "auto",
    out: Path | None = None,
    shard: str | None = None,
    command: Sequence[str] = (),
    progress: Progress = lambda what, done, whole, mean: None,
    note: Callable[[str], None] = lambda note: None,
) -> Result:
    """The result of a study; with a limit it says so."""
    count, unit = study.size
    if limit is not None and limit < 1:
        raise FairshotError(f"a limit of {limit} {unit} leaves nothing: ask for at least 1")
    if shard is not None and not study.has_shards:
        raise FairshotError(f"'{study.title}' is more than one evaluation, which shards cannot share: take backend=ray")
    started = time.monotonic()

    def stamp(result: Result) -> Result:
        preset = f"{LIMITED} {limit} {unit}" if limit is not None and limit < count else study.preset
        seconds = round(time.monotonic() - started, 2)
        update = {"preset": preset, "seconds": seconds, "commit": _commit(), "command": list(command)}
        stamped = result.model_copy(update={**update, "study_tables": study.tables(result)})
        return name_study(stamped, study.title, study.paper, study.view)

    conditions = Conditions(limit, backend, out, stamp, progress=progress, note=note, shard=shard, command=command)
    result = study.run(conditions)
    if out and shard in (None, GATHER):
        write_result(result, out / STUDY)
    return result


def _commit() -> str | None:
    """The commit of the code that runs, marked if it was changed since; None outside a checkout of this project."""
    try:
        tracked = _git("ls-files", "--error-unmatch", Path(__file__).name)
        described = _git("describe", "--always", "--abbrev=40", "--dirty", "--exclude=*")
    except OSError:  # no git here
        return None
    return described.stdout.strip() or None if tracked.returncode == 0 else None


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
