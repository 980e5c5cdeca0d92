"""The verb `score`: how diverse and how recognizable a generator's samples are, beside the drawings of people.

After Boutin et al., Diversity vs. Recognizability, NeurIPS 2022, with measures that were proposed before and since.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Int

from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critic_view import CriticView, Rows, support_rows, view_people
from fairshot.scoring.critics import Critics, load_critics
from fairshot.scoring.evidence import Evidence, Measurement, measure_set
from fairshot.scoring.gallery import make_gallery, make_sheets
from fairshot.scoring.human_reference import human_part
from fairshot.scoring.measurements import Measurements
from fairshot.scoring.measures.measure import Measure, find_measures
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.published_plane import is_published_plane, published_models
from fairshot.scoring.recognisers import no_progress
from fairshot.scoring.sample_scores import HUMAN, SampleScores, SeenImages
from fairshot.scoring.sample_sets import Request, draw_samples, name_sets, shadowed
from fairshot.scoring.score_notes import score_notes
from fairshot.sources.images.sample_files import USUAL, Ink, Samples
from fairshot.sources.source import Source


def score(
    samples: Any,
    *,
    critic: str | Critics = "omniglot",
    on: str | Source | None = None,
    count: int = USUAL,
    ink: Ink = "auto",
    protocol: Protocol | None = None,
    measures: Sequence[Measure] = (),
    allow_seen: bool = False,
    progress: Progress = no_progress,
) -> SampleScores:
    """The diversity, recognizability and distance to people of sets of samples, by one pair of critics.

    `samples` is a mapping of names to sets, a list of them, or one: a generator or a function
    `generate(exemplars, count, seed)`, an array (class, sample, height, width), arrays (images, labels), a folder of
    images for each class, an .npz file, or a spec such as `copy` or `mine.py:generate`. `on` names the drawings of
    people to compare with; without it, these are the novel part of what the critics were trained on. `measures` are
    measures of your own beside those of the package.
    """
    protocol = protocol or Protocol()
    critics = critic if isinstance(critic, Critics) else load_critics(str(critic), protocol.recogniser)
    part, where = human_part(critics, on)
    warnings = critics.warnings(part, allow=allow_seen)
    support = support_rows(critics, part, protocol.exemplars, shot=protocol.recognising_critic.shot, seed=protocol.seed)
    request = Request(
        part=part,
        exemplars=critics.recipe.scale(part.read(support[:, 0])),
        recipe=critics.recipe,
        on=where,
        count=count,
        ink=ink,
        seed=protocol.seed,
        allow_seen=allow_seen,
    )
    reference = Reference(critics, part, support, protocol, warnings)
    measurements = measure_sets(name_sets(samples), request, reference, find_measures(measures), progress=progress)
    scores = measurements.scores()
    scores._images = SeenImages(
        lambda: make_gallery(measurements), lambda: make_sheets(measurements), measurements.exemplars
    )
    return scores


@dataclass(frozen=True, eq=False)
class Reference:
    """What all sets are compared with: drawings of people as critics see them, under a protocol."""

    critics: Critics
    part: Source
    support: Rows
    """The drawings that each class is known by."""
    protocol: Protocol
    warnings: list[str]

    def people(self, classes: Int[np.ndarray, " class"]) -> CriticView:
        """The drawings of people of some classes."""
        exclude = not self.protocol.exemplar_asks
        return view_people(self.critics, self.part, self.support, classes, exclude=exclude)


def measure_sets(
    sets: Mapping[str, Any],
    request: Request,
    reference: Reference,
    measures: dict[str, Measure],
    *,
    progress: Progress = no_progress,
) -> Measurements:
    """All measures of every set and of people, on the classes that all sets have."""
    protocol, part = reference.protocol, reference.part
    drawn = _draw_sets(sets, request, progress)
    common = _common_classes(drawn.values(), len(part.classes), protocol.way)
    people = Evidence(reference.people(common), protocol, None, progress)
    human, measured = measure_set(people, measures), dict[str, Measurement]()
    for number, (name, samples) in enumerate(drawn.items()):
        progress("measuring sets", number, len(drawn), np.nan)
        view = _view(name, samples, people.view, common)
        measured[name] = measure_set(Evidence(view, protocol, people, progress), measures)
    measured[HUMAN] = human
    reading = [note for samples in drawn.values() for note in samples.notes]
    notes = [*reference.warnings, *part.notes, *shadowed(list(sets.values())), *reading]
    on_published_axes = is_published_plane(reference.critics, protocol, part, part.classes[common])
    return Measurements(
        sets=measured,
        measures=measures,
        critics=reference.critics,
        part=part,
        chosen=reference.support[common, 0],
        every=reference.support[:, 0],
        protocol=protocol,
        notes=list(dict.fromkeys([*notes, *score_notes(measured, protocol)])),
        published=published_models(sets) if on_published_axes else [],
    )


def _draw_sets(sets: Mapping[str, Any], request: Request, progress: Progress) -> dict[str, Samples]:
    """The samples of every set but people's drawings."""
    others = {name: given for name, given in sets.items() if name != HUMAN}
    drawn = {}
    for number, (name, given) in enumerate(others.items()):
        progress("reading sets", number, len(others), np.nan)
        drawn[name] = draw_samples(given, request, name=name)
    return drawn


def _common_classes(drawn: Iterable[Samples], classes: int, way: int) -> Int[np.ndarray, " class"]:
    """The classes that all sets have samples of."""
    common = np.arange(classes)
    for samples in drawn:
        common = np.intersect1d(common, samples.labels)
    if len(common) < way:
        fewer = f", or way={max(len(common) - 1, 2)}" if len(common) > 1 else ""
        raise FairshotError(
            f"{len(common)} of {classes} classes have samples in every set, and {way} meet in an episode: give samples "
            f"of more classes{fewer}"
        )
    return common


def _view(name: str, samples: Samples, human: CriticView, common: Int[np.ndarray, " common"]) -> CriticView:
    """Samples of the common classes, beside the same real drawings as people's."""
    kept = np.isin(samples.labels, common)
    labels = np.searchsorted(common, samples.labels[kept])
    asking = np.ones(len(labels), dtype=bool)
    return CriticView(name, human.critics, samples.images[kept], labels, human.support, asking=asking)
