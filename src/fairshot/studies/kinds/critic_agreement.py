"""Would other critics say the same of the same drawings? A number a class by one critic beside that by another."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from fairshot.learners.exemplars import central_rows
from fairshot.learners.training.record import find_weights
from fairshot.results.schema import Facts, Result, Row, SourceName
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.agreement import Agreement, agreement
from fairshot.scoring.class_values import Parents, over_class_values
from fairshot.scoring.critic_agreement import diversities
from fairshot.scoring.critic_view import support_rows, view_people
from fairshot.scoring.critics import FIVE_SHOT, MAML, PAIR, PROTOTYPES, Critics, open_critics
from fairshot.scoring.human_reference import parents_of
from fairshot.scoring.measures.diversity import deviation_by_class
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognisers import RECOGNISERS
from fairshot.scoring.recognition import (
    WAY,
    Recognition,
    margins,
    mean_by_class,
    own_distances,
    recognise,
    recognised_more,
)
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.statistics.estimate import LEVEL, Estimate, refuse
from fairshot.studies.study import Conditions, Study

STATISTICS = {"spearman": "ρ", "pearson": "r", "r_squared": "R²"}
LEAST = 2  # trials a class, with which every class is asked for
DIGITS = 6  # of a number a class, in the result
BOTH, SAME = " and ".join(PAIR), "the same exemplar"
CENTRAL, RANDOM, FIVE = "exemplars by Eq. 1", "random exemplars", "five drawings by Eq. 1"
RECOGNISED = "recognizability"
GAIN = f"{CENTRAL} instead of {RANDOM}"

Values = dict[str, Float[np.ndarray, " class"]]


@dataclass(frozen=True)
class Pair:
    """Two numbers a class, and what was published of how well they agree."""

    table: str
    first: str
    second: str
    published: Mapping[str, float] = field(default_factory=dict)
    """By statistic."""
    above: Mapping[str, float] = field(default_factory=dict)
    """Where a bound alone was published."""


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
CHOSEN, ANY = ASKED[0].name, ASKED[2].name


@dataclass(frozen=True, eq=False)
class Found:
    """What critics found about people's drawings."""

    values: Values
    recognized: dict[str, Recognition]
    same: Estimate
    """The share of classes whose exemplar is the same by both critics of the pair."""
    parents: Parents | None
    """Which classes come together, as those of one alphabet; None if all do, or none."""

    @property
    def gain(self) -> Estimate:
        """What exemplars by Eq. 1 are worth."""
        return recognised_more(self.recognized[CHOSEN], self.recognized[ANY]).estimate

    def agreement(self, pair: Pair) -> Agreement | str:
        """Of two numbers a class, or why there is none."""
        return agreement(self.values[pair.first], self.values[pair.second], self.parents)

    def estimates(self, pair: Pair) -> dict[str, Estimate]:
        """By statistic; without a number where there is no agreement."""
        own = self.agreement(pair)
        if isinstance(own, Agreement):
            return own.estimates
        return dict.fromkeys(STATISTICS, refuse(math.nan, self.population, own, LEVEL))

    @property
    def population(self) -> str:
        """What intervals of class numbers are for."""
        return "classes" if self.parents is None else "parents"


@dataclass(frozen=True, kw_only=True)
class Controls(Study):
    """Diversity and recognizability of people's classes by several critics."""

    view: ClassVar[str] = "facts"

    what: str
    critics: Mapping[str, str]
    """Weights, or runs' folders: the pair, maml, five-shot, and further critics of diversity by any name."""
    pairs: tuple[Pair, ...]
    same: float | None = None
    """The share of classes with the same exemplar by the authors' critics."""
    way: int = WAY
    times: int = 100
    seed: int = 0

    @property
    def size(self) -> tuple[int, str]:
        """How often each class is asked for."""
        return self.times, "trials a class"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every pair, every recogniser, and what exemplars are worth."""
        pairs = {(pair.first, pair.second) for pair in self.pairs}
        return pairs | {(asked.recogniser, asked.task) for asked in ASKED} | {(PROTOTYPES, GAIN), (BOTH, SAME)}

    def published_for(self, learner: str, task: str, metric: str) -> float | None:
        """What the paper reports of a pair."""
        own = [pair for pair in self.pairs if (pair.first, pair.second) == (learner, task)]
        return own[0].published.get(metric) if own else None

    def run(self, conditions: Conditions) -> Result:
        """Lets all critics judge the same drawings, and compares."""
        critics = open_critics("the study", {kind: find_weights(name) for kind, name in self.critics.items()})
        part = find_part(self.what, recipe=critics.diversity.record.recipe)
        notes = critics.warnings(part, allow=False)
        times = max(LEAST, min(self.times, conditions.limit or self.times))
        protocol = Protocol(way=self.way, times=times, seed=self.seed)
        found = measure_people(critics, part, protocol, conditions.progress)
        key = fingerprint(part.origin, self.way, times, self.seed)
        rows = list(self._rows(found, part, key))
        result = Result(
            seed=self.seed, source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
            episodes_key=key, rows=rows, notes=notes, facts=list(self._facts(found, times)),
        )  # fmt: skip
        names = [part.class_names[one] for one in part.classes]
        by_class = {name: [float(f"{value:.{DIGITS}g}") for value in own] for name, own in found.values.items()}
        update = {"critics": critics.about, "class_names": names, "by_class": by_class}
        return conditions.stamp(result.model_copy(update=update))

    def _rows(self, found: Found, part: Source, key: str) -> Iterator[Row]:
        """A row for every statistic of every pair, for every recogniser, and for exemplars."""
        numbers = [(each.recogniser, each.task, RECOGNISED, found.recognized[each.name].estimate) for each in ASKED]
        numbers += [(PROTOTYPES, GAIN, RECOGNISED, found.gain), (BOTH, SAME, "share", found.same)]
        for pair in self.pairs:
            own = found.estimates(pair)
            numbers += [(pair.first, pair.second, statistic, own[statistic]) for statistic in STATISTICS]
        for learner, task, metric, told in numbers:
            yield Row(
                learner=learner, task=task, part=part.name, metric=metric, per_query=False, episodes_key=key,
                value=None if math.isnan(told.value) else told.value, intervals={told.population: told.interval},
                episodes=found.recognized[CHOSEN].episodes, published=self.published_for(learner, task, metric),
                notes=[f"{told.population}: {told.reason}"] if told.reason else [],
            )  # fmt: skip

    def _facts(self, found: Found, times: int) -> Iterator[Facts]:
        """A table for each published one, and one of the recognisers."""
        columns = ["one", "other", *(head for sign in STATISTICS.values() for head in (sign, f"published {sign}"))]
        others = found.population + ("" if found.parents is None else ", with classes of their own")
        note = f"Over {len(found.values[CHOSEN])} classes; in brackets 95% for other {others}."
        for table in dict.fromkeys(pair.table for pair in self.pairs):
            rows = [_line(pair, found) for pair in self.pairs if pair.table == table]
            yield Facts(title=table, columns=columns, rows=rows, note=note)
        rows = [[each.recogniser, each.task, _percent(found.recognized[each.name].estimate)] for each in ASKED]
        rows += [[PROTOTYPES, GAIN, _percent(found.gain, "+.1f")], [BOTH, SAME, _percent(found.same)]]
        whose = "by the authors' weights, measured and not published"
        known = "" if self.same is None else f"; {BOTH} agree on {100 * self.same:.0f}% {whose}"
        yield Facts(
            title=RECOGNISED, columns=["critic", "classes known by", "%"], rows=rows,
            note=f"{self.way}-way, each class asked for {times} times{known}.",
        )  # fmt: skip


def measure_people(critics: Critics, part: Source, protocol: Protocol, progress: Progress) -> Found:
    """All that any of the critics says of each class."""
    classes = np.arange(len(part.classes))
    views = {
        (how, shot): view_people(
            critics, part, support_rows(critics, part, how, shot=shot, seed=protocol.seed), classes, exclude=True
        )
        for how, shot in dict.fromkeys((each.how, each.shot) for each in ASKED)
    }
    human = views["central", 1]
    values = diversities(human)
    for kind in (each for each in critics.fitted if each not in (*PAIR, *RECOGNISERS)):
        values[f"{kind} Eq. 2"] = deviation_by_class(critics.features(human.images, kind), human.labels)
    recognized = {}
    for number, asked in enumerate(ASKED):
        progress("recognising", number, len(ASKED), np.nan)
        own = views[asked.how, asked.shot]
        trials = protocol.draw_trials(own)
        far = RECOGNISERS[asked.recogniser].distances(own, trials, progress)
        recognized[asked.name] = recognise(far, own.labels, trials)
        values[asked.name] = recognized[asked.name].by_class
        if asked.task == CENTRAL:
            own_class = mean_by_class(own_distances(far), own.labels, trials)
            # An adapting network gives evidence for a class, the other one a distance from it.
            values |= {"maml logit": -own_class} if asked.recogniser == MAML else {"prototypes distance": own_class}
            values[f"{asked.recogniser} margin"] = mean_by_class(margins(far), own.labels, trials)
    tables = (human.features, critics.features(human.images, PROTOTYPES))
    one, other = (central_rows(features, human.labels) for features in tables)
    parents = parents_of(part, part.classes)
    same = over_class_values((one == other).astype(np.float64), bounds=(0.0, 1.0), parents=parents)
    return Found(values, recognized, same, parents)


def _line(pair: Pair, found: Found) -> list[str]:
    """The statistics of a pair beside the published ones."""
    own, cells = found.agreement(pair), [pair.first, pair.second]
    for statistic, told in found.estimates(pair).items():
        chance = f" (p {own.spearman_p:.0e})" if isinstance(own, Agreement) and statistic == "spearman" else ""
        cells.append(told.reason if math.isnan(told.value) else f"{_number(told, '.2f')}{chance}")
        bound = f"> {pair.above[statistic]:.2f}" if statistic in pair.above else ""
        cells.append(f"{pair.published[statistic]:.2f}" if statistic in pair.published else bound)
    return cells


def _number(own: Estimate, digits: str, scale: float = 1.0) -> str:
    """With its interval, or why there is none."""
    if own.interval is None:
        return f"{scale * own.value:{digits}}{f' ({own.reason})' if own.reason else ''}"
    return f"{scale * own.value:{digits}} [{scale * own.interval[0]:{digits}}, {scale * own.interval[1]:{digits}}]"


def _percent(own: Estimate, digits: str = ".1f") -> str:
    return _number(own, digits, 100.0)
