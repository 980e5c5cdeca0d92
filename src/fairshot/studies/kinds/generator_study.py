"""A study of generators: courses that are trained or found again, and their samples before critics."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float

from fairshot.results.schema import LIMITED, Result, SourceName
from fairshot.results.study_rows import ClassTable, SampleResult
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.critic_view import INK
from fairshot.scoring.critics import Critics
from fairshot.scoring.line_length import line_length
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognition import WAY
from fairshot.scoring.sample_scores import HUMAN
from fairshot.sources.source import Source
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.generator_model import Model, select_courses, trainings_of
from fairshot.studies.kinds.plane import Place, Plane
from fairshot.studies.kinds.sample_judge import AXES, Judge, make_judge, open_course
from fairshot.studies.kinds.trained_table import Trainings
from fairshot.studies.study import Choice, Conditions, Study

DIGITS = 5  # of a number a class, in the result
LEAST = 2  # trials a class, with which every class is asked for

Point = tuple[float, float]


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

    def kept_models(self, plane: Plane) -> list[str]:
        """Those whose numbers by class are kept."""
        return plane.models

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
        return replace(study, critics=(choice.critic,)) if choice.critic else study

    def run(self, conditions: Conditions) -> Result:
        """Trains what is not trained yet, scores what is not scored yet, and compares."""
        short = conditions.limit is not None and conditions.limit < self.times
        trainings = self.trainings
        training = trainings.run(conditions, short=short)
        times = max(LEAST, min(self.times, conditions.limit or self.times))
        protocol = Protocol(way=self.way, times=times, seed=self.seed)
        scores = trainings.folder("any", conditions).parent.parent / "scores"
        judges = [make_judge(critic, self.on, protocol, scores) for critic in self.critics]
        planes = [self._plane(judge, trainings, conditions, short) for judge in judges]
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
            "points": [point for plane in planes for point in plane.points()],
            "classes": self._class_table(part, planes),
            "positions": dict(self.positions),
        }
        return conditions.stamp(self.result(fields, planes, judges))

    def _class_table(self, part: Source, planes: Sequence[Plane]) -> ClassTable:
        """Both axes of every class, the mean over seeds of each model, and how much there is to draw."""
        values = {
            plane.critic: {
                model: {axis: _short(values) for axis, values in zip(AXES, plane.mean_points(model).T, strict=True)}
                for model in self.kept_models(plane)
            }
            for plane in planes
        }
        lengths = planes[0].line_length
        return ClassTable(
            names=[part.class_names[c] for c in part.classes],
            line_length=[] if lengths is None else _short(lengths),
            values=values,
        )

    def _plane(self, judge: Judge, trainings: Trainings, conditions: Conditions, short: bool) -> Plane:
        """Everything that is compared, as one pair of critics sees it."""
        places, courses = [], [(model, seed) for model in self.models for seed in model.seeds]
        for number, (model, seed) in enumerate(courses):
            conditions.progress(f"scoring by {judge.critics.name}", number, len(courses), np.nan)
            name = model.courses[seed]
            places.append(self._place(judge, model, seed, trainings.folder(name, conditions, short=short)))
        for spec in self.yardsticks:
            places.append(Place(model=spec, generator=spec, found=judge.point(spec, spec, spec)))
        places.append(Place(model=HUMAN, generator=HUMAN, found=judge.people()))
        return Plane(judge.critics.name, places, self.way, judge.parents, mean_lengths(judge.part))

    def _place(self, judge: Judge, model: Model, seed: int, folder: Path) -> Place:
        name = model.courses[seed]
        generator, key = open_course(model.generator, folder, model.sampling)
        setting, position = self.position_of(model)
        return Place(
            model=model.label,
            generator=model.generator,
            found=judge.point(name, generator, key),
            course=name,
            seed=seed,
            setting=setting,
            position=position,
        )

    def position_of(self, model: Model) -> tuple[str, float | None]:
        """What is varied and its value, in a sweep."""
        return "", None

    def _plan_name(self, model: Model) -> str:
        return f"{model.preset} with {model.changes}" if model.changes else model.preset


def mean_lengths(part: Source) -> Float[np.ndarray, " class"]:
    """How long the lines of people's drawings are, in pixels, the mean of each class."""
    labels = np.searchsorted(part.classes, part.class_ids)
    ink = np.asarray(part.read(slice(None))).mean(axis=1) > INK
    return np.bincount(labels, line_length(ink)) / np.bincount(labels)


def _short(values: np.ndarray) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]
