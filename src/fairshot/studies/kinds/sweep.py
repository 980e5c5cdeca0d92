"""Sweeps: one setting of a generator at several values, trained with several seeds: a path through the plane."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fairshot.results.schema import Result
from fairshot.results.study_rows import CurveFit, SamplePoint, SampleResult
from fairshot.scoring.sample_scores import HUMAN
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.curve_fit import filter_path, fit_path
from fairshot.studies.kinds.generator_model import Model, Setting
from fairshot.studies.kinds.generator_study import GeneratorStudy
from fairshot.studies.kinds.path_claim import Path, PathQuestion, Paths, change, reach
from fairshot.studies.kinds.plane import Plane
from fairshot.studies.kinds.plane_tables import plane_tables
from fairshot.studies.kinds.sample_judge import Judge
from fairshot.studies.kinds.seed_intervals import over_seeds
from fairshot.tables.table import Cell, Column, Quantity, Table, plain_columns

Smoothing = Literal["filter", "polynomials"]


@dataclass(frozen=True)
class Axis:
    """One setting of one generator, and the values that it takes."""

    generator: str
    setting: str
    values: tuple[Setting, ...]
    seeds: tuple[int, ...] = (0, 1, 2)
    preset: str = "quick"
    sampling: bool = False
    """Whether the setting changes drawing alone, so that nothing is trained for its values."""

    @property
    def models(self) -> tuple[Model, ...]:
        """A model for each value."""
        return tuple(
            Model(self.generator, preset=self.preset, seeds=self.seeds, sampling={self.setting: value})
            if self.sampling
            else Model(self.generator, {self.setting: value}, self.preset, self.seeds)
            for value in self.values
        )


def models_of(axes: Sequence[Axis]) -> tuple[Model, ...]:
    """The models of all values of all axes."""
    return tuple(model for axis in axes for model in axis.models)


@dataclass(frozen=True, kw_only=True)
class Sweep(GeneratorStudy):
    """The paths of one or more generators."""

    axes: tuple[Axis, ...]
    smoothing: Smoothing = "polynomials"
    questions: tuple[PathQuestion, ...] = ()

    @property
    def claim_texts(self) -> list[str]:
        """One of each question."""
        return [question.text for question in self.questions]

    def claims(self, plane: Plane) -> Iterator[Claim]:
        """The questions, with their numbers."""
        paths = {axis.generator: seed_paths(plane.points(), axis.generator, self.way) for axis in self.axes}
        return (question.claim(paths) for question in self.questions)

    def position_of(self, model: Model) -> tuple[str, float | None]:
        """The setting of the generator's axis, and the value that the model has."""
        setting = next(axis.setting for axis in self.axes if axis.generator == model.generator)
        return setting, float({**model.settings, **model.sampling}[setting])

    def result(self, fields: Mapping[str, Any], planes: Sequence[Plane], judges: Sequence[Judge]) -> SampleResult:
        """With a smooth curve for every path."""
        smooth = filter_path if self.smoothing == "filter" else fit_path
        fits = []
        for plane in planes:
            for axis in self.axes:
                for seed, points in ordered_points(plane.points(), axis.generator).items():
                    positions = np.array([point.position for point in points], dtype=np.float64)
                    fit = smooth(positions, np.array([point.place for point in points]))
                    diversity, recognizability = fit.path.T.tolist()
                    fits.append(
                        CurveFit(
                            critic=plane.critic,
                            curve=axis.generator,
                            seed=seed,
                            positions=fit.positions.tolist(),
                            diversity=diversity,
                            recognizability=recognizability,
                        )
                    )
        return SampleResult(**fields, fits=fits)

    def tables(self, result: Result) -> list[Table]:
        """Positions, how far each path goes, claims and trainings."""
        assert isinstance(result, SampleResult)
        tables = plane_tables(result)
        trends = [trend_table(result, critic) for critic in dict.fromkeys(point.critic for point in result.points)]
        first_claims = next((n for n, table in enumerate(tables) if table.title == "Claims"), len(tables))
        return [*tables[:first_claims], *(table for table in trends if table.rows), *tables[first_claims:]]


def ordered_points(points: Sequence[SamplePoint], generator: str) -> dict[int, list[SamplePoint]]:
    """The points of a generator by seed, in the order of the setting; seeds that lack a value are left out."""
    own = [point for point in points if point.generator == generator and point.position is not None]
    values = {point.position for point in own}
    by_seed: dict[int, list[SamplePoint]] = {}
    for point in sorted(own, key=lambda point: point.position or 0.0):
        by_seed.setdefault(point.seed or 0, []).append(point)
    return {seed: found for seed, found in by_seed.items() if len(found) == len(values) and len(found) > 2}


def seed_paths(points: Sequence[SamplePoint], generator: str, way: int) -> dict[int, Path]:
    """The path of each seed, in shares of what people reach, recognizability above chance."""
    human = next(point for point in points if point.model == HUMAN)
    units = np.array(human.place) - np.array([0.0, 1 / way])
    return {
        seed: np.array([point.place for point in found]) / units
        for seed, found in ordered_points(points, generator).items()
    }


def trend_table(result: SampleResult, critic: str) -> Table:
    """How both axes change along the sweep of each generator, and how far its path reaches."""
    points = [point for point in result.points if point.critic == critic]
    generators = dict.fromkeys((point.generator, point.setting) for point in points if point.position is not None)
    lines: list[list[Cell]] = []
    for generator, setting in generators:
        paths: Paths = {generator: seed_paths(points, generator, result.way)}
        numbers = [[change(path, 0), change(path, 1), reach(path)] for path in paths[generator].values()]
        if numbers:
            estimates = [over_seeds(column) for column in zip(*numbers, strict=True)]
            cells = [
                Quantity(value=e.value, low=e.low, high=e.high, population="runs", why=e.reason) for e in estimates
            ]
            lines.append([generator, setting, len(numbers), *cells])
    heads = ("setting", "runs", "change of diversity", "change of recognizability", "reach")
    note = (
        "In shares of what people reach; in brackets 95% for other seeds. Change: from the first value to the last, by "
        "a straight line over their order. Reach: the root of the mean squared distance from the middle of the path."
    )
    columns = [Column(name="generator", code=True), *plain_columns(*heads)]
    return Table(title=f"Paths by the critics {critic}", columns=columns, rows=lines, notes=[note])
