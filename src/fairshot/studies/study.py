"""A Study: one published table, as a value; running it puts our numbers beside the published ones."""

import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fairshot.evaluate import evaluate
from fairshot.resolve import find_learner, find_metric, find_part
from fairshot.runtime.backend import Backend, Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.result import Result
from fairshot.tasks.task import TaskDistribution


@dataclass(frozen=True)
class Study:
    """Learners (rows) on tasks (columns) of one part, and what a paper reports for them."""

    title: str
    paper: str
    what: str
    learners: tuple[str, ...]
    tasks: tuple[TaskDistribution, ...]
    metric: str = "accuracy"
    recipe: str | None = None
    episodes: int = 1000
    seed: int = 0
    published: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By learner and task label, as fractions."""


def run_study(
    study: Study,
    *,
    limit: int | None = None,
    backend: Backend = "auto",
    out: Path | None = None,
    command: Sequence[str] = (),
    progress: Progress = lambda what, done, whole, mean: None,
) -> Result:
    """Our numbers beside the published ones; with a limit on the episodes the result says so."""
    if limit is not None and limit < 1:
        raise FairshotError(f"a limit of {limit} episodes leaves nothing: ask for at least 1")
    started = time.monotonic()

    def stamp(result: Result) -> Result:
        rows = [
            row.model_copy(update={"published": study.published.get((row.learner, row.task))}) for row in result.rows
        ]
        preset = f"limited to {limit} episodes" if limit is not None and limit < study.episodes else "paper"
        seconds = round(time.monotonic() - started, 2)
        update = {"rows": rows, "preset": preset, "seconds": seconds, "commit": _commit(), "command": list(command)}
        return result.model_copy(update=update)

    return evaluate(
        find_part(study.what, recipe=study.recipe),
        {name: find_learner(name) for name in study.learners},
        study.tasks,
        episodes=min(study.episodes, limit or study.episodes),
        seed=study.seed,
        metric=find_metric(study.metric),
        backend=backend,
        out=out,
        stamp=stamp,
        progress=progress,
    )


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
