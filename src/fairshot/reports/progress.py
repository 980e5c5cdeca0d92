"""A progress bar on standard error with a running estimate, for work that takes more than two seconds."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from fairshot.runtime.backends.backend import Progress as Report
from fairshot.runtime.visible_text import visible

PATIENCE = 2.0  # seconds before anything is shown
MINUTE = 60.0
PAUSE = 10.0  # seconds between two lines where there is no terminal to draw a bar on


@contextmanager
def progress_bar(unit: str = "episodes") -> Iterator[Report]:
    """Yields what verbs call; the bar appears late and goes away at the end. A mean that is NaN is not shown."""
    console = Console(stderr=True, emoji=False)
    texts = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[mean]}")
    columns = texts[0], BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), texts[1]
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    started, tasks = time.monotonic(), dict[str, TaskID]()

    said = [started]
    begun: dict[str, tuple[float, int]] = {}

    def report(what: str, done: int, whole: int, mean: float) -> None:
        now, what = time.monotonic(), visible(what)
        begun.setdefault(what, (now, done))
        if now - started < PATIENCE:
            return
        if not console.is_terminal:
            if now - said[0] >= PAUSE:
                said[0] = now
                left = _time_left(now, done, whole, *begun[what])
                print(f"{what}: {done:,} of {whole:,} {unit}{_mean(mean, ', ')}{left}", file=sys.stderr, flush=True)
            return
        if not tasks:
            bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(what, mean="")
        bar.update(tasks[what], completed=done, total=whole, mean=_mean(mean))

    try:
        yield report
    finally:
        bar.stop()


def _time_left(now: float, done: int, whole: int, began: float, first: int) -> str:
    """How long the rest will take at the pace so far; nothing where there is no pace yet."""
    if done <= first or done >= whole:
        return ""
    seconds = (now - began) * (whole - done) / (done - first)
    return f", about {math.ceil(seconds / 60)} min left" if seconds > MINUTE else f", about {math.ceil(seconds)} s left"


@contextmanager
def training_bar(name: str) -> Iterator[Callable[[Any], None]]:
    """Yields what a training calls after every step: loss, accuracy and the time left."""
    console = Console(stderr=True, emoji=False)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, TextColumn("{task.fields[told]}"), console=console, disable=not console.is_terminal)
    task = bar.add_task(name, total=None, told="")
    first: list[tuple[float, int]] = []
    said = [0.0]

    def report(moment: Any) -> None:
        now = time.monotonic()
        first[:] = first or [(now, moment.step)]
        val = "" if moment.val_accuracy is None else f", val {100 * moment.val_accuracy:.1f}%"
        terms = "".join(f", {name.replace('_', ' ')} {value:.3f}" for name, value in moment.terms.items())
        accuracy = "" if moment.accuracy is None else f", accuracy {100 * moment.accuracy:.1f}%"
        told = f"loss {moment.loss:.3f}{accuracy}{terms}{val}"
        if console.is_terminal:
            bar.start()
            bar.update(task, completed=moment.step, total=moment.steps, told=told)
        elif now - said[0] >= PAUSE:
            said[0] = now
            began, step = first[0]
            left = (moment.steps - moment.step) * (now - began) / max(1, moment.step - step)
            waiting = f", {left / 60:.0f} min left" if moment.step > step else ""
            print(
                f"{visible(name)}: step {moment.step:,} of {moment.steps:,}, {told}{waiting}",
                file=sys.stderr,
                flush=True,
            )

    try:
        yield report
    finally:
        bar.stop()


def _mean(mean: float, before: str = "") -> str:
    return "" if math.isnan(mean) else f"{before}{100 * mean:.1f}%"
