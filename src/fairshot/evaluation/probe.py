"""The verb `probe`: all classes, some labelled images of each, a fixed test set, many draws of the labelled images."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.evaluation.probe_cell import ProbeCell, estimate_fields, layout_of, test_order
from fairshot.evaluation.probe_classes import class_rates
from fairshot.evaluation.probe_rivals import Tuned, best_candidate, candidates_of, zero_shot_learner
from fairshot.evaluation.probe_scorer import ProbeScorer
from fairshot.evaluation.shots import LEAST_SHOTS, make_curve
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.seen import warnings_of
from fairshot.results.probe import Probe
from fairshot.results.probe_rows import ClassRate, ProbeResult
from fairshot.results.schema import Row, ShotCurve, ShotGain, SourceName
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.runtime.errors import FairshotError
from fairshot.sources.pool_and_test import PoolAndTest
from fairshot.specs.encoders import put_encoders, sight_notes
from fairshot.specs.learners import as_learners
from fairshot.specs.probe_data import (
    ClassVectors,
    as_class_vectors,
    as_pool_and_test,
    choose_classes,
    without_small_classes,
)
from fairshot.statistics.intervals.probe_populations import estimate_probe
from fairshot.statistics.probe_answers import ProbeAnswers, ProbeLayout
from fairshot.tasks.draw_files import read_draws
from fairshot.tasks.support_draws import SupportDraws, draw_supports

TUNED, ZERO_SHOT = "{}, tuned on test", "zero-shot"


def probe(  # noqa: PLR0913 all but the first two are keywords with defaults
    data: Any,
    learners: Any = "prototypes",
    *,
    test: Any = None,
    shot: int | Sequence[int] = 1,
    draws: int | str | Path | SupportDraws = 100,
    classes: Sequence[str] | None = None,
    class_vectors: Any = None,
    tuned: bool = False,
    skip_small: bool = False,
    seed: int = 0,
    recipe: str | int | None = None,
    encoder: Any = None,
    groups: str | None = None,
    skip_bad: bool = False,
    allow_seen: bool = False,
    backend: Backend = "auto",
    command: Sequence[str] = (),
    progress: Progress = lambda what, done, whole, mean: None,
) -> Probe:
    """Learners after many draws of `shot` labelled images of every class, judged on a fixed test set.

    `data` is the pool, and `test` the test set; or `data` says itself which images are for testing. `draws` is a number
    or a file of draws. `class_vectors` give the zero-shot line, and a prior to the heads that can use one. With
    `tuned`, heads that choose their strength inside the support stand beside the best strength on the test set.
    `encoder` is what `evaluate` takes.
    """
    named = as_learners(put_encoders(learners, encoder, data, recipe))
    reading: dict[str, Any] = {"recipe": recipe, "groups": groups, "skip_bad": skip_bad}
    both = as_pool_and_test(data, test, learners=list(named.values()), **reading)
    both = choose_classes(both, classes) if classes is not None else both
    shots = sorted({shot} if isinstance(shot, int) else set(shot))
    both = without_small_classes(both, max(shots)) if skip_small else both
    drawn, shots = _draw(both, shots, draws, seed)
    job = _Job(both, drawn, tuple(shots), vectors=as_class_vectors(class_vectors, both.pool))
    job.notes += sight_notes(named, both.source)
    job.warnings |= {name: warnings_of(name, learner, both.source, allow=allow_seen) for name, learner in named.items()}
    for name, learner in named.items():
        job.run(name, learner, backend, progress)
        if tuned and candidates_of(learner):
            job.tune(name, learner, backend, progress)
    if job.vectors is not None:
        job.add_zero_shot(next(iter(named.values())))
    return job.result(seed, command)


def _draw(
    both: PoolAndTest, shots: Sequence[int], draws: int | str | Path | SupportDraws, seed: int
) -> tuple[SupportDraws, list[int]]:
    """The draws with the largest number of shots, and the numbers of shots; a file of draws has a number of its own."""
    if not shots or min(shots) < 1:
        raise FairshotError(f"{min(shots, default=0)} shots were asked for: ask for at least 1")
    if isinstance(draws, int):
        if draws < 1:
            raise FairshotError(f"{draws} draws were asked for: ask for at least 1")
        return draw_supports(both.pool, max(shots), draws, seed), list(shots)
    given = draws if isinstance(draws, SupportDraws) else read_draws(Path(draws), both.pool)
    fitting = [one for one in shots if one <= given.shot]
    return given, fitting if fitting and list(shots) != [1] else [given.shot]


@dataclass
class _Job:
    """One call of `probe` under way."""

    data: PoolAndTest
    draws: SupportDraws
    shots: tuple[int, ...]
    vectors: ClassVectors | None = None
    notes: list[str] = field(default_factory=list)
    warnings: dict[str, list[str]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    answers: dict[tuple[str, int, str], ProbeAnswers] = field(default_factory=dict)
    tuned: dict[str, str] = field(default_factory=dict)
    """For each name of what was tuned on the test set, the head that chooses inside the support."""

    def __post_init__(self) -> None:
        self.layout: ProbeLayout = layout_of(self.data)
        self.metrics = ("accuracy",) if self.layout.balanced else ("accuracy", "macro accuracy")
        self.order = self.data.test.image_ids[test_order(self.data.test)]

    def scorer(self, learner: Classifier) -> ProbeScorer:
        """The learner with every image embedded that it will see."""
        reason = learner.unable(self.layout.classes)
        if reason:
            raise FairshotError(reason)
        features = Features(self.data.source, learner)
        features.require_images(np.concatenate([np.unique(self.draws.image_ids), self.order]))
        vectors = self.vectors
        if vectors is not None and vectors.shape[1] != features.width:
            raise FairshotError(
                f"class_vectors have {vectors.shape[1]} numbers and the images {features.width}: embed both with the "
                "same model"
            )
        return ProbeScorer(features, learner, self.data.pool, self.order, self.layout, vectors, self.metrics)

    def run(self, name: str, learner: Classifier, backend: Backend, progress: Progress) -> None:
        """One learner with every number of shots."""
        scorer = self.scorer(learner)
        for shot in self.shots:
            cell = ProbeCell(name, scorer, self.draws.first(shot))
            self.add(cell, cell.answer(backend, progress), self.warnings.get(name, []))

    def add(self, cell: ProbeCell, answers: Sequence[ProbeAnswers], warnings: list[str], **changes: Any) -> None:
        """Keeps what was answered."""
        for own in answers:
            row = cell.row(own, self.data.name, warnings).model_copy(update=changes)
            self.rows.append(row)
            self.answers[cell.name, row.shot or 0, own.metric] = own

    def tune(self, name: str, learner: Classifier, backend: Backend, progress: Progress) -> None:
        """The candidate of a choosing head that is best on the test set, shot by shot: what nobody should report."""
        scorer = self.scorer(learner)
        self.tuned[TUNED.format(name)] = name
        for shot in self.shots:
            tried: list[Tuned] = []
            for setting, candidate in candidates_of(learner).items():
                cell = ProbeCell(TUNED.format(name), replace(scorer, learner=candidate), self.draws.first(shot))
                tried.append(Tuned(setting, cell, cell.answer(backend, progress)))
            best = best_candidate(tried)
            self.add(best.cell, best.answers, [f"{best.cell.name} has the {best.setting} that is best on the test set"])

    def add_zero_shot(self, learner: Classifier) -> None:
        """What class vectors alone give: no labelled image is needed."""
        scorer = self.scorer(zero_shot_learner(learner))
        cell = ProbeCell(ZERO_SHOT, scorer, SupportDraws(self.data.pool, self.draws.image_ids[:1, :, :1]))
        answers = cell.answer("serial", lambda what, done, whole, mean: None)
        self.add(cell, answers, [], shot=0, task=f"{self.layout.classes}-way zero-shot")

    def result(self, seed: int, command: Sequence[str]) -> Probe:
        """Everything that was found."""
        source = self.data.source
        result = ProbeResult(
            seed=seed,
            source=SourceName(
                name=source.name,
                fingerprint=source.fingerprint,
                recipe=source.recipe.name,
                classes=self.layout.classes,
                images=len(self.data.pool) + len(self.data.test),
            ),
            rows=self.rows,
            shots=self._curves(),
            notes=[*self.data.notes, *self.notes],
            episodes_key=self.draws.key,
            command=list(command),
            pool=len(self.data.pool),
            test=len(self.data.test),
            comparisons=self._comparisons(),
            class_rates=self._class_rates(),
        )
        return Probe(result, self.draws, self.answers)

    def _by_shot(self, shot: int) -> list[Row]:
        return [row for row in self.rows if row.shot == shot and row.metric == self.metrics[0]]

    def _comparisons(self) -> list[Row]:
        """At every number of shots the best learner against each other, and what is tuned against what is not."""
        found: list[Row] = []
        for shot in self.shots:
            beside = [row.model_copy(update={"shot": shot}) for row in self._by_shot(0)]
            rows = sorted([*self._by_shot(shot), *beside], key=lambda row: -row.number)
            best, *others = [row for row in rows if row.learner not in self.tuned]
            found += [self._difference(best, other) for other in others]
            own = {row.learner: row for row in rows}
            found += [self._difference(own[name], own[self.tuned[name]]) for name in own if name in self.tuned]
        return found

    def _difference(self, better: Row, worse: Row) -> Row:
        shots = [0 if row.learner == ZERO_SHOT else row.shot or 0 for row in (better, worse)]
        answers = [self.answers[row.learner, own, row.metric] for row, own in zip((better, worse), shots, strict=True)]
        estimates = estimate_probe(answers[0].minus(answers[1]), difference=True)
        fields = estimate_fields(estimates, self.layout)
        return better.model_copy(update={"against": worse.learner, "difference": True, "warnings": [], **fields})

    def _curves(self) -> list[ShotCurve]:
        if len(self.shots) < LEAST_SHOTS:
            return []
        names = dict.fromkeys(row.learner for row in self.rows if row.shot and row.learner not in self.tuned)
        return [self._curve(name) for name in names]

    def _curve(self, name: str) -> ShotCurve:
        rows = [row for shot in self.shots for row in self._by_shot(shot) if row.learner == name]
        return make_curve(rows, [self._gain(fewer, more) for fewer, more in pairwise(rows)])

    def _gain(self, fewer: Row, more: Row) -> ShotGain:
        """What more labelled images buy: the larger draw contains the smaller one, on the same test images."""
        both = [self.answers[row.learner, row.shot or 0, row.metric] for row in (more, fewer)]
        estimates = estimate_probe(both[0].minus(both[1]), difference=True)
        intervals = {population: estimate.interval for population, estimate in estimates.items()}
        value = estimates["episodes"].value
        shots = {"fewer": fewer.shot or 0, "more": more.shot or 0}
        return ShotGain(**shots, value=value, intervals=intervals, paired=list(intervals))

    def _class_rates(self) -> list[ClassRate]:
        names = [self.data.pool.class_names[c] for c in self.data.pool.classes]
        return [
            rate
            for (learner, shot, metric), answers in self.answers.items()
            if metric == self.metrics[0]
            for rate in class_rates(learner, shot, answers, names)
        ]
