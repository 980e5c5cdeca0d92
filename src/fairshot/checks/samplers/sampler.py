"""Somebody's sampler, made and run: its arguments are filled in by their names, and its episodes are read."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairshot.checks.samplers.draws import Draw, Draws, Ids
from fairshot.checks.samplers.layouts import Reader
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.name import Code
from fairshot.runtime.user_file import as_a_guest, own_settings

NAMES = {
    "labels": ("labels", "label", "targets", "y", "class_ids", "classes"),
    "dataset": ("dataset", "data_source", "data", "ds"),
    "way": ("way", "ways", "n_way", "n_ways", "num_ways", "n_cls", "classes_per_it", "num_classes_per_task"),
    "shot": ("shot", "shots", "n_shot", "n_shots", "k_shot", "n_support", "num_support", "num_shots"),
    "query": ("query", "queries", "n_query", "n_queries", "num_query", "num_queries", "q_query"),
    "both": ("n_per", "n_img", "num_samples", "per_class", "train_samples"),
    "episodes": ("episodes", "n_episodes", "n_tasks", "num_tasks", "n_batch", "n_batches", "iterations", "n_iter"),
}
"""By what names samplers of public tools ask for what."""
SINGLE = ("sample", "sample_task", "__call__")
"""What draws one episode at a time, where there is nothing to iterate over."""
MOST_PASSES = 1000
COMPARED = 3  # episodes of two passes, to see whether both are the same


@dataclass(frozen=True, eq=False)
class StandIn:
    """A data set whose items are their own indices, with labels under every name that tools look for."""

    labels: list[int]

    @property
    def targets(self) -> list[int]:
        """The labels."""
        return self.labels

    def get_labels(self) -> list[int]:
        """The labels."""
        return self.labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: Any) -> tuple[int, int]:
        if not 0 <= int(index) < len(self.labels):
            raise IndexError(index)
        return int(index), self.labels[int(index)]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a sampler is asked for."""

    way: int
    shot: int
    query: int
    episodes: int


def is_sampler(target: Any) -> bool:
    """Whether something draws episodes, and is no learner: it can be iterated over, or its arguments say so."""
    if isinstance(target, type):
        if any(hasattr(target, name) for name in ("classify", "fit", "forward", "predict", "embed")):
            return False
        return hasattr(target, "__iter__") or (hasattr(target, "sample") and bool(_asked(target)))
    if inspect.isfunction(target):
        return inspect.isgeneratorfunction(target) or _draws(target)
    learner = any(hasattr(target, name) for name in ("classify", "fit", "predict", "forward", "embed"))
    return not learner and (hasattr(target, "__iter__") or hasattr(target, "sample_task"))


def _draws(function: Callable[..., Any]) -> bool:
    """Whether a function asks for labels or a data set first, and for no more than sizes beside them.

    Functions that are learners ask for three things: what is shown, its labels, what is asked.
    """
    needed = [name for name, one in inspect.signature(function).parameters.items() if one.default is one.empty]
    asked = _asked(function)
    sizes = {"way", "shot", "both", "episodes"} & set(asked.values())
    return bool(needed) and asked.get(needed[0]) in ("labels", "dataset") and (len(needed) == 1 or bool(sizes))


def _asked(target: Any) -> dict[str, str]:
    """Arguments by name with what they stand for, where that is known."""
    try:
        names = inspect.signature(target).parameters
    except (TypeError, ValueError):
        return {}
    return {name: what for name in names for what, words in NAMES.items() if name.lower() in words}


def draw_episodes(target: Any, spec: Code | str, classes: Ids, groups: Ids | None, shape: Shape) -> Draws:
    """The episodes that a sampler draws from items of these classes."""
    with as_a_guest():
        try:
            sampler = _made(target, spec, classes, shape)
            reader = Reader(classes, shape.shot)
            drawn, flat = list[Draw](), False
            source = _episodes(sampler, shape.episodes)
            for given in source:
                for draw, is_flat in reader.read(given):
                    drawn.append(draw)
                    flat |= is_flat
                if len(drawn) >= shape.episodes:
                    break
            repeats = _repeats(sampler, reader, drawn)
        except FairshotError:
            raise
        except (Exception, SystemExit) as error:
            raise FairshotError(f"the sampler {spec} failed ({type(error).__name__}: {error})") from error
    if not drawn:
        raise FairshotError(f"the sampler {spec} drew no episode: let it yield at least one")
    way = shape.way if "way" in _asked(target).values() or flat else None
    return Draws(episodes=drawn, classes=classes, groups=groups, flat=flat, repeats=repeats, way=way)


def _made(target: Any, spec: Code | str, classes: Ids, shape: Shape) -> Any:
    """The sampler, with what it asks for by name."""
    if not isinstance(target, type) and not inspect.isfunction(target):
        return target
    settings = own_settings(target, spec) if isinstance(spec, Code) else {}
    labels = classes.tolist()
    known = {
        "labels": labels,
        "dataset": StandIn(labels),
        "way": shape.way,
        "shot": shape.shot,
        "query": shape.query,
        "both": shape.shot + shape.query,
        "episodes": shape.episodes,
    }
    filled = {name: known[what] for name, what in _asked(target).items() if name not in settings}
    if isinstance(target, type) or inspect.isgeneratorfunction(target):
        return target(**filled, **settings)
    return _Calls(lambda: target(**filled, **settings))


@dataclass(frozen=True)
class _Calls:
    """A function that draws one episode, or makes something to iterate over."""

    call: Callable[[], Any]

    def __iter__(self) -> Iterator[Any]:
        first = self.call()
        if _holds_episodes(first):
            yield from first
            return
        yield first
        while True:
            yield self.call()


def _holds_episodes(given: Any) -> bool:
    """Whether something is to be iterated over, and no episode itself."""
    plain = isinstance(given, tuple | list | dict | np.ndarray) or hasattr(given, "tolist")
    return hasattr(given, "__iter__") and not plain


def _episodes(sampler: Any, count: int) -> Iterator[Any]:
    """What a sampler yields, pass after pass until there are enough."""
    if not isinstance(sampler, Iterable):
        draw = next(getattr(sampler, name) for name in SINGLE if hasattr(sampler, name))
        for _ in range(count):
            yield draw()
        return
    for _ in range(MOST_PASSES):
        before = None
        for before in sampler:
            yield before
        if before is None or iter(sampler) is sampler:  # nothing more to come
            return


def _repeats(sampler: Any, reader: Reader, drawn: list[Draw]) -> bool:
    """Whether another pass begins with the same episodes as the first."""
    if not isinstance(sampler, Iterable) or isinstance(sampler, _Calls | Iterator) or len(drawn) < COMPARED:
        return False
    again = list[Draw]()
    for given in sampler:
        again += [draw for draw, _ in reader.read(given)]
        if len(again) >= COMPARED:
            break
    pairs = list(zip(drawn, again, strict=False))[:COMPARED]
    return all(np.array_equal(a.support, b.support) and np.array_equal(a.query, b.query) for a, b in pairs)
