"""Words to tasks: one or many, by name with way, shot and query, or as they are."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.runtime.grammar.name import Name, Spec, parse_task
from fairshot.runtime.grammar.settings import parameters, type_settings
from fairshot.runtime.user_file import load_from_file, own_settings
from fairshot.sources.source import Source
from fairshot.specs.registry import find_class
from fairshot.tasks.task import TaskDistribution

Counts = int | Sequence[int]
USUAL = {"way": (5,), "shot": (1, 5), "query": (15,)}  # what verbs ask for where nobody says; cscc for 5 shots


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
    spec = parse_task(name)
    found = _find(spec)
    return found if isinstance(found, TaskDistribution) else _make(found, spec, settings)


def as_tasks(part: Source, tasks: Any = None, shape: Shape | None = None) -> list[TaskDistribution]:
    """Every task resolved for the part; those given by name with every way and shot."""
    return list(dict.fromkeys(task.resolve(part) for task in list_tasks(tasks, shape)))


def list_tasks(tasks: Any = None, shape: Shape | None = None) -> list[TaskDistribution]:
    """The same before any choice is made that depends on the part."""
    several = isinstance(tasks, Sequence) and not isinstance(tasks, str)
    listed = ["uniform"] if tasks is None else list(tasks) if several else [tasks]
    if not listed:
        raise FairshotError("no task was given: name at least one, such as 'uniform'")
    _refuse_unused(listed, shape or Shape())
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
            f"a task is {kind_of(task)}: give a name such as 'uniform', or an object such as "
            "fairshot.tasks.Uniform(way=5, shot=1, query=15)"
        )
    spec = parse_task(task)
    if isinstance(spec, Name):
        _refuse_ignored(spec.name, shape)
    found = _find(spec)
    if isinstance(found, TaskDistribution):
        return [found]
    return [_make(found, spec, {**shape.shared, "way": way, "shot": shot}) for way, shot in _grid(shape)]


def _find(spec: Spec) -> type[TaskDistribution] | TaskDistribution:
    """The class of a task; what somebody's file has under a name may be an object, which is taken as it is."""
    if isinstance(spec, Name):
        return find_class("tasks", spec.name)
    target, _ = load_from_file(spec)
    if not isinstance(target, TaskDistribution) and not (
        isinstance(target, type) and issubclass(target, TaskDistribution)
    ):
        raise FairshotError(
            f"{spec.place} is no task: give a class derived from fairshot.tasks.ClassTask, or an object of it"
        )
    own_settings(target, spec)  # an object takes none
    return target


def _make(kind: type[TaskDistribution], spec: Spec, settings: Mapping[str, Any]) -> TaskDistribution:
    """A task with those of the settings that it has, and with those of its spec."""
    known = {field.name: settings[field.name] for field in fields(kind) if field.name in settings}
    owner = spec.name if isinstance(spec, Name) else spec.place
    return kind(**known | type_settings(spec.settings, parameters(kind), owner))


def _grid(shape: Shape) -> Iterator[tuple[int, int]]:
    """Every way with every shot."""
    for name in ("way", "shot"):
        if isinstance(getattr(shape, name), Sequence) and not len(getattr(shape, name)):
            raise FairshotError(f"{name} is an empty list: give a whole number, or several")
    ways, shots = ([one] if isinstance(one, int) else one for one in (shape.way, shape.shot))
    return itertools.product(ways, shots)


def _refuse_unused(tasks: Sequence[Any], shape: Shape) -> None:
    """Raises if way, shot or query was asked for and no task has it: objects and Meta-Dataset's have their own."""
    kinds = [_find(parse_task(task)) for task in tasks if isinstance(task, str)]
    known = {field.name for kind in kinds if isinstance(kind, type) for field in fields(kind)}
    for name, usual in USUAL.items():
        asked = getattr(shape, name)
        numbers = [asked] if isinstance(asked, int) else list(asked)
        if name not in known and any(number not in usual for number in numbers):
            labels = ", ".join(
                task if isinstance(task, str) else getattr(task, "label", kind_of(task)) for task in tasks
            )
            raise FairshotError(f"{name} was given, and {labels} has its own: leave it out")


def _refuse_ignored(task: str, shape: Shape) -> None:
    """Raises if something was asked for that the task would pass over in silence."""
    known = {field.name for field in fields(find_class("tasks", task))}
    for name in ("disjoint", "dirichlet", "unknown", "skip_small"):
        asked = getattr(shape, name)
        if asked and asked != "none" and name not in known:
            raise FairshotError(f"the task {task} knows no {name}: leave it out, or use the task uniform")
