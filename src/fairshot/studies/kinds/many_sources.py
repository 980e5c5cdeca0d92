"""Learners trained on one source and on many, and tried on every source by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.learner import Classifier
from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import joint_key
from fairshot.results.schema import LIMITED, Result, SourceName
from fairshot.results.source_rows import ManySourcesResult
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.studies.kinds.source_findings import Findings, Heading, Tested, gather
from fairshot.studies.kinds.source_tables import source_tables
from fairshot.studies.kinds.trained_table import TrainedStudy, select_courses
from fairshot.studies.study import Choice, Conditions
from fairshot.tables.table import Table
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

GRAIN = (Uniform(way=5, shot=5, query=5, disjoint=None), WithinParent(way=5, shot=5, query=5, disjoint=None))
"""Any classes together, and classes of one parent."""


@dataclass(frozen=True)
class Head:
    """A learner of the table: what a course trained, or another head on its network."""

    course: str
    """Without the setting: `baseline` stands for baseline-mini and baseline-all."""
    spec: str = ""
    """Such as `neighbours`, where it is not what was trained that answers."""
    slow: bool = False
    """Whether it descends in each episode, and answers the short list of small episodes alone."""


@dataclass(frozen=True, kw_only=True)
class ManySources(TrainedStudy):
    """Settings (what is trained on) by learners (how) by sources (where it is tried)."""

    sources: tuple[Tested, ...]
    heads: Mapping[str, Head]
    """By the name of a learner in tables."""
    settings: tuple[str, str]
    """Trained on one source, trained on many."""
    task: TaskDistribution
    small: TaskDistribution
    """Episodes that slow learners can answer; all learners answer some of these."""
    small_episodes: int = 200
    recipe: str
    ratios: tuple[tuple[str, str], ...] = ()
    """Clusterers, each with the classifier whose accuracy its own is divided by."""
    ranked: tuple[str, ...] = ()
    grain: str = ""
    """The source whose parents are coarse classes."""
    published: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """What a learner gains on a source by training on many, as a fraction."""
    only: tuple[str, ...] = ()
    """Words in the names of courses, where these alone are to be trained and nothing is tried."""

    @property
    def preset(self) -> str:
        """Of all courses, or which part of them this is."""
        return f"{LIMITED} courses with {' or '.join(self.only)}" if self.only else super().preset

    @property
    def heading(self) -> Heading:
        """What findings are about."""
        names = tuple(name for name, head in self.heads.items() if not head.slow)
        return Heading(
            settings=self.settings,
            sources=self.sources,
            learners=tuple(self.heads),
            fast=names,
            ranked=self.ranked,
            ratios=self.ratios,
            published=self.published,
        )

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner of every setting on every source, and every claim."""
        labels = [source.label for source in self.sources]
        learners = [self.heading.named(name, setting) for name in self.heads for setting in self.settings]
        return {(name, label) for name in learners for label in labels} | {
            (claim, "claims") for claim in self.heading.claim_texts
        }

    def choose(self, choice: Choice) -> "ManySources":
        """Courses by words in their names: these are trained, and nothing else is done."""
        super().choose(replace(choice, only=()))
        return (
            replace(self, courses=select_courses(self.courses, choice.only), only=choice.only) if choice.only else self
        )

    def run(self, conditions: Conditions) -> Result:
        """Trains what is not trained yet, tries all of it, and compares."""
        training = self.trainings.run(conditions, short=self.short(conditions))
        part = find_part(self.sources[0].what, recipe=self.recipe)
        about: dict[str, Any] = {"seed": self.seed, "source": SourceName.of(part), "training": training}
        if self.only:
            key = fingerprint([source.what for source in self.sources], self.seed)
            return conditions.stamp(ManySourcesResult(**about, rows=[], episodes_key=key))
        findings = Findings()
        for number, tested in enumerate(self.sources):
            conditions.progress("sources", number, len(self.sources), float("nan"))
            self._try(tested, findings, conditions)
        fields = gather(self.heading, findings, self.seed)
        sources = {tested.label: tested.lacks for tested in self.sources}
        key = joint_key([row for row in fields["rows"] if row.episodes_key])
        return conditions.stamp(ManySourcesResult(**about, **fields, sources=sources, episodes_key=key))

    def tables(self, result: Result) -> list[Table]:
        """Sources, accuracies, gains, ratios, curves, ranks and claims."""
        return source_tables(self.heading, result) if isinstance(result, ManySourcesResult) and result.rows else []

    def _try(self, tested: Tested, findings: Findings, conditions: Conditions) -> None:
        """All that one source is asked."""
        part = find_part(tested.what, recipe=self.recipe)
        fast = [name for name, head in self.heads.items() if not head.slow]
        findings.parts[tested.label] = part
        findings.whole[tested.label] = self._evaluate(part, fast, [self.task], self.episodes, conditions)
        findings.small[tested.label] = self._evaluate(part, self.ranked, [self.small], self.small_episodes, conditions)
        if tested.label == self.grain:
            findings.grain = self._evaluate(part, fast, GRAIN, self.small_episodes, conditions)

    def _evaluate(
        self,
        part: Source,
        names: Sequence[str],
        tasks: Sequence[TaskDistribution],
        episodes: int,
        conditions: Conditions,
    ) -> Evaluation:
        learners: dict[str, Classifier] = {
            self.heading.named(name, setting): self._learner(self.heads[name], setting, conditions)
            for name in names
            for setting in self.settings
        }
        return evaluate(
            part,
            learners,
            tasks,
            episodes=min(episodes, conditions.limit or episodes),
            seed=self.seed,
            backend=conditions.backend,
            out=self._kept(part, conditions.out),
            progress=conditions.progress,
        )

    def _learner(self, head: Head, setting: str, conditions: Conditions) -> Classifier:
        weights = self.trainings.weights(f"{head.course}-{setting}", conditions, short=self.short(conditions))
        if not head.spec:
            return find_learner(weights)
        return find_learner(str(replace(parse_learner(f"{head.spec}@{head.course}"), weights=weights)))

    @staticmethod
    def _kept(part: Source, out: Path | None) -> Path | None:
        """Scores of each source are kept apart, and found again when the study is run again."""
        return None if out is None else out / "scores" / part.fingerprint[:12]
