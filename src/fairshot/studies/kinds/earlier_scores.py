"""Scores that stand in results of earlier runs: such courses are neither trained nor scored again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.results.schema import read_result
from fairshot.results.study_rows import SamplePoint, SampleResult
from fairshot.runtime.errors import FairshotError
from fairshot.studies.kinds.generator_model import Setting
from fairshot.studies.kinds.sample_judge import KEPT, Judge, SetPoint

Plans = Mapping[str, Mapping[str, Any]]
"""By course, what is told of its training as far as that is known before it: preset, split and steps."""


@dataclass(frozen=True, eq=False)
class EarlierScores:
    """Results by the names of their files; where several have a score, the first one counts."""

    results: Mapping[str, SampleResult]

    def find(self, judge: Judge, name: str, sampling: Mapping[str, Setting] | None = None) -> SetPoint | None:
        """What a pair of critics found about a course, a yardstick or people; None where nobody knows."""
        wanted = (judge.critics.name, name, dict(sampling or {}))
        for file, result in self.results.items():
            for point in result.points:
                if (point.critic, point.course or point.model, point.sampling) == wanted and point.by_class:
                    return _set_point(point, file)
        return None

    def sheet(self, drawer: str) -> str:
        """Samples of a course; empty where nobody has some."""
        return next((result.sheets[drawer] for result in self.results.values() if drawer in result.sheets), "")

    def training(self, course: str) -> dict[str, Any]:
        """How a course was trained, of which there are scores."""
        return next(result.training[course] for result in self.results.values() if course in result.training)


def read_earlier(files: Sequence[Path | str], judges: Sequence[Judge], plans: Plans) -> EarlierScores:
    """The results of some files; raises where their courses or critics have the same names and are others."""
    results = {str(file): _read(Path(file)) for file in files}
    for file, result in results.items():
        for judge in judges:
            _compare_judging(file, result.judging.get(judge.critics.name), judge)
        for course in plans.keys() & result.training.keys():
            _compare_training(file, course, result.training[course], plans[course])
    return EarlierScores(results)


def _read(file: Path) -> SampleResult:
    result = read_result(file)
    if not isinstance(result, SampleResult):
        raise FairshotError(f"{file} is of another kind of study: --known takes results of studies of generators")
    if not result.judging:
        raise FairshotError(
            f"{file} does not have the scores of every course class by class, as older results do not: run its study "
            "again to use it with --known"
        )
    return result


def _compare_judging(file: str, earlier: Mapping[str, Any] | None, judge: Judge) -> None:
    """Raises where a pair of critics of the same name judged otherwise; what was not judged by it is missing only."""
    if earlier is None:
        return
    for name, here in judge.identity.items():
        there = earlier.get(name)
        if there != here:
            raise FairshotError(
                f"{file} has scores by {judge.critics.name} with {name} {_words(there)}, and this run has "
                f"{_words(here)}: leave it out of --known"
            )


def _compare_training(file: str, course: str, earlier: Mapping[str, Any], plan: Mapping[str, Any]) -> None:
    for name, here in plan.items():
        there = earlier.get(name)
        if there != here:
            raise FairshotError(
                f"{file} has {course} trained with {name} {_words(there)}, and this run has {_words(here)}: leave it "
                "out of --known"
            )


def _words(value: Any) -> str:
    return " and ".join(value.values()) if isinstance(value, Mapping) else str(value)


def _set_point(point: SamplePoint, file: str) -> SetPoint:
    values = {measure: value for measure, value in point.values.items() if measure in KEPT}
    return SetPoint(values, {axis: np.array(numbers) for axis, numbers in point.by_class.items()}, file)
