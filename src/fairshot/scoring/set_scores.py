"""The scores of one set of samples: `scores["mine"].diversity` is a number with its interval."""

from dataclasses import dataclass

from fairshot.results.schema import Row
from fairshot.runtime.errors import unknown
from fairshot.scoring.sample_scores import SampleScores, for_others
from fairshot.tables.table import Cell, Column, Quantity, Table
from fairshot.tables.tabular import Tabular

LARGE = 100  # from here on decimals say nothing


@dataclass(frozen=True, repr=False)
class SetScores(Tabular):
    """Every measure of one set, as an attribute or by its name."""

    scores: SampleScores
    name: str

    def in_brief(self) -> str:
        """Which samples these are."""
        return self.name

    @property
    def measures(self) -> list[str]:
        """The names of the measures that this set has."""
        known = [row.metric for row in self.scores.rows if row.learner == self.name]
        return sorted(known, key=list(self.scores.measure_notes).index)

    def __getitem__(self, measure: str) -> Quantity:
        return quantity_of(self.scores, self._row(measure))

    def __getattr__(self, measure: str) -> Quantity:
        if measure.startswith("_") or self.scores.row(self.name, measure) is None:
            raise AttributeError(f"{self.name} has no measure '{measure}': it has {', '.join(self.measures)}")
        return self[measure]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.measures]

    def interval(self, measure: str, population: str = "") -> tuple[float, float] | None:
        """The 95% interval for other classes or parents; for those that should be quoted where none is named."""
        row = self._row(measure)
        if not population:
            return for_others(row)
        if population not in row.intervals:
            raise unknown(f"population of {measure}", population, row.intervals)
        return row.intervals[population]

    def by_class(self, measure: str) -> dict[str, float]:
        """The number of every class, by the name of the class."""
        self._row(measure)
        rows = [row for row in self.scores.by_class if row.samples == self.name]
        return {row.name: row.values[measure] for row in rows if measure in row.values}

    def tables(self) -> list[Table]:
        """All measures, a line each."""
        notes = self.scores.measure_notes
        rows: list[list[Cell]] = [[measure, self[measure], notes[measure].about] for measure in self.measures]
        columns = [Column(name="measure"), Column(name=self.name), Column(name="what it is")]
        return [Table(columns=columns, rows=rows)]

    def _row(self, measure: str) -> Row:
        row = self.scores.row(self.name, measure)
        if row is None:
            raise unknown(f"measure of {self.name}", measure, self.measures)
        return row


def quantity_of(scores: SampleScores, row: Row, *, with_interval: bool = True) -> Quantity:
    """A number with its unit and the interval for other classes, where that is known."""
    if row.value is None:
        return Quantity(value=None)
    unit = scores.measure(row.metric).unit
    interval = for_others(row)
    low, high = interval or (None, None)
    digits = 0 if not unit and abs(row.value) >= LARGE else None
    if not with_interval:
        return Quantity(value=row.value, unit=unit, digits=digits)
    population = "parents" if row.intervals.get("parents") else "classes"
    why = row.notes[-1].partition(": ")[2] if interval is None and row.notes else ""
    return Quantity(
        value=row.value,
        unit=unit,
        low=low,
        high=high,
        population=population if interval else "",
        digits=digits,
        why=why,
    )
