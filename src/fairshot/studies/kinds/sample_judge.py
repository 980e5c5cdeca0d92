"""Scores of sets of samples by one pair of critics, kept beside what was trained and found again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from fairshot.generators.generator import Exemplars, Generator
from fairshot.learners.training.resumable import WEIGHTS
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.class_values import Parents
from fairshot.scoring.critic_view import support_rows
from fairshot.scoring.critics import Critics, load_critics
from fairshot.scoring.human_reference import human_part, parents_of
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.sample_scores import HUMAN, SampleScores
from fairshot.scoring.score import score
from fairshot.sources.images.sample_files import USUAL
from fairshot.sources.source import Source
from fairshot.specs.generators import find_named_generator

DIGITS = 5  # of a number a class
AXES = ("diversity", "recognizability")
KEPT = (*AXES, "distance", "class_distance", "copies", "originality", "precision", "recall")
"""The measures that studies of generators speak of."""

Values = Float[np.ndarray, " class"]


@dataclass(frozen=True, eq=False)
class SetPoint:
    """What one pair of critics found about one set: numbers, and both axes class by class."""

    values: dict[str, float]
    by_class: dict[str, Values]
    """To as many digits as a result keeps, so that what is computed from a result is the same."""
    known: str = ""
    """The result of an earlier run that it was taken from."""


@dataclass(frozen=True, eq=False)
class Judge:
    """One pair of critics before the drawings of people, and where scores are kept."""

    critics: Critics
    part: Source
    protocol: Protocol
    folder: Path
    count: int = USUAL

    @property
    def parents(self) -> Parents | None:
        """Which classes come together, as those of one alphabet; None if all do, or none."""
        return parents_of(self.part, self.part.classes)

    @property
    def identity(self) -> dict[str, Any]:
        """All that scores depend on beside the samples."""
        people = {"people": self.part.fingerprint, "samples a class": self.count}
        return {"critics": self.critics.fingerprints, **people, **asdict(self.protocol)}

    def look(self, name: str, given: Any, key: str) -> SampleScores:
        """The scores of one set; those of a set with the same key are not made anew."""
        kept = self.folder / f"{name}-{self._digest(key)}.json"
        if kept.exists():
            return SampleScores.load(kept)
        scores = score({name: given}, critic=self.critics, on=self.part, count=self.count, protocol=self.protocol)
        scores.save(kept)
        return scores

    def point(self, name: str, given: Any, key: str) -> SetPoint:
        """A set in the plane."""
        return point_of(self.look(name, given, key), name)

    def exemplars(self, count: int) -> Exemplars:
        """Those of some classes, evenly over all."""
        rows = support_rows(self.critics, self.part, self.protocol.exemplars, shot=1, seed=self.protocol.seed)[:, 0]
        chosen = np.linspace(0, len(rows) - 1, min(count, len(rows))).round().astype(int)
        return self.critics.recipe.scale(self.part.read(rows[chosen]))

    def people(self) -> SetPoint:
        """People's drawings in the plane."""
        return point_of(self.look("copy", "copy", "copy"), HUMAN)

    def _digest(self, key: str) -> str:
        critics = {kind: about["fingerprint"] for kind, about in self.critics.about.items()}
        return fingerprint(critics, self.part.fingerprint, asdict(self.protocol), self.count, key)[:12]


def make_judge(critic: str | Critics, on: str | Source | None, protocol: Protocol, folder: Path) -> Judge:
    """A pair of critics by name or in hand; without `on`, before the novel part of what they were trained on."""
    critics = critic if isinstance(critic, Critics) else load_critics(critic, protocol.recogniser)
    part, _ = human_part(critics, on)
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in critics.name)
    return Judge(critics, part, protocol, folder / safe)


def point_of(scores: SampleScores, name: str) -> SetPoint:
    """What was found about one of the sets."""
    found = scores[name]
    values = {measure: found[measure].value for measure in KEPT if measure in found.measures}
    by_class = {axis: shorten(list(found.by_class(axis).values())) for axis in AXES}
    return SetPoint({measure: value for measure, value in values.items() if value is not None}, by_class)


def shorten(values: Sequence[float]) -> Values:
    """Numbers with as many digits as a result keeps."""
    return np.array([float(f"{value:.{DIGITS}g}") for value in values])


def open_course(name: str, folder: Path, sampling: Mapping[str, Any]) -> tuple[Generator, str]:
    """The generator that a course trained, with settings of its drawing, and a key for what it draws."""
    settings = ",".join(f"{setting}={value}" for setting, value in sampling.items())
    found = find_named_generator(f"{name}:{settings}@{folder}" if sampling else str(folder))
    if found is None:
        raise FairshotError(f"{folder} holds no trained generator: remove it, and run the study again")
    content = np.frombuffer((folder / WEIGHTS).read_bytes(), dtype=np.uint8)
    return found, fingerprint(content, dict(sampling))
