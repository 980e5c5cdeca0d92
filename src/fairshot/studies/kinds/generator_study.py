"""A study of generators: courses that are trained or found again, and their samples before critics."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float

from fairshot.results.schema import LIMITED, Result, SourceName
from fairshot.results.study_rows import ClassTable, SamplePoint, SampleResult, name_drawer
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.critic_view import INK
from fairshot.scoring.critics import Critics
from fairshot.scoring.line_length import line_length
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognition import WAY
from fairshot.scoring.sample_scores import HUMAN
from fairshot.sources.source import Source
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.earlier_scores import EarlierScores, read_earlier
from fairshot.studies.kinds.generator_model import Model, select_courses, trainings_of
from fairshot.studies.kinds.plane import Place, Plane
from fairshot.studies.kinds.sample_judge import AXES, Judge, SetPoint, make_judge, open_course, shorten
from fairshot.studies.kinds.sample_sheet import CONCEPTS, sample_sheet
from fairshot.studies.kinds.trained_table import Trainings
from fairshot.studies.study import Choice, Conditions, Study
from fairshot.tables.words import count_of

LEAST = 2  # trials a class, with which every class is asked for

Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Look:
    """How critics come to samples: those of earlier results first, then what was trained here."""

    earlier: EarlierScores
    folder: Callable[[str], Path]
    """Where a course was trained."""
    progress: Progress

    def course(self, judge: Judge, model: Model, seed: int) -> SetPoint:
        """What a trained generator draws."""
        name = model.courses[seed]
        known = self.earlier.find(judge, name, model.sampling)
        return known or judge.point(name, *open_course(model.generator, self.folder(name), model.sampling))

    def sheets(self, judge: Judge, models: Sequence[Model]) -> dict[str, str]:
        """Some samples of every course, by its name and its settings of drawing."""
        exemplars, found = judge.exemplars(CONCEPTS), {}
        for model in models:
            for course in model.courses.values():
                drawer = name_drawer(course, model.sampling)
                if self.earlier.find(judge, course, model.sampling):
                    found[drawer] = self.earlier.sheet(drawer)
                else:
                    generator, _ = open_course(model.generator, self.folder(course), model.sampling)
                    found[drawer] = sample_sheet(generator, exemplars, judge.protocol.seed)
        return {drawer: sheet for drawer, sheet in found.items() if sheet}

    def yardstick(self, judge: Judge, spec: str) -> SetPoint:
        """What nobody has to train."""
        return self.earlier.find(judge, spec) or judge.point(spec, spec, spec)

    def people(self, judge: Judge) -> SetPoint:
        """What people draw."""
        return self.earlier.find(judge, HUMAN) or judge.people()


@dataclass(frozen=True, kw_only=True)
class GeneratorStudy(Study):
    """Models, each trained with several seeds, in the planes of one or more pairs of critics."""

    view: ClassVar[str] = "facts"

    models: tuple[Model, ...]
    yardsticks: tuple[str, ...] = ()
    split: str = "omniglot/weak-val"
    on: str | None = "omniglot/weak-val/novel"
    critics: tuple[str | Critics, ...] = ("published", "omniglot")
    positions: Mapping[str, Point] = field(default_factory=dict)
    """Diversity and recognizability as published, by model."""
    way: int = WAY
    times: int = 500
    seed: int = 0
    only: tuple[str, ...] = ()
    """Words that the names of courses had to hold, where this is a part of a study."""
    known: tuple[Path | str, ...] = ()
    """Results of earlier runs."""

    @property
    def size(self) -> tuple[int, str]:
        """How often each class is asked for; a limit is one of training steps too."""
        return self.times, "training steps and trials a class"

    @property
    def preset(self) -> str:
        """Of all courses, or which part of them this is."""
        if self.only:
            return f"{LIMITED} courses with {' or '.join(self.only)}"
        return ", ".join(dict.fromkeys(self._plan_name(model) for model in self.models))

    @property
    def critic_names(self) -> list[str]:
        """What the pairs of critics are called."""
        return [critic.name if isinstance(critic, Critics) else critic for critic in self.critics]

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every model, yardstick and people, and every claim, by every pair of critics."""
        names = [*(model.label for model in self.models), *self.yardsticks, HUMAN, *self.claim_texts]
        return {(name, critic) for name in names for critic in self.critic_names}

    @property
    @abstractmethod
    def claim_texts(self) -> list[str]:
        """The claims that are tested."""

    @abstractmethod
    def claims(self, plane: Plane) -> Iterator[Claim]:
        """The claims, with their numbers."""

    def result(self, fields: Mapping[str, Any], planes: Sequence[Plane], judges: Sequence[Judge]) -> SampleResult:
        """The result with what a kind of study adds to it."""
        return SampleResult(**fields)

    def points(self, plane: Plane) -> list[SamplePoint]:
        """All places, as the result keeps them."""
        return plane.points()

    @property
    def trainings(self) -> Trainings:
        """All courses, which studies of generators share."""
        return trainings_of(self.models, self.split)

    def published_for(self, learner: str, task: str, metric: str) -> float | None:
        """Positions that were published, on the scale of the published critics alone."""
        if task != "published" or metric not in AXES or learner not in self.positions:
            return None
        return self.positions[learner][AXES.index(metric)]

    def choose(self, choice: Choice) -> "GeneratorStudy":
        """Courses by words in their names, another pair of critics, settings of all generators."""
        study = self
        if choice.settings:
            study = replace(study, models=tuple(model.with_settings(choice.settings) for model in study.models))
        if choice.only:
            study = replace(study, models=select_courses(study.models, choice.only), only=choice.only)
        if choice.known:
            study = replace(study, known=choice.known)
        return replace(study, critics=(choice.critic,)) if choice.critic else study

    def run(self, conditions: Conditions) -> Result:
        """Trains what is not trained yet, scores what is not scored yet, and compares."""
        short = conditions.limit is not None and conditions.limit < self.times
        trainings = self.trainings
        times = max(LEAST, min(self.times, conditions.limit or self.times))
        protocol = Protocol(way=self.way, times=times, seed=self.seed)
        scores = trainings.folder("any", conditions).parent.parent / "scores"
        judges = [make_judge(critic, self.on, protocol, scores) for critic in self.critics]
        earlier = read_earlier(self.known, judges, trainings.plans(conditions.limit if short else None))
        training = self._train(trainings, judges, earlier, conditions, short=short)
        look = Look(earlier, lambda course: trainings.folder(course, conditions, short=short), conditions.progress)
        planes = [self._plane(judge, look) for judge in judges]
        part = judges[0].part
        key = fingerprint(part.origin, self.way, times, self.seed)
        rows = [row for plane in planes for row in plane.rows(part.name, key)]
        rows = [
            row.model_copy(update={"published": self.published_for(row.learner, row.task, row.metric)}) for row in rows
        ]
        claims = [claim.row(plane.critic, part.name, key) for plane in planes for claim in self.claims(plane)]
        fields = {
            "seed": self.seed,
            "source": SourceName.of(part),
            "episodes_key": key,
            "rows": [*rows, *claims],
            "training": training,
            "critics": {judge.critics.name: judge.critics.about for judge in judges},
            "way": self.way,
            "times": times,
            "judging": {judge.critics.name: judge.identity for judge in judges},
            "points": [point for plane in planes for point in self.points(plane)],
            "classes": class_table(part),
            "sheets": look.sheets(judges[0], self.models),
            "positions": dict(self.positions),
        }
        return conditions.stamp(self.result(fields, planes, judges))

    def _train(
        self,
        trainings: Trainings,
        judges: Sequence[Judge],
        earlier: EarlierScores,
        conditions: Conditions,
        *,
        short: bool,
    ) -> dict[str, dict[str, Any]]:
        """Trains the courses that somebody has to judge yet; how each course was trained, here or earlier."""
        missing = {
            name
            for model in self.models
            for name in model.courses.values()
            if any(earlier.find(judge, name, model.sampling) is None for judge in judges)
        }
        if self.known:
            number = len(trainings.courses)
            conditions.note(f"{number - len(missing)} of {count_of(number, 'course')} known from earlier results")
        wanted = {name: course for name, course in trainings.courses.items() if name in missing}
        trained = replace(trainings, courses=wanted).run(conditions, short=short)
        return {name: trained.get(name) or earlier.training(name) for name in trainings.courses}

    def _plane(self, judge: Judge, look: Look) -> Plane:
        """Everything that is compared, as one pair of critics sees it."""
        places, courses = [], [(model, seed) for model in self.models for seed in model.seeds]
        for number, (model, seed) in enumerate(courses):
            look.progress(f"scoring by {judge.critics.name}", number, len(courses), np.nan)
            places.append(self._place(model, seed, look.course(judge, model, seed)))
        places += [Place(model=spec, generator=spec, found=look.yardstick(judge, spec)) for spec in self.yardsticks]
        places.append(Place(model=HUMAN, generator=HUMAN, found=look.people(judge)))
        return Plane(judge.critics.name, places, self.way, judge.parents, mean_lengths(judge.part))

    def _place(self, model: Model, seed: int, found: SetPoint) -> Place:
        setting, position = self.position_of(model)
        return Place(
            model=model.label,
            generator=model.generator,
            found=found,
            course=model.courses[seed],
            seed=seed,
            setting=setting,
            position=position,
            sampling=model.sampling,
        )

    def position_of(self, model: Model) -> tuple[str, float | None]:
        """What is varied and its value, in a sweep."""
        return "", None

    def _plan_name(self, model: Model) -> str:
        return f"{model.preset} with {model.changes}" if model.changes else model.preset


def class_table(part: Source) -> ClassTable:
    """The classes, and how much there is to draw."""
    lengths = shorten(mean_lengths(part).tolist()).tolist()
    return ClassTable(names=[part.class_names[c] for c in part.classes], line_length=lengths)


def mean_lengths(part: Source) -> Float[np.ndarray, " class"]:
    """How long the lines of people's drawings are, in pixels, the mean of each class."""
    labels = np.searchsorted(part.classes, part.class_ids)
    ink = np.asarray(part.read(slice(None))).mean(axis=1) > INK
    return np.bincount(labels, line_length(ink)) / np.bincount(labels)
