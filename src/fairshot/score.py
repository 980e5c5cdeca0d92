"""The verb `score`: how diverse and how recognizable a generator's samples are, beside the drawings of people.

After Boutin et al., Diversity vs. Recognizability, NeurIPS 2022, with measures that were proposed before and since.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Int

from fairshot.concepts import Gallery, Hand, map_neighbours, rank_concepts
from fairshot.critics import PAIR, SIMCLR, Critics, load_critics
from fairshot.drawn import draw_samples, shadowed
from fairshot.judged import AXES, EQ_2, LEAST_POOL, TABLE_S2, Card, Judging, diversities, judge, notes_on
from fairshot.resolve import find_part
from fairshot.runtime.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprint import fingerprint
from fairshot.runtime.result import Row, SourceName
from fairshot.scored import BandScore, ClassScores, CriticAgreement, Scored
from fairshot.sight import Sight, see_people, support_rows
from fairshot.sources.pictures import Rows
from fairshot.sources.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK, WORDS, polarity
from fairshot.sources.samples import USUAL, Ink, Samples
from fairshot.sources.source import Source
from fairshot.statistics.agreement import Agreement, agreement
from fairshot.statistics.diversity import PerClass
from fairshot.statistics.human_distance import HUMAN, HumanDistances, class_distances_to_human, distances_to_human
from fairshot.statistics.originality import Originality
from fairshot.statistics.skeleton import line_length


@dataclass(frozen=True, eq=False)
class Judgement:
    """Every set of samples as it was judged, people's drawings first: all that numbers and pictures are made of."""

    cards: dict[str, Card]
    critics: Critics
    part: Source
    chosen: Int[np.ndarray, " class"]
    """The rows of the exemplars in the part, of the classes that all sets have."""
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
    part, on = _human_part(critics, on)
    warnings = critics.warnings(part, allow=allow_seen)
    support = support_rows(critics, part, exemplars, shot=judging.recognising.shot, seed=judging.seed)
    shown = critics.recipe.scale(part.read(support[:, 0]))
    asked = [spec for spec in dict.fromkeys(samples) if spec != HUMAN]
    drawn: dict[str, Samples] = {}
    for number, spec in enumerate(asked):
        progress("reading", number, len(asked), np.nan)
        drawn[spec] = draw_samples(spec, part, shown, critics.recipe, on=on, count=count, ink=ink, seed=judging.seed)
    common = _common(drawn.values(), len(part.classes), judging.way)
    human = see_people(critics, part, support, common, exclude=not judging.exemplar_asks)
    cards = {HUMAN: judge(human, human, judging)}
    for number, (spec, own) in enumerate(drawn.items()):
        progress("judging", number, len(asked), np.nan)
        cards[spec] = judge(_sight(spec, own, human, common), human, judging)
    read = [note for own in drawn.values() for note in own.notes]
    notes = [*warnings, *part.notes, *shadowed(samples), *read, *notes_on(cards, judging)]
    return Judgement(cards, critics, part, support[common, 0], judging, list(dict.fromkeys(notes)))


def _human_part(critics: Critics, on: str | None) -> tuple[Source, str]:
    """The drawings of people: what was named, or the novel part of what the critics were trained on."""
    if on is not None:
        return _light_ink(find_part(on, recipe=critics.diversity.record.recipe)), on
    source, _, part = critics.diversity.record.source.rpartition("/")
    where = f"{source}/novel"
    seen = critics.diversity.seen
    try:
        found = find_part(where, recipe=critics.diversity.record.recipe) if part == "base" else None
    except FairshotError:
        found = None
    if found is not None and _tone(found) == DARK_ON_LIGHT:
        raise FairshotError(
            f"the critics of {critics.name} were trained on drawings with light ink, which the recipe "
            f"{found.recipe.name} takes for paper: train them on dark ink"
        )
    if found is None or seen is None or found.root != seen.root:
        raise FairshotError(
            f"the critics of {critics.name} were trained on {critics.diversity.record.source}, which does not tell "
            "what to compare samples with: say --on, such as --on omniglot/weak/novel"
        )
    return found, where


def _tone(part: Source) -> int:
    """How its drawings look under the recipe of critics; 0 where nothing tells, or the recipe does not invert."""
    if not part.has_images or not (part.recipe.invert or part.recipe.binarise):
        return 0
    return polarity(Rows(np.asarray(part.read(slice(None))), tuple(map(str, part.image_ids))))


def _light_ink(part: Source) -> Source:
    """Recipes make light ink of dark: drawings that had light ink already are turned back, blank ones left alone."""
    if _tone(part) != DARK_ON_LIGHT:
        return part
    drawn = np.ptp(part.store, axis=(1, 2, 3), keepdims=True) > 0
    note = f"the drawings of people, {part.name}, are {WORDS[LIGHT_ON_DARK]}: they were read as such"
    return replace(
        part,
        store=np.where(drawn, 255 - part.store, part.store),
        content=fingerprint(part.content, "inverted"),
        notes=(*part.notes, note),
    )


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
    distances = distances_to_human({name: cards[name].point for name in ordered})
    ids, asked = part.image_ids[chosen], (judging.recogniser, judging.trials, judging.exemplar_asks)
    key = fingerprint(part.origin, ids, judging.way, judging.seed, *asked)
    far = _far(cards, ordered, distances)
    rows = [row for name in ordered for row in _rows(name, cards[name], far.get(name, {}), part, judging, key)]
    names, class_ids = judgement.class_names, judgement.class_ids
    attributes = {name: values[class_ids].astype(np.float64) for name, values in part.class_attributes.items()}
    return Scored(
        seed=judging.seed,
        source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
        episodes_key=key,
        rows=rows,
        notes=judgement.notes,
        critic=judgement.critics.name,
        critics=judgement.critics.about,
        recogniser=judging.recogniser,
        classes=len(chosen),
        samples_a_class={name: int(np.bincount(cards[name].sight.labels).min()) for name in ordered},
        way=judging.way,
        times=judging.trials,
        pool=distances.pool,
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
        agreement=_agreements(human.sight),
        complexity=_complexity(human.sight, attributes),
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


def _far(cards: Mapping[str, Card], ordered: Sequence[str], distances: HumanDistances) -> dict[str, dict[str, float]]:
    """Distances to people, where the pool is large enough to have a scale."""
    others = [name for name in ordered if name != HUMAN]
    if len(cards) < LEAST_POOL:
        return {}
    table = {name: np.stack([cards[name].values[axis] for axis in AXES], 1) for name in ordered}
    classes = class_distances_to_human(np.stack([table[name] for name in others]), table[HUMAN])
    medians = np.median(classes, axis=1).tolist()
    return {
        name: {"distance": distances.values[name], "class_distance": median}
        for name, median in zip(others, medians, strict=True)
    }


def _rows(name: str, card: Card, far: Mapping[str, float], part: Source, judging: Judging, key: str) -> Iterable[Row]:
    task = f"{judging.way}-way, exemplars of {len(card.sight.exemplars)} classes"
    for metric, estimate in card.estimates.items():
        yield Row(
            learner=name, task=task, part=part.name, metric=metric, episodes=card.recognized.episodes, episodes_key=key,
            value=estimate.value, intervals={"classes": estimate.interval}, per_query=False,
            notes=[f"classes: {estimate.reason}"] if estimate.reason else [],
        )  # fmt: skip
    for metric, value in (card.whole | dict(far)).items():
        yield Row(
            learner=name, task=task, part=part.name, metric=metric, episodes=card.recognized.episodes, episodes_key=key,
            value=value, intervals={}, per_query=False, higher_is_better=metric == "inception",
        )  # fmt: skip


def _bands(curve: Originality) -> list[BandScore]:
    return [
        BandScore(low=b.low, high=b.high, share=b.share, recognizability=b.recognizability, human=b.human)
        for b in curve.bands
    ]


def _agreements(human: Sight) -> list[CriticAgreement]:
    """Whether both critics and both equations order people's classes alike."""
    return _agreed(diversities(human), TABLE_S2)


def _complexity(human: Sight, attributes: Mapping[str, PerClass]) -> list[CriticAgreement]:
    """Both critics beside how much there is to draw; strokes only where the source counts them."""
    tables = {name: values for name, values in diversities(human).items() if name.endswith(EQ_2)}
    counts = np.bincount(human.labels)
    drawn = {"line length": line_length(human.ink), "ink": human.ink.sum(axis=(1, 2))}
    much = {name: np.bincount(human.labels, values) / counts for name, values in drawn.items()}
    much |= {name: attributes[name] for name in ("strokes",) if name in attributes}
    return _agreed(tables | much, [(critic, quantity) for quantity in much for critic in tables])


def _agreed(tables: Mapping[str, PerClass], pairs: Iterable[tuple[str, str]]) -> list[CriticAgreement]:
    found = {pair: agreement(tables[pair[0]], tables[pair[1]]) for pair in pairs}
    return [
        CriticAgreement(
            first=one, second=other, spearman=a.spearman, p=a.spearman_p, r_squared=a.r_squared,
            interval=a.estimates["spearman"].interval,
        )
        for (one, other), a in found.items()
        if isinstance(a, Agreement)
    ]  # fmt: skip
