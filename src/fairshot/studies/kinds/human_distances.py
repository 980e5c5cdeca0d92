"""How far all trainings of every generator are from people: medians, the best, and the concepts that they draw best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.results.schema import Result
from fairshot.results.study_rows import ConceptDistance, DistanceResult, SamplePoint, SampleResult
from fairshot.scoring.critic_view import INK, support_rows
from fairshot.scoring.human_distance import pooled_class_distances
from fairshot.scoring.sample_scores import HUMAN
from fairshot.statistics.estimate import LEVEL, Estimate, refuse
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.generator_model import Model
from fairshot.studies.kinds.generator_study import GeneratorStudy
from fairshot.studies.kinds.path_claim import Path, ReachClaim
from fairshot.studies.kinds.plane import POOLED, Plane
from fairshot.studies.kinds.plane_tables import claim_table, training_table
from fairshot.studies.kinds.sample_judge import Judge
from fairshot.studies.kinds.seed_intervals import over_seeds
from fairshot.studies.kinds.sweep import Axis
from fairshot.tables.table import Cell, Column, Quantity, Table, plain_columns

CONCEPTS = 8  # of each of two models
LONGER = "Concepts that {near} draws most like people have shorter lines than those of {far}."


def distinct(models: Sequence[Model]) -> tuple[Model, ...]:
    """Models without those whose courses another one has already."""
    found: dict[tuple[str, ...], Model] = {}
    for model in models:
        found.setdefault((*model.courses.values(), str(dict(model.sampling))), model)
    return tuple(found.values())


@dataclass(frozen=True, kw_only=True)
class HumanDistances(GeneratorStudy):
    """All models of all sweeps."""

    axes: tuple[Axis, ...]
    order: tuple[str, ...]
    """Generators as published, from the smallest median to the largest."""
    published_distances: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reaches: tuple[ReachClaim, ...] = ()
    """About axes, each named by its generator and setting."""
    pair: tuple[str, str]
    """The generators whose best models are compared concept by concept; the first is said to draw the simpler ones."""

    @property
    def claim_texts(self) -> list[str]:
        """The order of medians, how far settings reach, and which concepts are simple."""
        medians = [median_text(near, far) for near, far in zip(self.order, self.order[1:], strict=False)]
        return [*medians, *(claim.text for claim in self.reaches), LONGER.format(near=self.pair[0], far=self.pair[1])]

    def claims(self, plane: Plane) -> Iterator[Claim]:
        """The claims, with their numbers."""
        for near, far in zip(self.order, self.order[1:], strict=False):
            one, other = medians_by_seed(plane, near), medians_by_seed(plane, far)
            values = [other[seed] - one[seed] for seed in one if seed in other]
            about = f"median pooled distance, {far} minus {near}, seed by seed"
            yield Claim(median_text(near, far), about, over_seeds(values) if values else None)
        paths = {f"{axis.generator} {axis.setting}": axis_paths(plane, axis) for axis in self.axes}
        for reach in self.reaches:
            yield reach.claim(paths)
        yield self._simple_concepts(plane)

    def _simple_concepts(self, plane: Plane) -> Claim:
        near, far = self.pair
        chosen = choose_concepts(plane, self.pair)
        estimate = None
        if chosen is not None and plane.line_length is not None and all(chosen.of.values()):
            estimate = mean_difference(plane.line_length[chosen.of[far]], plane.line_length[chosen.of[near]])
        about = f"line length in pixels, {CONCEPTS} concepts of {far} minus as many of {near}"
        return Claim(LONGER.format(near=near, far=far), about, estimate)

    def result(self, fields: Mapping[str, Any], planes: Sequence[Plane], judges: Sequence[Judge]) -> SampleResult:
        """With the concepts of both best models."""
        concepts = [
            concept for plane, judge in zip(planes, judges, strict=True) for concept in self._concepts(plane, judge)
        ]
        best = {plane.critic: self._best(plane) for plane in planes}
        return DistanceResult(
            **fields, concepts=concepts, best=best, published_distances=dict(self.published_distances)
        )

    def _concepts(self, plane: Plane, judge: Judge) -> Iterator[ConceptDistance]:
        chosen = choose_concepts(plane, self.pair)
        if chosen is None or plane.line_length is None:
            return
        support = support_rows(judge.critics, judge.part, "central", shot=1, seed=self.seed)[:, 0]
        ink = np.asarray(judge.part.read(support)).mean(axis=1) > INK
        for generator, classes in chosen.of.items():
            for c in classes:
                yield ConceptDistance(
                    critic=plane.critic,
                    name=judge.part.class_names[judge.part.classes[c]],
                    nearest=chosen.models[generator],
                    distances={chosen.models[name]: float(far[c]) for name, far in chosen.distances.items()},
                    line_length=float(plane.line_length[c]),
                    side=ink.shape[1],
                    drawing=np.packbits(ink[c]).tobytes().hex(),
                )

    def points(self, plane: Plane) -> list[SamplePoint]:
        """All places; numbers by class that are in other results are not kept again, but for the best models."""
        best = self._best(plane)
        return [
            point.model_copy(update={"by_class": {}}) if point.known and point.model not in best else point
            for point in plane.points()
        ]

    def _best(self, plane: Plane) -> list[str]:
        generators = dict.fromkeys(model.generator for model in self.models)
        best = [best_model(plane, generator) for generator in generators]
        return [*(model for model in best if model), HUMAN]

    def tables(self, result: Result) -> list[Table]:
        """Medians and the best of each generator, concepts, claims and trainings."""
        assert isinstance(result, DistanceResult)
        critics = list(dict.fromkeys(point.critic for point in result.points))
        concepts = [concept_table(result, critic) for critic in critics]
        tables = [distance_table(result, critic) for critic in critics]
        tables += [*concepts, claim_table(result), training_table(result)]
        return [table for table in tables if table.rows]


@dataclass(frozen=True, eq=False)
class Chosen:
    """The concepts that each of two generators draws most like people."""

    models: dict[str, str]
    """The best model of each generator."""
    distances: dict[str, Float[np.ndarray, " class"]]
    of: dict[str, list[int]]


def choose_concepts(plane: Plane, pair: Sequence[str], count: int = CONCEPTS) -> Chosen | None:
    """Concepts of the smallest distance for either generator; one that is among both is given to the nearer."""
    best = {name: best_model(plane, name) for name in pair}
    models = {name: model for name, model in best.items() if model}
    if len(models) < len(pair):
        return None
    tables = [plane.mean_points(models[name]) for name in pair]
    far = pooled_class_distances(np.stack(tables), plane.mean_points(HUMAN))
    chosen: dict[str, list[int]] = {name: [] for name in pair}
    nearer = far.argmin(axis=0)
    for number, name in enumerate(pair):
        own = np.flatnonzero(nearer == number)
        chosen[name] = own[np.argsort(far[number][own], kind="stable")][:count].tolist()
    return Chosen(models, dict(zip(pair, far, strict=True)), chosen)


def best_model(plane: Plane, generator: str) -> str | None:
    """The model of a generator whose trainings are nearest to people on average; None where it was not run."""
    far: dict[str, list[float]] = {}
    for number, distance in plane.pooled.items():
        if plane.places[number].generator == generator:
            far.setdefault(plane.places[number].model, []).append(distance)
    return min(far, key=lambda model: float(np.mean(far[model]))) if far else None


def median_text(near: str, far: str) -> str:
    """The claim that one generator is nearer than another."""
    return f"The median of {near} is nearer to people than that of {far}."


def medians_by_seed(plane: Plane, generator: str) -> dict[int, float]:
    """The median distance of all models of a generator, for each seed."""
    found: dict[int, list[float]] = {}
    for number, distance in plane.pooled.items():
        place = plane.places[number]
        if place.generator == generator and place.seed is not None:
            found.setdefault(place.seed, []).append(distance)
    return {seed: float(np.median(distances)) for seed, distances in found.items()}


def axis_paths(plane: Plane, axis: Axis) -> dict[int, Path]:
    """The path of each seed along one setting; seeds that lack a value are left out."""
    by_course = {(place.course, place.model): place for place in plane.places if place.course}
    places = {course: place for (course, _), place in by_course.items()}
    paths = {}
    for seed in axis.seeds:
        courses = [model.courses[seed] for model in axis.models]
        if not axis.sampling and all(course in places for course in courses):
            paths[seed] = plane.unit_points([places[course] for course in courses])
    return paths


def mean_difference(one: Float[np.ndarray, " a"], other: Float[np.ndarray, " b"]) -> Estimate:
    """How much larger the mean of some classes is than that of others, by Welch's t; refused for single classes."""
    if min(len(one), len(other)) < 2:
        return refuse(float(one.mean() - other.mean()), "classes", "one class tells nothing about others")
    variances = [values.var(ddof=1) / len(values) for values in (one, other)]
    value, variance = float(one.mean() - other.mean()), float(sum(variances))
    doubt = sum(part**2 / (len(values) - 1) for part, values in zip(variances, (one, other), strict=True))
    half = float(stats.t.ppf((1 + LEVEL) / 2, variance**2 / doubt) * np.sqrt(variance)) if doubt > 0 else 0.0
    return Estimate(value=value, low=value - half, high=value + half, level=LEVEL, method="t", population="classes")


def distance_table(result: DistanceResult, critic: str) -> Table:
    """The median and the best of all trainings of each generator, beside what was published."""
    lines: list[list[Cell]] = []
    for generator in dict.fromkeys(point.generator for point in result.select(critic)):
        points = [point for point in result.select(critic, generator) if POOLED in point.values]
        if points:
            far = [point.values[POOLED] for point in points]
            best = points[int(np.argmin(far))]
            published = (
                result.published_distances.get(generator, (None, None)) if critic == "published" else (None, None)
            )
            cells = [None if number is None else Quantity(value=number) for number in published]
            line: list[Cell] = [
                generator,
                len(far),
                Quantity(value=float(np.median(far))),
                cells[0],
                Quantity(value=min(far)),
            ]
            lines.append([*line, cells[1], best.model])
    heads = ("trainings", "median", "published median", "best", "published best", "best model")
    columns = [Column(name="generator", code=True), *plain_columns(*heads)]
    note = (
        "As published: the axes are z-scored over all trainings and people, so that numbers depend on which models "
        "there are; the published ones are of other models."
    )
    return Table(title=f"Distance to people by the critics {critic}", columns=columns, rows=lines, notes=[note])


def concept_table(result: DistanceResult, critic: str) -> Table:
    """The concepts that each of two models draws most like people."""
    concepts = [concept for concept in result.concepts if concept.critic == critic]
    models = list(dict.fromkeys(model for concept in concepts for model in concept.distances))
    lines: list[list[Cell]] = [
        [number + 1, concept.name, *(Quantity(value=concept.distances[model]) for model in models), concept.line_length]
        for number, concept in enumerate(concepts)
    ]
    columns = plain_columns("concept", "name", *models, "line length")
    return Table(title=f"Concepts by the critics {critic}", columns=columns, rows=lines)
