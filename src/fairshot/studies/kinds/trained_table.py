"""A table whose learners are trained first, each by one named plan; what was trained is kept and found again."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import torch

from fairshot.evaluation.generator_course import find_generator_plan
from fairshot.evaluation.train import as_mapping, find_plan, train
from fairshot.learners.learner import Classifier
from fairshot.learners.training.checkpoint import read_log
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import find_weights, read_record
from fairshot.learners.training.resumable import WEIGHTS, Moment, Reports
from fairshot.results.shards import GATHER, parse_shard
from fairshot.runtime.backends.backend import APART, ordered_map
from fairshot.runtime.cache import cache_folder
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.specs.generators import find_trainable_generator
from fairshot.specs.learners import find_learner
from fairshot.specs.trainables import find_trainable
from fairshot.studies.study import Conditions, Study, TableStudy
from fairshot.tables.words import count_of

MINUTE = 60.0


@dataclass(frozen=True)
class Course:
    """How one learner is trained."""

    learner: str
    preset: str = "laptop"
    changes: str = ""
    split: str = ""
    """Where it is not that of the table."""
    shipped: str = ""
    """Weights that come with the package and are what this course gives: they are taken unless it was trained here."""
    seed: int | None = None
    """Where it is not that of all courses."""
    begin: str = ""
    """The course with whose weights its network begins; else with random ones."""


@dataclass(frozen=True)
class Trainings:
    """Courses by name, and where what they trained is kept and found again."""

    name: str
    """Of the folder, unless the user says where."""
    courses: Mapping[str, Course]
    split: str = ""
    recipe: str | None = None
    seed: int = 0

    def run(self, conditions: Conditions, *, short: bool = False) -> dict[str, dict[str, Any]]:
        """Trains what is not yet trained, `short` for as many steps as the limit says; how each was trained."""
        waiting = [name for name in self.courses if not self._is_trained(name, conditions, short)]
        if conditions.shard is not None and waiting:
            self._train_share(waiting, conditions, short)
            waiting = []
        if waiting:
            conditions.note(f"{len(waiting)} of {count_of(len(self.courses), 'course')} to be trained")
        if conditions.backend in APART and len(waiting) > 1:
            self._train_apart(waiting, conditions, short)
            waiting = []
        about, started = dict[str, dict[str, Any]](), time.monotonic()
        for name in self.courses:
            about[name] = self._train(name, conditions, short)
            if name in waiting:
                done, spent = waiting.index(name) + 1, time.monotonic() - started
                left = spent / done * (len(waiting) - done)
                seconds = about[name].get("seconds", 0.0)
                conditions.note(
                    f"{name} took {seconds:,.0f} s; {done} of {len(waiting)} are trained, about {left / MINUTE:,.0f} "
                    "min left"
                )
        return about

    def plans(self, limit: int | None) -> dict[str, dict[str, Any]]:
        """What is told of each course after its training, as far as that is known before; with a limit of steps."""
        found = {}
        for name, course in self.courses.items():
            plan, preset = _plan_of(course, _changes(course, limit))
            found[name] = {"preset": preset, "split": course.split or self.split, "steps": plan.steps}
        return found

    @property
    def preset(self) -> str:
        """By what plans courses train; as published where nothing is trained."""
        return ", ".join(dict.fromkeys(course.preset for course in self.courses.values())) or "paper"

    def folder(self, course: str, conditions: Conditions, *, short: bool = False) -> Path:
        """Where a course is kept."""
        return self.home(conditions) / "training" / (f"{course}-{conditions.limit}" if short else course)

    def home(self, conditions: Conditions) -> Path:
        """Where all that the study makes is kept: where the user says, or in the cache."""
        return conditions.out or cache_folder() / "studies" / self.name

    def weights(self, course: str, conditions: Conditions, *, short: bool = False) -> str:
        """What a learner is loaded from: the folder of a course, or what the package has of it."""
        folder, shipped = self.folder(course, conditions, short=short), self.courses[course].shipped
        return shipped if shipped and not short and not (folder / WEIGHTS).exists() else str(folder)

    def _is_trained(self, name: str, conditions: Conditions, short: bool) -> bool:
        folder = self.folder(name, conditions, short=short)
        return (folder / WEIGHTS).exists() or self.weights(name, conditions, short=short) != str(folder)

    def _train_share(self, waiting: Sequence[str], conditions: Conditions, short: bool) -> None:
        """Those of this shard; raises as long as those of others are not trained."""
        number, of = (0, 1) if conditions.shard == GATHER else parse_shard(str(conditions.shard))
        own = [name for place, name in enumerate(self.courses) if place % of == number - 1]
        for name in own:
            self._train(name, conditions, short)
            conditions.note(f"{name} is trained")
        others = [name for name in waiting if not self._is_trained(name, conditions, short)]
        if others:
            raise FairshotError(
                f"{', '.join(others)} must be trained by other shards before there is anything to answer: then give "
                "the same command again"
            )

    def _train_apart(self, waiting: Sequence[str], conditions: Conditions, short: bool) -> None:
        """In other processes, as many courses at once as there are; first those that others begin with."""
        alone, threads, done = Conditions(conditions.limit, out=conditions.out), torch.get_num_threads(), 0

        def work(name: str) -> str:
            torch.set_num_threads(threads)  # sums depend on it, and so do the weights
            self._train(name, alone, short)
            return name

        first = {self.courses[name].begin for name in self.courses}
        for some in ([n for n in waiting if n in first], [n for n in waiting if n not in first]):
            for name in ordered_map(work, some, count=len(some), backend=conditions.backend):
                done += 1
                conditions.note(f"{name} is trained, {done} of {len(waiting)}")

    def _train(self, name: str, conditions: Conditions, short: bool) -> dict[str, Any]:
        course, folder = self.courses[name], self.folder(name, conditions, short=short)
        if self.weights(name, conditions, short=short) == course.shipped:
            record, _ = read_record(find_weights(course.shipped, course.learner))
            return {"about": record.about, "steps": record.plan.steps, "shipped": course.shipped}
        changes = _changes(course, conditions.limit if short else None)
        if course.begin:
            changes["begin"] = self.weights(course.begin, conditions, short=short)

        def report(moment: Moment) -> None:
            conditions.progress(
                f"training {name}", moment.step, moment.steps, math.nan if moment.accuracy is None else moment.accuracy
            )

        fitted = train(
            course.learner,
            course.split or self.split,
            preset=course.preset,
            changes=changes,
            recipe=self.recipe,
            seed=self.seed if course.seed is None else course.seed,
            out=folder,
            reports=Reports(report),
        )
        log = read_log(folder)
        about = {"about": fitted.record.about, "preset": fitted.record.preset, "split": course.split or self.split}
        last = {"seconds": log[-1].seconds, "steps": log[-1].step, "loss": log[-1].loss, "accuracy": log[-1].accuracy}
        return {**about, **last}


def _plan_of(course: Course, changes: dict[str, Any]) -> tuple[Plan, str]:
    """The plan of a course with changes, and what the record calls it."""
    generator = find_trainable_generator(course.learner, course.preset)
    if generator is None:
        return find_plan(find_trainable(course.learner), course.preset, changes)
    return find_generator_plan(generator[0], course.preset, changes)


def _changes(course: Course, limit: int | None) -> dict[str, Any]:
    """The changes of a course's plan; with a limit, to at most that many steps."""
    changes = as_mapping(course.changes)
    return changes if limit is None else changes | _shortened(_plan_of(course, changes)[0], limit)


def _shortened(plan: Plan, limit: int) -> dict[str, Any]:
    """Fewer steps; where labels come first, the last of them is about episodes still."""
    steps = min(limit, plan.steps)
    return {"steps": steps} | ({"supervised": steps - 1} if plan.supervised >= steps else {})


def select_courses(courses: Mapping[str, Course], words: Sequence[str]) -> dict[str, Course]:
    """The courses whose names hold one of the words, with those that they begin with; raises where there are none.

    A word that is the whole name of a course stands for that one alone: `maml-all` is not `proto_maml-all`.
    """
    named = {name for word in words for name in ([word] if word in courses else courses) if word in name}
    if not named:
        raise unknown("course", " ".join(words), courses)
    needed = named | {courses[name].begin for name in named}
    return {name: course for name, course in courses.items() if name in needed}


@dataclass(frozen=True, kw_only=True)
class TrainedStudy(Study):
    """A study of what courses trained, which tells its findings in tables of its own."""

    view: ClassVar[str] = "facts"

    name: str
    """Where weights are kept, unless the user says where."""
    courses: Mapping[str, Course]
    episodes: int = 1000
    seed: int = 0

    @property
    def size(self) -> tuple[int, str]:
        """Episodes."""
        return self.episodes, "episodes"

    @property
    def preset(self) -> str:
        """Of all courses."""
        return self.trainings.preset

    @property
    def trainings(self) -> Trainings:
        """All courses."""
        return Trainings(self.name, self.courses, seed=self.seed)

    def short(self, conditions: Conditions) -> bool:
        """Whether this run is not the whole study; then training is cut short too."""
        return conditions.limit is not None and conditions.limit < self.episodes


@dataclass(frozen=True)
class TrainedTable(TableStudy):
    """Courses by name; a learner is one of them, a head on what one of them trained (`neighbours@baseline`), or any."""

    name: str = ""
    """Where weights are kept, unless the user says where."""
    split: str = ""
    courses: Mapping[str, Course] = field(default_factory=dict)

    @property
    def preset(self) -> str:
        """Of all courses."""
        return Trainings(self.name, self.courses).preset

    def prepare(self, conditions: Conditions) -> tuple[dict[str, Classifier], dict[str, dict[str, Any]]]:
        """Trains what is not yet trained; what shortens the table shortens the training."""
        trainings = Trainings(self.name, self.courses, self.split, self.recipe, self.seed)
        short = conditions.limit is not None and conditions.limit < self.episodes
        told, learners = trainings.run(conditions, short=short), {}
        for name in self.learners:
            spec = parse_learner(name)
            course = spec.weights or name
            own = course in self.courses
            kept = str(trainings.weights(course, conditions, short=short)) if own else course
            learners[name] = find_learner(str(replace(spec, weights=kept)) if spec.weights else kept)
        return learners, told
