"""People's drawings before several critics: how diverse each class is by each, and how well each recognises it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from fairshot.learners.exemplars import central_rows
from fairshot.runtime.backends.backend import Progress
from fairshot.scoring.agreement import Agreement, agreement
from fairshot.scoring.class_values import Parents, over_class_values
from fairshot.scoring.critic_agreement import diversities
from fairshot.scoring.critic_view import CriticView, support_rows, view_people
from fairshot.scoring.critics import FIVE_SHOT, MAML, PAIR, PROTOTYPES, Critics
from fairshot.scoring.entry_agreement import entry_agreement
from fairshot.scoring.human_reference import parents_of
from fairshot.scoring.measures.diversity import deviation_by_class
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognisers import RECOGNISERS, Adapting
from fairshot.scoring.recognition import (
    Far,
    Recognition,
    Trials,
    margins,
    mean_by_class,
    own_distances,
    recognise,
    recognised_more,
)
from fairshot.sources.source import Source
from fairshot.statistics.estimate import LEVEL, Estimate, refuse

STATISTICS = {"spearman": "ρ", "pearson": "r", "r_squared": "R²"}
CENTRAL, RANDOM, FIVE = "exemplars by Eq. 1", "random exemplars", "five drawings by Eq. 1"
PRINTED = "maml-printed"
"""MAML as the paper prints it: an output layer that is learned, and an inner rate of 0.01."""
DISTANCE, LOGIT, ENTRIES = "distance", "logit", "all entries"

Values = dict[str, Float[np.ndarray, " class"]]


@dataclass(frozen=True)
class Asked:
    """Trials on people's drawings: who recognises them, and which drawings stand for a class."""

    name: str
    recogniser: str
    task: str
    how: str = "central"
    shot: int = 1


ASKED = (
    Asked("prototypes accuracy", PROTOTYPES, CENTRAL),
    Asked("maml accuracy", MAML, CENTRAL),
    Asked("prototypes accuracy, random exemplars", PROTOTYPES, RANDOM, "random"),
    Asked("five-shot accuracy", FIVE_SHOT, FIVE, shot=5),
    # On the same trials: the first of five drawings is the exemplar.
    Asked("one-shot accuracy", PROTOTYPES, f"the first of {FIVE}", shot=5),
)
AS_PRINTED = Asked(f"{PRINTED} accuracy", PRINTED, CENTRAL)
CHOSEN, ANY = ASKED[0].name, ASKED[2].name


def asked_of(critics: Mapping[str, object]) -> tuple[Asked, ...]:
    """The trials that these critics can serve; MAML as printed is not always there."""
    return (*ASKED, AS_PRINTED) if PRINTED in critics else ASKED


@dataclass(frozen=True, eq=False)
class Found:
    """What critics found about people's drawings."""

    values: Values
    recognized: dict[str, Recognition]
    same: Estimate
    """The share of classes whose exemplar is the same by both critics of the pair."""
    parents: Parents | None
    """Which classes come together, as those of one alphabet; None if all do, or none."""
    entries: Mapping[tuple[str, str], Agreement | str] = field(default_factory=dict)
    """How two recognisers agree in all entries of their episodes, by the names of both."""

    @property
    def gain(self) -> Estimate:
        """What exemplars by Eq. 1 are worth."""
        return recognised_more(self.recognized[CHOSEN], self.recognized[ANY]).estimate

    def agreement(self, first: str, second: str) -> Agreement | str:
        """Of two numbers a class, or of all entries; or why there is none."""
        if (first, second) in self.entries:
            return self.entries[first, second]
        return agreement(self.values[first], self.values[second], self.parents)

    def estimates(self, first: str, second: str) -> dict[str, Estimate]:
        """By statistic; without a number where there is no agreement."""
        own = self.agreement(first, second)
        if isinstance(own, Agreement):
            return own.estimates
        return dict.fromkeys(STATISTICS, refuse(math.nan, self.population, own, LEVEL))

    @property
    def population(self) -> str:
        """What intervals of class numbers are for."""
        return "classes" if self.parents is None else "parents"


def measure_people(critics: Critics, part: Source, protocol: Protocol, progress: Progress) -> Found:
    """All that any of the critics says of each class."""
    asked, parents = asked_of(critics.fitted), parents_of(part, part.classes)
    views = _views(critics, part, asked, protocol.seed)
    human = views["central", 1]
    values, recognized, entries = diversities(human), dict[str, Recognition](), dict[str, Far]()
    for kind in (kind for kind in critics.fitted if kind not in (*PAIR, *RECOGNISERS, PRINTED)):
        values[f"{kind} Eq. 2"] = deviation_by_class(critics.features(human.images, kind), human.labels)
    for number, each in enumerate(asked):
        progress("recognising", number, len(asked), np.nan)
        view = views[each.how, each.shot]
        trials = protocol.draw_trials(view)
        recogniser = RECOGNISERS.get(each.recogniser) or Adapting(each.recogniser)
        far = recogniser.distances(view, trials, progress)
        recognized[each.name] = recognise(far, view.labels, trials)
        values[each.name] = recognized[each.name].by_class
        if each.task == CENTRAL:
            entries[each.recogniser] = far
            values |= _class_values(each.recogniser, far, view, trials)
    tables = (human.features, critics.features(human.images, PROTOTYPES))
    one, other = (central_rows(features, human.labels) for features in tables)
    same = over_class_values((one == other).astype(np.float64), bounds=(0.0, 1.0), parents=parents)
    agreed = _agree_in_entries(entries, protocol.draw_trials(human), parents)
    return Found(values=values, recognized=recognized, same=same, parents=parents, entries=agreed)


def _views(critics: Critics, part: Source, asked: tuple[Asked, ...], seed: int) -> dict[tuple[str, int], CriticView]:
    """People's drawings beside every kind of drawings that classes are known by."""
    classes = np.arange(len(part.classes))
    return {
        (how, shot): view_people(
            critics, part, support_rows(critics, part, how, shot=shot, seed=seed), classes, exclude=True
        )
        for how, shot in dict.fromkeys((each.how, each.shot) for each in asked)
    }


def _class_values(kind: str, far: Far, view: CriticView, trials: Trials) -> Values:
    """What a recogniser says of the own class, and by how much the best other class is behind."""
    own_class = mean_by_class(own_distances(far), view.labels, trials)
    # An adapting network gives evidence for a class, the other one a distance from it.
    evidence = {f"{kind} {DISTANCE}": own_class} if kind == PROTOTYPES else {f"{kind} {LOGIT}": -own_class}
    return {**evidence, f"{kind} margin": mean_by_class(margins(far), view.labels, trials)}


def _agree_in_entries(
    entries: Mapping[str, Far], trials: Trials, parents: Parents | None
) -> dict[tuple[str, str], Agreement | str]:
    """The distances of the prototypical critic beside the logits of those that adapt."""
    first, distances = f"{PROTOTYPES} {DISTANCE}, {ENTRIES}", entries[PROTOTYPES]
    return {
        (first, f"{kind} {LOGIT}, {ENTRIES}"): entry_agreement(distances, -far, trials, parents)
        for kind, far in entries.items()
        if kind != PROTOTYPES
    }
