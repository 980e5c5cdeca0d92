"""A table whose learners are trained first, each by one named plan; what was trained is kept and found again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairshot.learners.checkpoint import read_log
from fairshot.learners.learner import Classifier
from fairshot.learners.training import Moment, Reports
from fairshot.resolve import find_learner
from fairshot.runtime.cache import cache_folder
from fairshot.studies.study import Conditions, Table
from fairshot.train import find_plan, find_trainable, train


@dataclass(frozen=True)
class Course:
    """How one learner is trained."""

    learner: str
    preset: str = "laptop"
    changes: str = ""
    split: str = ""
    """Where it is not that of the table."""


@dataclass(frozen=True)
class TrainedTable(Table):
    """Courses by name; a learner is one of them, a head on what one of them trained (`neighbours@baseline`), or any."""

    name: str = ""
    """Where weights are kept, unless the user says where."""
    split: str = ""
    courses: Mapping[str, Course] = field(default_factory=dict)

    def prepare(self, conditions: Conditions) -> tuple[dict[str, Classifier], dict[str, dict[str, Any]]]:
        """Trains what is not yet trained; what shortens the table shortens the training."""
        kept = (conditions.out or cache_folder() / "studies" / self.name) / "training"
        told = {name: self._train(name, self._folder(kept, name, conditions), conditions) for name in self.courses}
        learners = {}
        for name in self.learners:
            head, at, course = name.rpartition("@")
            trained = f"{head}{at}{self._folder(kept, course, conditions)}" if course in self.courses else name
            learners[name] = find_learner(trained)
        return learners, told

    def _folder(self, kept: Path, course: str, conditions: Conditions) -> Path:
        return kept / (f"{course}-{conditions.limit}" if self._short(conditions) else course)

    def _short(self, conditions: Conditions) -> bool:
        """Whether this run is not the whole study; then training is cut short too."""
        return conditions.limit is not None and conditions.limit < self.episodes

    def _train(self, name: str, folder: Path, conditions: Conditions) -> dict[str, Any]:
        course = self.courses[name]
        changes = course.changes
        if conditions.limit is not None and self._short(conditions):
            plan, _ = find_plan(find_trainable(course.learner), course.preset, changes)
            steps = min(conditions.limit, plan.steps)
            changes = ",".join(filter(None, [changes, f"steps={steps}"]))

        def report(moment: Moment) -> None:
            conditions.progress(f"training {name}", moment.step, moment.steps, moment.accuracy)

        fitted = train(
            course.learner, course.split or self.split, preset=course.preset, changes=changes, recipe=self.recipe,
            seed=self.seed, out=folder, reports=Reports(report),
        )  # fmt: skip
        log = read_log(folder)
        about = {"about": fitted.record.about, "seconds": log[-1].seconds, "steps": log[-1].step}
        return about | {"loss": log[-1].loss, "accuracy": log[-1].accuracy}
