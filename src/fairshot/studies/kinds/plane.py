"""All models of a study in the plane of one pair of critics: both axes, class by class and seed by seed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float

from fairshot.results.study_rows import ModelRow, SamplePoint
from fairshot.scoring.class_values import Parents
from fairshot.scoring.human_distance import HumanScale, pooled_distances
from fairshot.scoring.sample_scores import HUMAN
from fairshot.statistics.estimate import Estimate
from fairshot.studies.kinds.generator_model import Setting
from fairshot.studies.kinds.sample_judge import AXES, SetPoint
from fairshot.studies.kinds.seed_intervals import BySeed, difference_of_models, model_estimates, over_seeds

POOLED = "pooled distance"
SHARES = ("recognizability", "copies")
SIMPLE = ("copies", "originality")  # measures of which the mean over seeds is all that is told


@dataclass(frozen=True, kw_only=True, eq=False)
class Place:
    """One training of a model, or a yardstick, or people."""

    model: str
    generator: str
    found: SetPoint
    course: str = ""
    seed: int | None = None
    setting: str = ""
    position: float | None = None
    sampling: Mapping[str, Setting] = field(default_factory=dict)

    @property
    def trained(self) -> bool:
        """Whether a course gave it."""
        return self.seed is not None

    def point(self, critic: str, further: Mapping[str, float]) -> SamplePoint:
        """As a result keeps it."""
        found = self.found
        return SamplePoint(
            critic=critic,
            model=self.model,
            generator=self.generator,
            course=self.course,
            seed=self.seed,
            setting=self.setting,
            position=self.position,
            sampling=dict(self.sampling),
            values={**found.values, **further},
            by_class={axis: values.tolist() for axis, values in found.by_class.items()},
            known=found.known,
        )


@dataclass(frozen=True, eq=False)
class Plane:
    """Every training of every model, yardsticks and people."""

    critic: str
    places: Sequence[Place]
    way: int
    parents: Parents | None = None
    line_length: Float[np.ndarray, " class"] | None = None
    """How much there is to draw, by people's drawings."""

    @cached_property
    def human(self) -> Place:
        """People's drawings."""
        return next(place for place in self.places if place.model == HUMAN)

    @cached_property
    def scale(self) -> HumanScale:
        """What people set."""
        return HumanScale(self._points(self.human), 1 / self.way)

    @property
    def models(self) -> list[str]:
        """The names of all models, yardsticks and people, in their order."""
        return list(dict.fromkeys(place.model for place in self.places))

    def of(self, model: str) -> list[Place]:
        """All trainings of a model."""
        return [place for place in self.places if place.model == model]

    def table(self, model: str, axis: str) -> BySeed | None:
        """One axis of a model, or what classes add to its distance, by seed and class; None where it was not run."""
        places = self.of(model)
        if not places or (axis == "distance" and self.scale.lacking):
            return None
        if axis == "distance":
            return np.stack([self.scale.shares(self._points(place)) for place in places])
        return np.stack([place.found.by_class[axis] for place in places])

    def mean_points(self, model: str) -> Float[np.ndarray, "class 2"]:
        """Diversity and recognizability of every class, the means over the trainings of a model."""
        return np.mean([self._points(place) for place in self.of(model)], axis=0)

    def unit_points(self, places: Sequence[Place]) -> Float[np.ndarray, "place 2"]:
        """Points in shares of what people reach."""
        points = np.array([[place.found.values[axis] for axis in AXES] for place in places])
        return points / self.scale.units

    @cached_property
    def pooled(self) -> dict[int, float]:
        """The published distance of every training, by its number among all places; yardsticks are not in the pool."""
        numbers = [number for number, place in enumerate(self.places) if place.trained]
        points = {str(number): self._axes(self.places[number]) for number in numbers}
        found = pooled_distances({**points, HUMAN: self._axes(self.human)})
        return {number: found.values[str(number)] for number in numbers}

    def pooled_of(self, generator: str) -> list[float]:
        """The published distances of all trainings of a generator, whatever its settings."""
        return [far for number, far in self.pooled.items() if self.places[number].generator == generator]

    def difference(self, one: str, other: str, axis: str) -> Estimate | None:
        """How much larger an axis is of one model than of another; None where one of them was not run."""
        tables = self.table(one, axis), self.table(other, axis)
        if tables[0] is None or tables[1] is None:
            return None
        return difference_of_models(tables[0], tables[1], self._groups_of(axis))

    def points(self) -> list[SamplePoint]:
        """All places, as a result keeps them."""
        further = [{POOLED: self.pooled[number]} if number in self.pooled else {} for number in range(len(self.places))]
        return [place.point(self.critic, more) for place, more in zip(self.places, further, strict=True)]

    def rows(self, part: str, key: str) -> Iterator[ModelRow]:
        """A row for every measure of every model."""
        for model in self.models:
            for metric in (*AXES, *(["distance"] if model != HUMAN else [])):
                table = self.table(model, metric)
                if table is not None:
                    share = metric in SHARES
                    yield self._row(
                        model, metric, model_estimates(table, self._groups_of(metric), share=share), part, key=key
                    )
            simple = {
                name: [place.found.values[name] for place in self.of(model) if name in place.found.values]
                for name in SIMPLE
            }
            simple[POOLED] = [
                self.pooled[number]
                for number, place in enumerate(self.places)
                if place.model == model and place.trained
            ]
            for metric, values in simple.items():
                if values:
                    yield self._row(model, metric, {"runs": over_seeds(values)}, part, key=key)

    def _row(self, model: str, metric: str, estimates: Mapping[str, Estimate], part: str, *, key: str) -> ModelRow:
        first, *others = self.of(model)
        return ModelRow(
            learner=model,
            task=self.critic,
            part=part,
            metric=metric,
            episodes=0,
            episodes_key=key,
            per_query=False,
            higher_is_better=metric == "recognizability",
            value=next(iter(estimates.values())).value,
            intervals={name: estimate.interval for name, estimate in estimates.items()},
            runs=[place.course for place in (first, *others) if place.course],
            notes=[f"{name}: {estimate.reason}" for name, estimate in estimates.items() if estimate.reason],
            generator=first.generator,
            setting=first.setting,
            position=first.position,
            seeds=1 + len(others),
        )

    def _groups_of(self, axis: str) -> Parents | None:
        """Classes count one by one where episodes mix parents."""
        return None if axis == "recognizability" else self.parents

    def _points(self, place: Place) -> Float[np.ndarray, "class 2"]:
        return np.stack([place.found.by_class[axis] for axis in AXES], axis=1)

    def _axes(self, place: Place) -> tuple[float, float]:
        return place.found.values[AXES[0]], place.found.values[AXES[1]]
