"""What was measured, to be looked at: concepts ranked by each critic, and where people's drawings lie."""

import numpy as np

from fairshot.scoring.concepts import Concept, Gallery, Hand, map_neighbours, random_concepts, rank_concepts
from fairshot.scoring.critic_agreement import EQ_2, diversities
from fairshot.scoring.critic_view import CriticView
from fairshot.scoring.critics import PAIR, SIMCLR
from fairshot.scoring.measurements import Measurements
from fairshot.scoring.sample_scores import HUMAN


def make_gallery(measurements: Measurements) -> Gallery:
    """The concepts of every set by both critics and on a sheet, and maps of people's drawings."""
    class_names = tuple(measurements.class_names)
    views = _views(measurements)
    hands = {name: _hand(view, class_names) for name, view in views.items()}
    ranks = {name: diversities(view) for name, view in views.items()}
    human, seed = views[HUMAN], measurements.protocol.seed
    by_features, by_rival = (
        map_neighbours(hands[HUMAN], features, ranks[HUMAN][f"{SIMCLR} {EQ_2}"], seed=seed)
        for features in (human.features, human.rival_features)
    )
    return Gallery(
        {name: {kind: rank_concepts(hands[name], ranks[name][f"{kind} {EQ_2}"]) for kind in PAIR} for name in hands},
        by_features,
        by_rival,
        make_sheets(measurements),
    )


def make_sheets(measurements: Measurements) -> dict[str, list[Concept]]:
    """For every set the same concepts at random: all that is needed to see what samples look like."""
    names, seed = tuple(measurements.class_names), measurements.protocol.seed
    return {
        name: random_concepts(_hand(view, names), diversities(view)[f"{SIMCLR} {EQ_2}"], seed=seed)
        for name, view in _views(measurements).items()
    }


def _views(measurements: Measurements) -> dict[str, CriticView]:
    """People first, as pictures are named in this order."""
    others = {name: measurement.evidence.view for name, measurement in measurements.sets.items()}
    return {HUMAN: measurements.human.evidence.view, **others}


def _hand(view: CriticView, class_names: tuple[str, ...]) -> Hand:
    """The drawings of a set and its exemplars, dark on light."""
    recipe = view.critics.recipe
    has_light_ink = recipe.invert or recipe.binarise
    drawings, exemplars = (
        255 - grey if has_light_ink else grey
        for grey in (images.mean(axis=1).round().astype(np.uint8) for images in (view.images, view.exemplars))
    )
    return Hand(
        name=view.name,
        class_names=class_names,
        drawings=drawings,
        labels=view.labels,
        exemplars=exemplars,
        among=view.name == HUMAN,
    )
