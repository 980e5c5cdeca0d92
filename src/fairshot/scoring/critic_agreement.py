"""Do both critics and both equations order people's classes alike, and is it by how much there is to draw?"""

from collections.abc import Iterable, Mapping

import numpy as np

from fairshot.scoring.agreement import Agreement, agreement
from fairshot.scoring.class_features import PerClass
from fairshot.scoring.class_values import Parents
from fairshot.scoring.critic_view import CriticView
from fairshot.scoring.critics import PAIR, PROTOTYPES, SIMCLR
from fairshot.scoring.line_length import line_length
from fairshot.scoring.measures.chords import chords_by_class
from fairshot.scoring.measures.diversity import deviation_by_class
from fairshot.scoring.sample_scores import CriticAgreement

EQ_2, EQ_3 = "Eq. 2", "Eq. 3"
LINE_LENGTH, STROKES = "line length", "strokes"
# The paper's Table S2: both critics, both equations, on people's drawings.
TABLE_S2 = (
    (f"{PROTOTYPES} {EQ_2}", f"{SIMCLR} {EQ_2}"),
    (f"{PROTOTYPES} {EQ_3}", f"{SIMCLR} {EQ_3}"),
    (f"{PROTOTYPES} {EQ_2}", f"{PROTOTYPES} {EQ_3}"),
    (f"{SIMCLR} {EQ_2}", f"{SIMCLR} {EQ_3}"),
)


def diversities(view: CriticView) -> dict[str, PerClass]:
    """The diversity of each class by both equations in the features of both critics, by name."""
    return {
        f"{kind} {equation}": diversity(features, view.labels)
        for kind, features in zip(PAIR, (view.features, view.rival_features), strict=True)
        for equation, diversity in ((EQ_2, deviation_by_class), (EQ_3, chords_by_class))
    }


def critic_agreements(human: CriticView, parents: Parents | None) -> list[CriticAgreement]:
    """Whether both critics and both equations order people's classes alike."""
    return _agreements(diversities(human), TABLE_S2, parents)


def amounts_to_draw(human: CriticView, attributes: Mapping[str, PerClass]) -> dict[str, PerClass]:
    """How much there is to draw in each class, by people's drawings; strokes only where the source counts them."""
    counts = np.bincount(human.labels)
    by_drawing = {LINE_LENGTH: line_length(human.ink), "ink": human.ink.sum(axis=(1, 2))}
    amounts = {name: np.bincount(human.labels, values) / counts for name, values in by_drawing.items()}
    return amounts | {name: attributes[name] for name in (STROKES,) if name in attributes}


def complexity_agreements(
    human: CriticView, amounts: Mapping[str, PerClass], parents: Parents | None
) -> list[CriticAgreement]:
    """Whether classes are diverse where there is much to draw."""
    by_critic = {name: values for name, values in diversities(human).items() if name.endswith(EQ_2)}
    pairs = [(critic, quantity) for quantity in amounts for critic in by_critic]
    return _agreements({**by_critic, **amounts}, pairs, parents)


def _agreements(
    values: Mapping[str, PerClass], pairs: Iterable[tuple[str, str]], parents: Parents | None
) -> list[CriticAgreement]:
    found = {pair: agreement(values[pair[0]], values[pair[1]], parents) for pair in pairs}
    return [
        CriticAgreement(
            first=first,
            second=second,
            spearman=agreed.spearman,
            p=agreed.spearman_p,
            r_squared=agreed.r_squared,
            interval=agreed.estimates["spearman"].interval,
        )
        for (first, second), agreed in found.items()
        if isinstance(agreed, Agreement)
    ]
