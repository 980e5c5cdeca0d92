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
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.studies.kinds.source_findings import CLAIMS, Findings, Heading, Tested, gather, small_task
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
    """Learners that answer small episodes; those that are slow answer no others."""
    grain: str = ""
    """The source whose parents are coarse classes."""
    published: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """What a learner gains on a source by training on many, as a fraction."""
    published_ratios: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By learner with its setting and source, the ratio of a clusterer's accuracy."""
    only: tuple[str, ...] = ()
    """Words in the names of courses, where these alone are to be trained and nothing is tried."""
    only_on: tuple[str, ...] = ()
    """Labels of sources, where all learners are to be tried on these alone and nothing is compared."""

    @property
    def preset(self) -> str:
        """Of all courses, or which part of the study this is."""
        if self.only:
            return f"{LIMITED} courses with {' or '.join(self.only)}"
        return f"{LIMITED} trials on {', '.join(self.only_on)}" if self.only_on else super().preset

    @property
    def heading(self) -> Heading:
        """What findings are about."""
        return Heading(
            settings=self.settings,
            sources=self.sources,
            learners=tuple(self.heads),
            fast=tuple(name for name, head in self.heads.items() if not head.slow),
            ranked=self.ranked,
            ratios=self.ratios,
            published=self.published,
            published_ratios=self.published_ratios,
        )

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner of every setting on every source, in whole and in small episodes, and every claim."""
        heading, labels = self.heading, [source.label for source in self.sources]
        whole, small = (
            [heading.named(*pair) for pair in heading.every(names)] for names in (heading.fast, heading.ranked)
        )
        cells = {(name, label) for name in whole for label in labels}
        cells |= {(name, small_task(label)) for name in small for label in labels}
        return cells | {(claim, CLAIMS) for claim in heading.claim_texts}

    def published_for(self, learner: str, task: str, metric: str) -> float | None:
        """What a paper reports of a ratio; gains stand apart."""
        return self.published_ratios.get((learner, task)) if metric == "cscc" else None

    def choose(self, choice: Choice) -> "ManySources":
        """Courses by words in their names, which are trained and nothing else is done; or sources by their labels."""
        super().choose(replace(choice, only=()))
        labels = {source.label.lower(): source.label for source in self.sources}
        on = tuple(labels[word.lower()] for word in choice.only if word.lower() in labels)
        words = tuple(word for word in choice.only if word.lower() not in labels)
        if on and words:
            raise FairshotError(
                f"{on[0]} is a source and '{words[0]}' is none: choose courses to be trained, or sources to be tried"
            )
        if words:
            return replace(self, courses=select_courses(self.courses, words), only=words)
        return replace(self, only_on=on)

    def run(self, conditions: Conditions) -> Result:
        """Trains what is not trained yet, tries all of it, and compares."""
        tried = [] if self.only else [one for one in self.sources if not self.only_on or one.label in self.only_on]
        # Missing data must be said now, not after hours of training.
        parts = {one.label: find_part(one.what, recipe=self.recipe) for one in (self.sources[0], *tried)}
        training = self.trainings.run(conditions, short=self.short(conditions))
        name = SourceName.of(parts[self.sources[0].label])
        about: dict[str, Any] = {"seed": self.seed, "source": name, "training": training}
        findings = Findings(parts)
        for number, tested in enumerate(tried):
            conditions.progress("sources", number, len(tried), float("nan"))
            self._try(tested, findings, conditions)
        if self.only or self.only_on:
            key = fingerprint([source.what for source in self.sources], self.seed)
            return conditions.stamp(ManySourcesResult(**about, rows=[], episodes_key=key))
        fields = gather(self.heading, findings, self.seed)
        sources = {tested.label: tested.lacks for tested in self.sources}
        key = joint_key([row for row in fields["rows"] if row.episodes_key])
        return conditions.stamp(ManySourcesResult(**about, **fields, sources=sources, episodes_key=key))

    def tables(self, result: Result) -> list[Table]:
        """Sources, trainings, accuracies, gains, ratios, grain, ranks and claims."""
        return source_tables(self.heading, result) if isinstance(result, ManySourcesResult) else []

    def _try(self, tested: Tested, findings: Findings, conditions: Conditions) -> None:
        """All that one source is asked; scores are kept in a folder of its own, and found again."""
        part, fast, label = findings.parts[tested.label], self.heading.fast, tested.label
        where: dict[str, Any] = {"kept": self._scores_folder(label, conditions), "conditions": conditions}
        findings.whole[label] = self._evaluate(part, fast, [self.task], self.episodes, **where)
        findings.small[label] = self._evaluate(part, self.ranked, [self.small], self.small_episodes, **where)
        if label == self.grain:
            findings.grain = self._evaluate(part, fast, GRAIN, self.small_episodes, **where)

    def _scores_folder(self, label: str, conditions: Conditions) -> Path:
        return self.trainings.home(conditions) / "scores" / label.lower().replace(" ", "-")

    def _evaluate(
        self,
        part: Source,
        names: Sequence[str],
        tasks: Sequence[TaskDistribution],
        episodes: int,
        *,
        kept: Path,
        conditions: Conditions,
    ) -> Evaluation:
        learners: dict[str, Classifier] = {
            self.heading.named(name, setting): self._learner(self.heads[name], setting, conditions)
            for name, setting in self.heading.every(names)
        }
        evaluation = evaluate(
            part,
            learners,
            tasks,
            episodes=min(episodes, conditions.limit or episodes),
            seed=self.seed,
            backend=conditions.backend,
            out=kept,
            progress=conditions.progress,
        )
        for row in evaluation.rows:
            if row.value is None:
                raise FairshotError(f"{row.learner} gave nothing on {part.name}: {'; '.join(row.notes)}")
        return evaluation

    def _learner(self, head: Head, setting: str, conditions: Conditions) -> Classifier:
        weights = self.trainings.weights(f"{head.course}-{setting}", conditions, short=self.short(conditions))
        if not head.spec:
            return find_learner(weights)
        return find_learner(str(replace(parse_learner(f"{head.spec}@{head.course}"), weights=weights)))
