"""Learners trained on one source and on many, and tried on every source by itself."""

from dataclasses import dataclass, replace

from fairshot.results.schema import LIMITED, Result, SourceName
from fairshot.runtime.fingerprints import fingerprint
from fairshot.specs.data import find_part
from fairshot.studies.kinds.trained_table import TrainedStudy, select_courses
from fairshot.studies.study import Choice, Conditions


@dataclass(frozen=True)
class Tested:
    """A source that learners are tried on."""

    label: str
    what: str
    trained: bool
    """Whether other classes of it are trained on, where many sources are."""
    lacks: str
    """What it is, and what it lacks against the released one."""


@dataclass(frozen=True, kw_only=True)
class ManySources(TrainedStudy):
    """Settings (what is trained on) by learners (how) by sources (where it is tried)."""

    sources: tuple[Tested, ...]
    recipe: str
    only: tuple[str, ...] = ()
    """Words in the names of courses, where these alone are to be trained and nothing is tried."""

    @property
    def preset(self) -> str:
        """Of all courses, or which part of them this is."""
        return f"{LIMITED} courses with {' or '.join(self.only)}" if self.only else super().preset

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Nothing yet."""
        return set()

    def choose(self, choice: Choice) -> "ManySources":
        """Courses by words in their names: these are trained, and nothing else is done."""
        if [f"--{name}" for name in ("only",)] != choice.asked:
            super().choose(replace(choice, only=()))
        return replace(self, courses=select_courses(self.courses, choice.only), only=choice.only)

    def run(self, conditions: Conditions) -> Result:
        """Trains; where all courses are there, tries them."""
        training = self.trainings.run(conditions, short=self.short(conditions))
        part = find_part(self.sources[0].what, recipe=self.recipe)
        key = fingerprint([source.what for source in self.sources], self.seed)
        result = Result(seed=self.seed, source=SourceName.of(part), episodes_key=key, rows=[], training=training)
        return conditions.stamp(result)
