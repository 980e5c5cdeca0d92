"""The verb `score`: how diverse and how recognizable a generator's samples are, beside the drawings of people.

After Boutin et al., Diversity vs. Recognizability, NeurIPS 2022, with measures that were proposed before and since.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from jaxtyping import Int, UInt8

from fairshot.critics import Critics, load_critics
from fairshot.drawn import draw_samples
from fairshot.judged import LEAST_POOL, Card, Judging, Sight, exemplar_rows, human_sight, judge, notes_on
from fairshot.resolve import find_part
from fairshot.runtime.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprint import fingerprint
from fairshot.runtime.result import Row, SourceName
from fairshot.scored import HUMAN, BandScore, ClassScores, CriticAgreement, Scored
from fairshot.sources.samples import USUAL, Ink, Samples
from fairshot.sources.source import Source
from fairshot.statistics.agreement import Agreement, agreement
from fairshot.statistics.diversity import chords_by_class, deviation_by_class
from fairshot.statistics.human_distance import HumanDistances, class_distances_to_human, distances_to_human
from fairshot.statistics.originality import Originality


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
    """Every set of samples, by one pair of critics, on the classes that all of them have."""
    judging, critics = judging or Judging(), load_critics(critic)
    part, on = _human_part(critics, on)
    warnings = critics.warnings(part, allow=allow_seen)
    chosen = exemplar_rows(critics, part, exemplars, judging.seed)
    shown = critics.recipe.scale(part.read(chosen))
    asked = [spec for spec in dict.fromkeys(samples) if spec != HUMAN]
    drawn: dict[str, Samples] = {}
    for number, spec in enumerate(asked):
        progress("reading", number, len(asked), np.nan)
        drawn[spec] = draw_samples(spec, part, shown, critics.recipe, on=on, count=count, ink=ink, seed=judging.seed)
    common = _common(drawn.values(), len(part.classes), judging.way)
    human = human_sight(critics, part, chosen, common, exclude=not judging.exemplar_asks)
    cards = {HUMAN: judge(human, human, judging)}
    for number, (spec, own) in enumerate(drawn.items()):
        progress("judging", number, len(asked), np.nan)
        cards[spec] = judge(_sight(spec, critics, own, human.exemplars, common), human, judging)
    notes = [*warnings, *(note for own in drawn.values() for note in own.notes), *notes_on(cards, judging)]
    return _scored(cards, critics, part, chosen[common], judging, notes)


def _human_part(critics: Critics, on: str | None) -> tuple[Source, str]:
    """The drawings of people: what was named, or the novel part of what the critics were trained on."""
    if on is not None:
        return find_part(on, recipe=critics.diversity.record.recipe), on
    source, _, part = critics.diversity.record.source.rpartition("/")
    where = f"{source}/novel"
    seen = critics.diversity.seen
    try:
        found = find_part(where, recipe=critics.diversity.record.recipe) if part == "base" else None
    except FairshotError:
        found = None
    if found is None or seen is None or found.root != seen.root:
        raise FairshotError(
            f"the critics of {critics.name} were trained on {critics.diversity.record.source}, which does not tell "
            "what to compare samples with: say --on, such as --on omniglot/weak/novel"
        )
    return found, where


def _common(drawn: Iterable[Samples], classes: int, way: int) -> Int[np.ndarray, " class"]:
    """The classes that all sets have samples of."""
    common = np.arange(classes)
    for own in drawn:
        common = np.intersect1d(common, own.labels)
    if len(common) < max(way, 2):
        raise FairshotError(
            f"{len(common)} of {classes} classes have samples in every set, and {way} meet in an episode: give samples "
            f"of more classes, or --way {max(len(common) - 1, 2)}"
        )
    return common


def _sight(
    name: str,
    critics: Critics,
    samples: Samples,
    exemplars: UInt8[np.ndarray, "common channel height width"],
    common: Int[np.ndarray, " common"],
) -> Sight:
    kept = np.isin(samples.labels, common)
    labels = np.searchsorted(common, samples.labels[kept])
    return Sight(name, critics, samples.images[kept], labels, exemplars, np.ones(len(labels), dtype=bool))


def _scored(
    cards: Mapping[str, Card],
    critics: Critics,
    part: Source,
    chosen: Int[np.ndarray, " class"],
    judging: Judging,
    notes: Sequence[str],
) -> Scored:
    human = cards[HUMAN]
    ordered = [name for name in cards if name != HUMAN] + [HUMAN]
    distances = distances_to_human({name: cards[name].point for name in ordered})
    key = fingerprint(part.origin, judging.way, judging.times, judging.seed, judging.exemplar_asks)
    far = _far(cards, ordered, distances)
    rows = [row for name in ordered for row in _rows(name, cards[name], far.get(name, {}), part, judging, key)]
    names = [part.class_names[part.class_ids[row]] for row in chosen]
    return Scored(
        seed=judging.seed,
        source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
        episodes_key=key,
        rows=rows,
        notes=list(dict.fromkeys(notes)),
        critic=critics.name,
        critics=critics.about,
        classes=len(chosen),
        samples_a_class={name: int(np.bincount(cards[name].sight.labels).min()) for name in ordered},
        way=judging.way,
        pool=distances.pool,
        neighbours=judging.neighbours,
        by_class=[
            ClassScores(
                samples=name,
                name=names[c],
                exemplar=int(part.image_ids[chosen[c]]),
                values={metric: float(values[c]) for metric, values in cards[name].values.items()},
            )
            for name in ordered
            for c in range(len(chosen))
        ],
        originality={name: _bands(card.curve) for name, card in cards.items() if card.curve is not None},
        agreement=_agreements(critics, human.sight),
    )


def _far(cards: Mapping[str, Card], ordered: Sequence[str], distances: HumanDistances) -> dict[str, dict[str, float]]:
    """Distances to people, where the pool is large enough to have a scale."""
    others = [name for name in ordered if name != HUMAN]
    if len(cards) < LEAST_POOL:
        return {}
    table = {name: np.stack([cards[name].values[m] for m in ("diversity", "recognizability")], 1) for name in ordered}
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


def _agreements(critics: Critics, human: Sight) -> list[CriticAgreement]:
    """The four pairs of the paper's Table S2: both critics, both equations, on people's drawings."""
    rival = critics.rival_features(human.images)
    tables = {
        f"{kind} {equation}": measure(features, human.labels)
        for kind, features in (("simclr", human.features), ("prototypes", rival))
        for equation, measure in (("Eq. 2", deviation_by_class), ("Eq. 3", chords_by_class))
    }
    pairs = (
        ("prototypes Eq. 2", "simclr Eq. 2"),
        ("prototypes Eq. 3", "simclr Eq. 3"),
        ("prototypes Eq. 2", "prototypes Eq. 3"),
        ("simclr Eq. 2", "simclr Eq. 3"),
    )
    found = {pair: agreement(tables[pair[0]], tables[pair[1]]) for pair in pairs}
    return [
        CriticAgreement(first=one, second=other, spearman=a.spearman, p=a.spearman_p, r_squared=a.r_squared)
        for (one, other), a in found.items()
        if isinstance(a, Agreement)
    ]
