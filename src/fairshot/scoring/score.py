"""The verb `score`: how diverse and how recognizable a generator's samples are, beside the drawings of people.

After Boutin et al., Diversity vs. Recognizability, NeurIPS 2022, with measures that were proposed before and since.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Int, UInt8

from fairshot.results.schema import Row, SourceName
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.agreement import Agreement, agreement
from fairshot.scoring.class_values import Parents, over_class_values
from fairshot.scoring.concepts import Gallery, Hand, map_neighbours, rank_concepts
from fairshot.scoring.critic_view import Sight, see_people, support_rows
from fairshot.scoring.critics import PAIR, SIMCLR, Critics, load_critics
from fairshot.scoring.human_reference import human_part, parents_of
from fairshot.scoring.measures.diversity import PerClass
from fairshot.scoring.measures.human_distance import HUMAN, HumanScale
from fairshot.scoring.measures.line_length import line_length
from fairshot.scoring.measures.originality import Originality
from fairshot.scoring.protocol import EQ_2, TABLE_S2, Card, Judging, diversities, judge, notes_on
from fairshot.scoring.sample_scores import LOWER, BandScore, ClassScores, CriticAgreement, Scored
from fairshot.scoring.sample_sets import draw_samples, shadowed
from fairshot.scoring.set_differences import differences, distances
from fairshot.scoring.verdict import verdict
from fairshot.sources.images.sample_files import USUAL, Ink, Samples
from fairshot.sources.source import Source


@dataclass(frozen=True, eq=False)
class Judgement:
    """Every set of samples as it was judged, people's drawings first: all that numbers and pictures are made of."""

    cards: dict[str, Card]
    critics: Critics
    part: Source
    chosen: Int[np.ndarray, " class"]
    """The rows of the exemplars in the part, of the classes that all sets have."""
    every: Int[np.ndarray, " known"]
    """The same of all classes, which somebody's samples may be of."""
    judging: Judging
    notes: list[str]

    @property
    def class_ids(self) -> Int[np.ndarray, " class"]:
        """Of the classes, in the order in which everything counts them."""
        return self.part.class_ids[self.chosen]

    @property
    def class_names(self) -> list[str]:
        """Of the same."""
        return [self.part.class_names[c] for c in self.class_ids]

    @property
    def exemplars(self) -> tuple[list[str], UInt8[np.ndarray, "known channel height width"]]:
        """Of all classes: what a generator is to be shown, with the names it is to give."""
        part = self.part
        return [part.class_names[c] for c in part.class_ids[self.every]], np.asarray(part.read(self.every))

    @property
    def parents(self) -> Int[np.ndarray, " class"] | None:
        """Which classes come together, as those of one alphabet; None if all do, or none."""
        return parents_of(self.part, self.class_ids)


def score(
    samples: Sequence[str],
    critic: str,
    *,
    on: str | None = None,
    count: int = USUAL,
    exemplars: str = "central",
    ink: Ink = "auto",
    judging: Judging | None = None,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Scored:
    """The numbers of every set of samples, by one pair of critics."""
    judgement = judge_samples(
        samples, critic, on=on, count=count, exemplars=exemplars, ink=ink, judging=judging, allow_seen=allow_seen,
        progress=progress,
    )  # fmt: skip
    return tell(judgement)


def judge_samples(
    samples: Sequence[str],
    critic: str,
    *,
    on: str | None = None,
    count: int = USUAL,
    exemplars: str = "central",
    ink: Ink = "auto",
    judging: Judging | None = None,
    allow_seen: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Judgement:
    """Every set of samples, by one pair of critics, on the classes that all of them have."""
    judging = judging or Judging()
    critics = load_critics(critic, judging.recogniser)
    part, on = human_part(critics, on)
    warnings = critics.warnings(part, allow=allow_seen)
    support = support_rows(critics, part, exemplars, shot=judging.recognising.shot, seed=judging.seed)
    shown = critics.recipe.scale(part.read(support[:, 0]))
    asked = [spec for spec in dict.fromkeys(samples) if spec != HUMAN]
    drawn: dict[str, Samples] = {}
    for number, spec in enumerate(asked):
        progress("reading sets", number, len(asked), np.nan)
        drawn[spec] = draw_samples(spec, part, shown, critics.recipe, on=on, count=count, ink=ink, seed=judging.seed)
    common = _common(drawn.values(), len(part.classes), judging.way)
    human = see_people(critics, part, support, common, exclude=not judging.exemplar_asks)
    cards = {HUMAN: judge(human, human, judging, progress)}
    for number, (spec, own) in enumerate(drawn.items()):
        progress("judging sets", number, len(asked), np.nan)
        cards[spec] = judge(_sight(spec, own, human, common), human, judging, progress)
    read = [note for own in drawn.values() for note in own.notes]
    notes = [*warnings, *part.notes, *shadowed(samples), *read, *notes_on(cards, judging)]
    return Judgement(cards, critics, part, support[common, 0], support[:, 0], judging, list(dict.fromkeys(notes)))


def _common(drawn: Iterable[Samples], classes: int, way: int) -> Int[np.ndarray, " class"]:
    """The classes that all sets have samples of."""
    common = np.arange(classes)
    for own in drawn:
        common = np.intersect1d(common, own.labels)
    if len(common) < way:
        fewer = f", or --way {max(len(common) - 1, 2)}" if len(common) > 1 else ""
        raise FairshotError(
            f"{len(common)} of {classes} classes have samples in every set, and {way} meet in an episode: give samples "
            f"of more classes{fewer}"
        )
    return common


def _sight(name: str, samples: Samples, human: Sight, common: Int[np.ndarray, " common"]) -> Sight:
    """Samples of the common classes, beside the same real drawings as people's."""
    kept = np.isin(samples.labels, common)
    labels = np.searchsorted(common, samples.labels[kept])
    asking = np.ones(len(labels), dtype=bool)
    return Sight(name, human.critics, samples.images[kept], labels, human.support, asking)


def tell(judgement: Judgement) -> Scored:
    """The numbers of what was judged."""
    cards, part, judging, chosen = judgement.cards, judgement.part, judgement.judging, judgement.chosen
    human = cards[HUMAN]
    ordered = [name for name in cards if name != HUMAN] + [HUMAN]
    ids, asked = part.image_ids[chosen], (judging.recogniser, judging.trials, judging.exemplar_asks)
    key = fingerprint(part.origin, ids, judging.way, judging.seed, *asked)
    scale, parents = HumanScale(human.points, 1 / judging.way), judgement.parents
    far = distances(cards, scale)
    told = differences(cards, far, parents)
    means = {metric: {name: float(values.mean()) for name, values in sets.items()} for metric, sets in far.items()}
    rows = [row for name in ordered for row in _rows(judgement, name, far, key)]
    names, class_ids = judgement.class_names, judgement.class_ids
    attributes = {name: values[class_ids].astype(np.float64) for name, values in part.class_attributes.items()}
    return Scored(
        seed=judging.seed,
        source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
        episodes_key=key,
        rows=rows,
        notes=judgement.notes,
        verdict=verdict(means, told, lacking=scale.lacking if len(ordered) > 1 else ""),
        critic=judgement.critics.name,
        critics=judgement.critics.about,
        recogniser=judging.recogniser,
        classes=len(chosen),
        samples_a_class={name: int(np.bincount(cards[name].sight.labels).min()) for name in ordered},
        way=judging.way,
        times=judging.trials,
        pool={name: cards[name].point for name in ordered},
        neighbours=judging.neighbours,
        by_class=[
            ClassScores(
                samples=name,
                name=names[c],
                exemplar=int(ids[c]),
                values={metric: float(values[c]) for metric, values in cards[name].values.items()},
            )
            for name in ordered
            for c in range(len(chosen))
        ],
        originality={name: _bands(card.curve) for name, card in cards.items() if card.curve is not None},
        differences=told,
        agreement=_agreements(human.sight, parents),
        complexity=_complexity(human.sight, attributes, parents),
    )


def show(judgement: Judgement) -> Gallery:
    """What was judged, to be looked at: concepts ranked by each critic, and where people's drawings lie."""
    names = tuple(judgement.class_names)
    hands = {name: _hand(card.sight, names) for name, card in judgement.cards.items()}
    ranks = {name: diversities(card.sight) for name, card in judgement.cards.items()}
    human = judgement.cards[HUMAN].sight
    return Gallery(
        {name: {kind: rank_concepts(hands[name], ranks[name][f"{kind} {EQ_2}"]) for kind in PAIR} for name in hands},
        map_neighbours(hands[HUMAN], human.features, ranks[HUMAN][f"{SIMCLR} {EQ_2}"], seed=judgement.judging.seed),
    )


def _hand(sight: Sight, class_names: tuple[str, ...]) -> Hand:
    recipe = sight.critics.recipe
    light = recipe.invert or recipe.binarise
    drawings, exemplars = (
        255 - grey if light else grey
        for grey in (table.mean(axis=1).round().astype(np.uint8) for table in (sight.images, sight.exemplars))
    )
    return Hand(sight.name, class_names, drawings, sight.labels, exemplars, among=sight.name == HUMAN)


def _rows(judgement: Judgement, name: str, far: Mapping[str, Mapping[str, PerClass]], key: str) -> Iterable[Row]:
    """A row for each measure of a set; over other parents too, where classes come in some and count one by one."""
    card, part, parents = judgement.cards[name], judgement.part, judgement.parents
    about: dict[str, Any] = {
        "learner": name, "task": f"{judgement.judging.way}-way, exemplars of {len(card.sight.exemplars)} classes",
        "part": part.name, "episodes": card.recognized.episodes, "episodes_key": key, "per_query": False,
    }  # fmt: skip
    found = {metric: {"classes": estimate} for metric, estimate in card.estimates.items()}
    if parents is not None:
        for metric in found.keys() - {"recognizability"}:
            found[metric]["parents"] = card.estimate(metric, parents)
    for metric, sets in far.items():
        if name in sets:
            groups = {"classes": None} | ({} if parents is None else {"parents": parents})
            found[metric] = {
                population: over_class_values(sets[name], bounds=(0.0, np.inf), parents=own)
                for population, own in groups.items()
            }
    for metric, told in found.items():
        yield Row(
            **about, metric=metric, value=told["classes"].value, higher_is_better=metric not in LOWER,
            intervals={population: own.interval for population, own in told.items()},
            notes=[f"{population}: {own.reason}" for population, own in told.items() if own.reason],
        )  # fmt: skip
    for metric, value in card.whole.items():
        yield Row(**about, metric=metric, value=value, intervals={}, higher_is_better=metric not in LOWER)


def _bands(curve: Originality) -> list[BandScore]:
    return [
        BandScore(low=b.low, high=b.high, share=b.share, recognizability=b.recognizability, human=b.human)
        for b in curve.bands
    ]


def _agreements(human: Sight, parents: Parents | None) -> list[CriticAgreement]:
    """Whether both critics and both equations order people's classes alike."""
    return _agreed(diversities(human), TABLE_S2, parents)


def _complexity(human: Sight, attributes: Mapping[str, PerClass], parents: Parents | None) -> list[CriticAgreement]:
    """Both critics beside how much there is to draw; strokes only where the source counts them."""
    tables = {name: values for name, values in diversities(human).items() if name.endswith(EQ_2)}
    counts = np.bincount(human.labels)
    drawn = {"line length": line_length(human.ink), "ink": human.ink.sum(axis=(1, 2))}
    much = {name: np.bincount(human.labels, values) / counts for name, values in drawn.items()}
    much |= {name: attributes[name] for name in ("strokes",) if name in attributes}
    return _agreed(tables | much, [(critic, quantity) for quantity in much for critic in tables], parents)


def _agreed(
    tables: Mapping[str, PerClass], pairs: Iterable[tuple[str, str]], parents: Parents | None
) -> list[CriticAgreement]:
    found = {pair: agreement(tables[pair[0]], tables[pair[1]], parents) for pair in pairs}
    return [
        CriticAgreement(
            first=one, second=other, spearman=a.spearman, p=a.spearman_p, r_squared=a.r_squared,
            interval=a.estimates["spearman"].interval,
        )
        for (one, other), a in found.items()
        if isinstance(a, Agreement)
    ]  # fmt: skip
