"""Which measures of samples depend on how many there are? The same sets, judged by few and by many."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Int

from fairshot.results.schema import Result, SourceName
from fairshot.results.study_rows import CriticResult, SampleRow
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.scoring.critic_view import CriticView, support_rows, view_people
from fairshot.scoring.critics import load_critics
from fairshot.scoring.measures.diversity import deviation_by_class, deviation_share
from fairshot.scoring.measures.frechet import Cloud, cloud_of, distance_of_clouds, extrapolated_distance
from fairshot.scoring.measures.inception import inception_of
from fairshot.scoring.recognition import WAY, expected_accuracy
from fairshot.scoring.sample_scores import HUMAN
from fairshot.scoring.sample_sets import Request, draw_samples
from fairshot.sources.images.sample_files import USUAL
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.studies.study import Conditions, Study
from fairshot.tables.quantities import show_quantity
from fairshot.tables.table import Cell, Quantity, Table, plain_columns

MEASURES = {
    "frechet": "FID",
    "extrapolated": "FID at infinity",
    "inception": "IS",
    "diversity": "diversity",
    "corrected": "diversity / c4",
    "recognizability": "recognizability",
}
"""By metric, what a table calls them."""
DIGITS = {"frechet": 2, "extrapolated": 2, "inception": 2, "diversity": 3, "corrected": 3, "recognizability": 3}

Found = Float[np.ndarray, "draw measure"]
Rows = dict[tuple[str, int], dict[str, SampleRow]]
"""By set, samples a class and metric."""


@dataclass(frozen=True)
class SampleNumbers(Study):
    """Sets of different sizes out of one pool that share no sample; people's drawings against their other half."""

    view: ClassVar[str] = "facts"

    what: str
    """The drawings of people."""
    critic: str
    generators: tuple[str, ...]
    numbers: tuple[int, ...] = (2, 3, 5, 10, 20, 50, 100)
    """Samples a class."""
    people: tuple[int, ...] = (2, 3, 5, 10)
    """The same of people's drawings: half of them at most."""
    pool: int = 200
    """Samples a class that sets are taken from."""
    draws: int = 5
    """Sets of each size, or as many as the pool has."""
    way: int = WAY
    seed: int = 0

    @property
    def size(self) -> tuple[int, str]:
        """Sets of each size."""
        return self.draws, "draws"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every set in every size."""
        found = {(name, _task(number)) for name in self.generators for number in self.numbers}
        return found | {(HUMAN, _task(number)) for number in self.people}

    def run(self, conditions: Conditions) -> Result:
        """Every measure at every number of samples, and how much it changes from few to many."""
        critics = load_critics(self.critic)
        part = find_part(self.what, recipe=critics.diversity.record.recipe)
        notes = critics.warnings(part, allow=False)
        support = support_rows(critics, part, "central", shot=1, seed=self.seed)
        human = view_people(critics, part, support, np.arange(len(part.classes)), exclude=True)
        draws = min(self.draws, conditions.limit or self.draws)
        found = {(HUMAN, number): each for number, each in self._people(human, draws).items()}
        real = cloud_of(human.features)
        for done, spec in enumerate(self.generators, 1):
            own = self._pooled(spec, part, human, draws)
            for number in self.numbers:
                found[spec, number] = np.array([self._measure(*one, real) for one in self._sets(own, number, draws)])
            conditions.progress("judging", done, len(self.generators), np.nan)
        key = fingerprint(part.origin, self.numbers, self.people, self.pool, draws, self.seed)
        result = CriticResult(
            seed=self.seed,
            source=SourceName(name=part.name, fingerprint=part.fingerprint, recipe=part.recipe.name),
            episodes_key=key,
            rows=[row for (name, number), each in found.items() for row in _rows(name, number, each, part, key)],
            notes=notes,
            critic=critics.name,
            critics=critics.about,
        )
        return conditions.stamp(result)

    def tables(self, result: Result) -> list[Table]:
        """Every measure at every number of samples, and how much it changes from few to many."""
        rows: Rows = {}
        for row in result.rows:
            if isinstance(row, SampleRow):
                rows.setdefault((row.learner, row.samples), {})[row.metric] = row
        return [_sample_table(rows), _change_table(rows)]

    def _pooled(self, spec: str, part: Source, human: CriticView, draws: int) -> CriticView:
        """All samples of a generator that sets are taken from, drawn a few at a time."""
        recipe = human.critics.recipe
        shown = recipe.scale(human.exemplars)
        most = min(self.pool, draws * max(self.numbers))
        request = Request(part=part, exemplars=shown, recipe=recipe, on=self.what)
        drawn = [
            draw_samples(spec, replace(request, count=min(USUAL, most - start), seed=seed))
            for seed, start in enumerate(range(0, most, USUAL), self.seed)
        ]
        images, labels = (np.concatenate([getattr(own, name) for own in drawn]) for name in ("images", "labels"))
        asking = np.ones(len(labels), dtype=bool)
        return CriticView(spec, human.critics, images, labels, human.support, asking=asking)

    def _sets(self, own: CriticView, number: int, draws: int) -> Iterator[tuple[CriticView, Stream]]:
        """Sets of so many samples a class that share none."""
        rows = _in_random_order(own.labels, Stream(self.seed, "sets", own.name, number))
        for draw in range(min(draws, rows.shape[1] // number)):
            taken = rows[:, draw * number : (draw + 1) * number].ravel()
            yield own.select(taken), Stream(self.seed, "order", own.name, number, draw)

    def _people(self, human: CriticView, draws: int) -> dict[int, Found]:
        """Drawings of one half of people's against those of the other, again and again."""
        found: dict[int, list[list[float]]] = {number: [] for number in self.people}
        for draw in range(draws):
            rows = _in_random_order(human.labels, Stream(self.seed, "halves", draw))
            half = rows.shape[1] // 2
            if max(self.people) > half:
                raise FairshotError(
                    f"{max(self.people)} drawings a class were asked for, and half of people's are {half}: "
                    "ask for fewer"
                )
            real = cloud_of(human.features[rows[:, half:].ravel()])
            for number in self.people:
                own = human.select(rows[:, :number].ravel())
                found[number].append(self._measure(own, Stream(self.seed, "order", HUMAN, number, draw), real))
        return {number: np.array(each) for number, each in found.items()}

    def _measure(self, own: CriticView, stream: Stream, real: Cloud) -> list[float]:
        """All measures of one set; it is recognised over all trials that could be drawn."""
        mixed = own.features[stream.permutations(np.array([len(own.labels)]))[0]]
        diversity = float(deviation_by_class(own.features, own.labels).mean())
        number = len(own.labels) // len(own.exemplars)
        return [
            distance_of_clouds(real, cloud_of(own.features)),
            extrapolated_distance(real, mixed),
            inception_of(own),
            diversity,
            diversity / deviation_share(number),
            float(own.mean_by_class(expected_accuracy(own.distances, own.labels, self.way)).mean()),
        ]


def _in_random_order(labels: Int[np.ndarray, " image"], stream: Stream) -> Int[np.ndarray, "class each"]:
    """The rows of each class, as many of each as the smallest has."""
    order = np.lexsort((stream.uniform(len(labels)), labels))
    _, starts, counts = np.unique(labels[order], return_index=True, return_counts=True)
    return order[starts[:, None] + np.arange(counts.min())]


def _task(number: int) -> str:
    return f"{number} samples a class"


def _rows(name: str, number: int, found: Found, part: Source, key: str) -> list[SampleRow]:
    return [
        SampleRow(
            learner=name,
            task=_task(number),
            part=part.name,
            metric=metric,
            episodes=len(values),
            episodes_key=key,
            value=float(values.mean()),
            intervals={},
            per_query=False,
            higher_is_better=metric not in ("frechet", "extrapolated"),
            samples=number,
            deviation=float(values.std(ddof=1)) if len(values) > 1 else None,
        )
        for metric, values in zip(MEASURES, found.T, strict=True)
    ]


def _sample_table(rows: Rows) -> Table:
    lines = list[list[Cell]]()
    for (name, number), measured in rows.items():
        cells = [
            Quantity(value=measured[metric].value, deviation=measured[metric].deviation, digits=DIGITS[metric])
            for metric in MEASURES
        ]
        draws = max(row.episodes for row in measured.values())
        lines.append([name, number, draws, *cells])
    note = (
        "Means over sets that share no sample, ± their standard deviation; of people, over random halves. FID is "
        "measured against all drawings of people; that of people, against the other half of their own. "
        f"c4 is the share of the true deviation that a deviation of n normal samples is on average: {_shares()}."
    )
    columns = plain_columns("set", "samples a class", "draws", *MEASURES.values())
    return Table(title="samples", columns=columns, rows=lines, notes=[note])


def _shares() -> str:
    told = [(show_quantity(Quantity(value=deviation_share(number))), number) for number in (2, 3, 5, 10, 20)]
    return ", ".join(f"{share} for {number}" for share, number in told)


def _change_table(rows: Rows) -> Table:
    """From the fewest to the most samples, as a share of the value at the most; of nothing, or below it, none."""
    lines, largest = list[list[Cell]](), dict.fromkeys(MEASURES, 0.0)
    for name in dict.fromkeys(name for name, _ in rows):
        numbers = [number for set_name, number in rows if set_name == name]
        few, many = rows[name, min(numbers)], rows[name, max(numbers)]
        changes = {metric: _change(few[metric].number, many[metric].number) for metric in MEASURES}
        largest = {metric: max(most, abs(changes[metric] or 0.0)) for metric, most in largest.items()}
        cells = [Quantity(value=change, unit="share", signed=True) for change in changes.values()]
        lines.append([name, min(numbers), max(numbers), *cells])
    told = [
        f"{label} by {show_quantity(Quantity(value=largest[metric], unit='share'))}"
        for metric, label in MEASURES.items()
    ]
    columns = plain_columns("set", "fewest samples", "most", *MEASURES.values())
    note = f"How much the fewest samples change a measure, in % of its value at the most. At most, {', '.join(told)}."
    return Table(title="changes", columns=columns, rows=lines, notes=[note])


def _change(few: float, many: float) -> float | None:
    return few / many - 1 if many > 0 else None
