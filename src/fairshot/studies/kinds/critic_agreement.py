"""Would other critics say the same of the same drawings? A number a class by one critic beside that by another."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fairshot.learners.training.record import find_weights
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import AgreementRow, CriticResult
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.agreement import Agreement
from fairshot.scoring.critics import PAIR, PROTOTYPES, open_critics
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.recognition import WAY
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.statistics.estimate import Estimate
from fairshot.studies.kinds.critic_trials import (
    CENTRAL,
    CHOSEN,
    ENTRIES,
    RANDOM,
    STATISTICS,
    Found,
    asked_of,
    measure_people,
)
from fairshot.studies.study import Conditions, Study
from fairshot.tables.quantities import show_quantity
from fairshot.tables.table import Cell, Quantity, Table, plain_columns

LEAST = 2  # trials a class, with which every class is asked for
DIGITS = 6  # of a number a class, in the result
BOTH, SAME = " and ".join(PAIR), "the same exemplar"
RECOGNISED = "recognizability"
GAIN = f"{CENTRAL} instead of {RANDOM}"


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
    entries: bool = False
    """Whether every drawing beside every class of its episode counts, instead of one number a class."""


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
        return (
            pairs
            | {(asked.recogniser, asked.task) for asked in asked_of(self.critics)}
            | {(PROTOTYPES, GAIN), (BOTH, SAME)}
        )

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
        result = CriticResult(
            seed=self.seed,
            source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
            episodes_key=key,
            rows=rows,
            notes=notes,
            critics=critics.about,
            way=self.way,
            times=times,
            class_names=[part.class_names[one] for one in part.classes],
            by_class={name: [float(f"{value:.{DIGITS}g}") for value in own] for name, own in found.values.items()},
        )
        return conditions.stamp(result)

    def _rows(self, found: Found, part: Source, key: str) -> Iterator[Row]:
        """A row for every statistic of every pair, for every recogniser, and for exemplars."""
        numbers = [
            (asked.recogniser, asked.task, RECOGNISED, found.recognized[asked.name].estimate)
            for asked in asked_of(self.critics)
        ]
        numbers += [(PROTOTYPES, GAIN, RECOGNISED, found.gain), (BOTH, SAME, "share", found.same)]
        episodes = found.recognized[CHOSEN].episodes
        for learner, task, metric, estimate in numbers:
            yield Row.model_validate(
                {"learner": learner, "task": task, "metric": metric, "difference": task == GAIN}
                | _measured(estimate, part, key, episodes)
            )
        for pair in self.pairs:
            agreed = found.agreement(pair.first, pair.second)
            for statistic, estimate in found.estimates(pair.first, pair.second).items():
                ranked = isinstance(agreed, Agreement) and statistic == "spearman"
                fields = {
                    "learner": pair.first,
                    "task": pair.second,
                    "metric": statistic,
                    "table": pair.table,
                    "p_value": agreed.spearman_p if ranked and isinstance(agreed, Agreement) else None,
                    "published": pair.published.get(statistic),
                    "published_above": pair.above.get(statistic),
                    "entries": pair.entries,
                }
                yield AgreementRow.model_validate(fields | _measured(estimate, part, key, episodes))

    def tables(self, result: Result) -> list[Table]:
        """A table for each published one, and one of the recognisers."""
        assert isinstance(result, CriticResult)
        pairs = [row for row in result.rows if isinstance(row, AgreementRow)]
        shown = [
            _pair_table(title, [row for row in pairs if row.table == title], len(result.class_names))
            for title in dict.fromkeys(row.table for row in pairs)
        ]
        rest = [row for row in result.rows if not isinstance(row, AgreementRow)]
        return [*shown, self._recogniser_table(rest, result)]

    def _recogniser_table(self, rows: Sequence[Row], result: CriticResult) -> Table:
        lines: list[list[Cell]] = [[row.learner, row.task, _share(row)] for row in rows]
        note = f"{result.way}-way, each class asked for {result.times} times"
        if self.same is not None:
            agreed = show_quantity(Quantity(value=self.same, unit="share", digits=0))
            note += f"; {BOTH} agree on {agreed} by the authors' weights, measured and not published"
        columns = plain_columns("critic", "classes known by", "recognised")
        return Table(title=RECOGNISED, columns=columns, rows=lines, notes=[f"{note}."])


def _measured(estimate: Estimate, part: Source, key: str, episodes: int) -> dict[str, Any]:
    """The fields of a row that an estimate fills."""
    return {
        "part": part.name,
        "per_query": False,
        "episodes_key": key,
        "episodes": episodes,
        "value": None if math.isnan(estimate.value) else estimate.value,
        "intervals": {estimate.population: estimate.interval},
        "notes": [f"{estimate.population}: {estimate.reason}"] if estimate.reason else [],
    }


def _pair_table(title: str, rows: Sequence[AgreementRow], classes: int) -> Table:
    """The statistics of pairs beside the published ones."""
    lines = list[list[Cell]]()
    for pair in dict.fromkeys((row.learner, row.task) for row in rows):
        line: list[Cell] = [*pair]
        for row in (row for row in rows if (row.learner, row.task) == pair):
            line.append(_correlation(row))
            line += [_p_value(row)] if row.metric == "spearman" else []
            line.append(_published(row))
        lines.append(line)
    heads = ["one", "other"]
    for statistic, sign in STATISTICS.items():
        heads += [sign, *(["p"] if statistic == "spearman" else []), f"published {sign}"]
    population = next(population for row in rows for population in row.intervals)
    others = population + (", with classes of their own" if population == "parents" else "")
    notes = [f"Over {classes} classes; in brackets 95% for other {others}."]
    if any(row.entries for row in rows):
        notes.append(
            f"{ENTRIES.capitalize()}: every drawing beside every class of its episode, the own one and its rivals; p "
            "by the same deviation as the interval."
        )
    return Table(title=title, columns=plain_columns(*heads), rows=lines, notes=notes)


def _correlation(row: Row) -> Quantity:
    (interval,) = row.intervals.values()
    low, high = interval or (None, None)
    return Quantity(value=row.value, low=low, high=high, population=next(iter(row.intervals)), why=", ".join(row.notes))


def _share(row: Row) -> Quantity:
    unit = {"unit": "share", "digits": 1, "signed": row.difference}
    return _correlation(row).model_copy(update=unit)


def _p_value(row: AgreementRow) -> Cell:
    return None if row.p_value is None else Quantity(value=row.p_value, unit="p")


def _published(row: AgreementRow) -> Cell:
    if row.published is not None:
        return Quantity(value=row.published)
    return None if row.published_above is None else Quantity(value=row.published_above, bound=">")
