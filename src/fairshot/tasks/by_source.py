"""Each source by its own rule, and of several sources one in each episode: the training of Meta-Dataset.

The rule of ILSVRC's classes goes down WordNet, which mini- and Tiny-ImageNet can follow too; Omniglot's stays within an
alphabet; all others take any classes together (Triantafillou et al. 2020). Where images come in groups, such as the
tracks of traffic signs, no group is on both sides.
"""

from dataclasses import asdict, dataclass, fields

import numpy as np
from jaxtyping import Int

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.sources.union import JoinedSource, sources_of
from fairshot.splits.wordnet import in_wordnet
from fairshot.tasks.episodes import PAD, Episodes, join
from fairshot.tasks.hierarchy import Hierarchy
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.task import WHERE_NAMED, TaskDistribution
from fairshot.tasks.variable import Description, VariableTask


@dataclass(frozen=True)
class BySource(VariableTask):
    """The rule of each source; all classes of an episode are of one source."""

    disjoint: str | None = WHERE_NAMED
    weights: tuple[float, ...] = ()
    """How often each source is drawn, in their order; nothing means equally often."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(not 0 <= weight < float("inf") for weight in self.weights) or (self.weights and not sum(self.weights)):
            raise FairshotError(f"weights of sources are {self.weights}: give numbers of 0 or more, not all 0")

    @property
    def label(self) -> str:
        """Such as `by-source released`."""
        shares = f", weights {':'.join(f'{weight:g}' for weight in self.weights)}" if self.weights else ""
        return f"by-source {self.variant}{shares}{self.suffix}"

    def resolve(self, source: Source) -> TaskDistribution:  # type: ignore[override]
        """Of a single source its own rule."""
        return self if isinstance(source, JoinedSource) else self.rule(source).resolve(source)

    def rule(self, part: Source) -> VariableTask:
        """The rule of one source."""
        kind = Hierarchy if in_wordnet(part) else MetaDataset
        return kind(**{field.name: getattr(self, field.name) for field in fields(VariableTask)})

    def key(self, source: Source, seed: int) -> str:
        """Of a single source, that of its rule."""
        if not isinstance(source, JoinedSource):
            return self.rule(source).key(source, seed)
        rules = [asdict(self.rule(part).resolve(part)) for part in self._filled(source)]
        return fingerprint(super().key(source, seed), rules)

    def population(self, source: Source) -> Int[np.ndarray, " class"]:
        """The classes that the rules can draw."""
        if not isinstance(source, JoinedSource):
            return self.rule(source).population(source)
        reached = [
            start + part.classes[self.rule(part).population(part)]
            for part, start in zip(source.parts, source.first_classes, strict=True)
            if len(part)
        ]
        return np.searchsorted(source.classes, np.concatenate(reached))

    def plan(self, source: Source, stream: Stream, episodes: int) -> Description:
        """Of a single source, as its rule does."""
        return self.rule(source).plan(source, stream, episodes)

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        """A source for each episode, then the episode by its rule."""
        if not isinstance(source, JoinedSource):
            return self.rule(source).draw(source, stream, episodes)
        chosen = self.choose_sources(source, stream.child("source"), len(episodes))
        drawn, places = [], []
        for number, part in enumerate(source.parts):
            place = np.flatnonzero(chosen == number)
            if len(place):
                own = self.rule(part).draw(part, stream.child(f"source {number}"), range(len(place)))
                drawn.append(_moved(own, source.first_images[number], source.first_classes[number]))
                places.append(place)
        return join(drawn)[np.argsort(np.concatenate(places))]

    def choose_sources(self, source: JoinedSource, stream: Stream, episodes: int) -> Int[np.ndarray, " episode"]:
        """The source of each episode; empty ones are never drawn."""
        weights = np.array(self.weights or [1.0] * len(source.parts))
        if len(weights) != len(source.parts):
            raise FairshotError(
                f"{len(weights)} weights were given for the {len(source.parts)} sources of {source.name}: give one each"
            )
        shares = np.cumsum(weights * [len(part) > 0 for part in source.parts])
        if not shares[-1]:
            raise FairshotError(f"no source of {source.name} has both images and a weight: there is nothing to draw")
        return np.searchsorted(shares / shares[-1], stream.uniform(episodes), side="right")

    @staticmethod
    def _filled(source: Source) -> list[Source]:
        return [part for part in sources_of(source) if len(part)]


def _moved(episodes: Episodes, images: int, classes: int) -> Episodes:
    """The same episodes in the numbers of the joined source."""
    return Episodes(
        _shifted(episodes.support_ids, images),
        episodes.support_labels,
        _shifted(episodes.query_ids, images),
        episodes.query_labels,
        _shifted(episodes.class_ids, classes),
    )


def _shifted(ids: Int[np.ndarray, "episode place"], by: int) -> Int[np.ndarray, "episode place"]:
    return np.where(ids == PAD, PAD, ids + by)
