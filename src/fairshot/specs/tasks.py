"""Words to tasks: one or many, by name with way, shot and query, or as they are."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import load_from_file
from fairshot.sources.source import Source
from fairshot.specs.grammar import is_own_code, parameters, parse_settings
from fairshot.specs.registry import find_class
from fairshot.tasks.task import TaskDistribution

Counts = int | Sequence[int]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What episodes of tasks given by name look like."""

    way: Counts = 5
    shot: Counts = 1
    query: int = 15
    disjoint: str | None = None
    skip_small: bool = False
    dirichlet: float | None = None
    unknown: int = 0

    @property
    def shared(self) -> dict[str, Any]:
        """Settings that all tasks have in common."""
        settings = {
            "query": self.query,
            "skip_small": self.skip_small,
            "dirichlet": self.dirichlet,
            "unknown": self.unknown,
        }
        return settings | ({"disjoint": self.disjoint} if self.disjoint else {})


def find_task(name: str, settings: Mapping[str, Any]) -> TaskDistribution:
    """A task by name with those of the settings that it has; `NAME:setting=value/setting=value` gives it more."""
    name, _, own = name.partition(":")
    kind = find_class("tasks", name)
    known = {field.name: settings[field.name] for field in fields(kind) if field.name in settings}
    return kind(**known | parse_settings(own.replace("/", ","), parameters(kind.__init__), name))


def as_tasks(part: Source, tasks: Any = None, shape: Shape | None = None) -> list[TaskDistribution]:
    """Every task settled for the part; those given by name with every way and shot."""
    return list(dict.fromkeys(task.settle(part) for task in list_tasks(tasks, shape)))


def list_tasks(tasks: Any = None, shape: Shape | None = None) -> list[TaskDistribution]:
    """The same before any choice is made that depends on the part."""
    several = isinstance(tasks, Sequence) and not isinstance(tasks, str)
    listed = ["uniform"] if tasks is None else list(tasks) if several else [tasks]
    return [task for one in listed for task in _expand(one, shape or Shape())]


def find_tasks(part: Source, options: Mapping[str, Any]) -> list[TaskDistribution]:
    """The tasks that options of the command line name; other options among them are passed over."""
    known = {field.name: options[field.name] for field in fields(Shape) if field.name in options}
    return as_tasks(part, options["task"], Shape(**known))


def _expand(task: Any, shape: Shape) -> list[TaskDistribution]:
    if isinstance(task, TaskDistribution):
        return [task]
    if not isinstance(task, str):
        raise FairshotError(
            f"a task is a {type(task).__name__}: give a name such as 'uniform', or an object such as "
            "fairshot.tasks.Uniform(way=5, shot=1, query=15)"
        )
    if is_own_code(task):
        return _own_tasks(task, shape)
    _refuse_ignored(task.partition(":")[0], shape)
    grid = itertools.product(_listed(shape.way), _listed(shape.shot))
    return [find_task(task, {**shape.shared, "way": way, "shot": shot}) for way, shot in grid]


def _own_tasks(spec: str, shape: Shape) -> list[TaskDistribution]:
    """Tasks out of somebody's file: an object as it is, a class with every way and shot that it has."""
    target, _ = load_from_file(spec)
    if isinstance(target, TaskDistribution):
        return [target]
    if not (isinstance(target, type) and issubclass(target, TaskDistribution)):
        raise FairshotError(
            f"{spec} is no task: give a class derived from fairshot.tasks.ClassTask, or an object of it"
        )
    known = {field.name for field in fields(target)}
    grid = itertools.product(_listed(shape.way), _listed(shape.shot))
    settings = ({**shape.shared, "way": way, "shot": shot} for way, shot in grid)
    return [target(**{name: value for name, value in one.items() if name in known}) for one in settings]


def _listed(counts: Counts) -> Sequence[int]:
    return [counts] if isinstance(counts, int) else counts


def _refuse_ignored(task: str, shape: Shape) -> None:
    """Raises if something was asked for that the task would pass over in silence."""
    known = {field.name for field in fields(find_class("tasks", task))}
    for name in ("disjoint", "dirichlet", "unknown", "skip_small"):
        asked = getattr(shape, name)
        if asked and asked != "none" and name not in known:
            raise FairshotError(
                f"the task {task} knows no --{name.replace('_', '-')}: leave it out, or use --task uniform"
            )
