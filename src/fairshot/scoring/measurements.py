"""Every set of samples as it was measured: all that the numbers, the tables and the pictures are made of."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Int

from fairshot.results.schema import Row, SourceName
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.class_features import PerClass
from fairshot.scoring.concept_suitability import suited_concepts
from fairshot.scoring.concepts import Exemplars
from fairshot.scoring.critic_agreement import (
    LINE_LENGTH,
    STROKES,
    amounts_to_draw,
    complexity_agreements,
    critic_agreements,
)
from fairshot.scoring.critics import Critics
from fairshot.scoring.evidence import Measurement
from fairshot.scoring.human_reference import parents_of
from fairshot.scoring.measures.measure import Measure
from fairshot.scoring.originality_curve import OriginalityCurve, RankCurve
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.sample_scores import (
    HUMAN,
    BandScore,
    ClassScores,
    PublishedModel,
    RankScore,
    SampleScores,
    SetDifference,
    SuitedConcepts,
    note_on,
)
from fairshot.scoring.set_differences import set_differences
from fairshot.scoring.verdict import DISTANCES, verdict
from fairshot.sources.source import Source


@dataclass(frozen=True, eq=False, kw_only=True)
class Measurements:
    """The sets by name, people's drawings last, and what they were compared on."""

    sets: dict[str, Measurement]
    measures: dict[str, Measure]
    critics: Critics
    part: Source
    chosen: Int[np.ndarray, " class"]
    """The rows of the exemplars in the part, of the classes that all sets have."""
    every: Int[np.ndarray, " known"]
    """The rows of the exemplars of all classes, which somebody's samples may be of."""
    protocol: Protocol
    notes: list[str]
    published: list[PublishedModel] = field(default_factory=list)
    """The paper's models, where these scores are on the paper's axes."""

    @property
    def class_ids(self) -> Int[np.ndarray, " class"]:
        """The classes, in the order in which everything counts them."""
        return self.part.class_ids[self.chosen]

    @property
    def class_names(self) -> list[str]:
        """The names of the classes."""
        return [self.part.class_names[c] for c in self.class_ids]

    @property
    def exemplars(self) -> Exemplars:
        """What a generator is to be shown of all classes, with the names it is to give."""
        names = [self.part.class_names[c] for c in self.part.class_ids[self.every]]
        return Exemplars(names, np.asarray(self.part.read(self.every)))

    @property
    def parents(self) -> Int[np.ndarray, " class"] | None:
        """Which classes come together, as those of one alphabet; None if all do, or none."""
        return parents_of(self.part, self.class_ids)

    @property
    def human(self) -> Measurement:
        """What was found about people's drawings."""
        return self.sets[HUMAN]

    @property
    def episodes_key(self) -> str:
        """A name for the trials, which depends on all that they depend on."""
        protocol, ids = self.protocol, self.part.image_ids[self.chosen]
        asked = (protocol.recogniser, protocol.asks, protocol.exemplar_asks)
        return fingerprint(self.part.origin, ids, protocol.way, protocol.seed, *asked)

    def scores(self) -> SampleScores:
        """The numbers of all sets, with what they mean."""
        part, protocol, human = self.part, self.protocol, self.human.evidence
        differences = set_differences(self.sets, self.measures, self.parents)
        class_attributes = part.class_attributes.items()
        attributes = {name: values[self.class_ids].astype(np.float64) for name, values in class_attributes}
        curves = {name: each.evidence.originality_curve for name, each in self.sets.items() if name != HUMAN}
        amounts = amounts_to_draw(human.view, attributes)
        return SampleScores(
            seed=protocol.seed,
            source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
            episodes_key=self.episodes_key,
            rows=[row for name in self.sets for row in self._rows(name)],
            notes=self.notes,
            verdict=self._verdict(differences),
            critic=self.critics.name,
            critics=self.critics.about,
            recogniser=protocol.recogniser,
            classes=len(self.chosen),
            samples_a_class={n: int(np.bincount(m.evidence.view.labels).min()) for n, m in self.sets.items()},
            way=protocol.way,
            times=protocol.asks,
            pool={name: measurement.evidence.point for name, measurement in self.sets.items()},
            neighbours=protocol.neighbours,
            by_class=[scores for name in self.sets for scores in self._class_scores(name)],
            originality={name: _bands(curve) for name, curve in curves.items()},
            originality_ranks={name: _ranks(each.evidence.rank_curve) for name, each in self.sets.items()},
            differences=differences,
            agreement=critic_agreements(human.view, self.parents),
            complexity=complexity_agreements(human.view, amounts, self.parents),
            suited=self._suited(amounts),
            published=self.published,
            measures={name: note_on(measure) for name, measure in self.measures.items()},
        )

    def _suited(self, amounts: dict[str, PerClass]) -> list[SuitedConcepts]:
        """Which concepts suit which set, by the length of lines and, where they are known, by strokes."""
        measure = DISTANCES[-1]
        distances = {name: each.values[measure] for name, each in self.sets.items() if measure in each.values}
        told = {name: values for name, values in amounts.items() if name in (LINE_LENGTH, STROKES)}
        return suited_concepts(distances, told, self.class_names, self.parents)

    def _verdict(self, differences: list[SetDifference]) -> str:
        distances = {
            measure: {name: float(m.values[measure].mean()) for name, m in self.sets.items() if measure in m.values}
            for measure in DISTANCES
        }
        lacking = self.human.evidence.human_scale.lacking if len(self.sets) > 1 else ""
        return verdict(distances, differences, lacking=lacking)

    def _rows(self, name: str) -> Iterator[Row]:
        """A row for each measure of a set, with its intervals."""
        measurement = self.sets[name]
        for measure_name, measure in self.measures.items():
            if measure_name in measurement.values:
                estimates = measure.estimates(measurement, self.parents)
                yield self._row(name, measure).model_copy(
                    update={
                        "value": estimates["classes"].value,
                        "intervals": {population: estimate.interval for population, estimate in estimates.items()},
                        "notes": [
                            f"{where}: {estimate.reason}" for where, estimate in estimates.items() if estimate.reason
                        ],
                    }
                )
            if measure_name in measurement.whole:
                yield self._row(name, measure).model_copy(update={"value": measurement.whole[measure_name]})

    def _row(self, name: str, measure: Measure) -> Row:
        """A row that lacks its number."""
        evidence = self.sets[name].evidence
        return Row(
            learner=name,
            task=f"{self.protocol.way}-way, exemplars of {evidence.view.classes} classes",
            part=self.part.name,
            metric=measure.name,
            episodes=evidence.recognition.episodes,
            episodes_key=self.episodes_key,
            per_query=False,
            higher_is_better=measure.higher_is_better,
            value=None,
            intervals={},
        )

    def _class_scores(self, name: str) -> Iterator[ClassScores]:
        kept = {key: v for key, v in self.sets[name].values.items() if self.measures[key].in_class_values}
        for place, (class_name, row) in enumerate(zip(self.class_names, self.chosen, strict=True)):
            yield ClassScores(
                samples=name,
                name=class_name,
                exemplar=int(self.part.image_ids[row]),
                values={measure: float(values[place]) for measure, values in kept.items()},
            )


def _bands(curve: OriginalityCurve) -> list[BandScore]:
    return [
        BandScore(low=b.low, high=b.high, share=b.share, recognizability=b.recognizability, human=b.human)
        for b in curve.bands
    ]


def _ranks(curve: RankCurve) -> list[RankScore]:
    return [RankScore(originality=float(far), recognizability=float(known)) for far, known in curve]
