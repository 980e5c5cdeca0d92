"""Two kinds of episodes side by side: any classes together, and classes of one parent, with the ratio of the errors."""

from dataclasses import dataclass

from fairshot.results.population_headings import POPULATIONS
from fairshot.results.schema import Result, Row


@dataclass(frozen=True)
class Side:
    """The same learner and shape of episode with any classes, and within parents."""

    any: Row
    within: Row

    @property
    def ratio(self) -> float | None:
        """How many times as wrong within parents."""
        if self.any.value is None or self.within.value is None:
            return None
        errors = [row.number if not row.higher_is_better else 1 - row.number for row in (self.any, self.within)]
        return errors[1] / errors[0] if errors[0] else None


def sides(result: Result) -> tuple[list[Side], list[Row]]:
    """Pairs of rows, and the rows that have no counterpart."""
    within = {(row.learner, row.counterpart): row for row in result.rows if row.counterpart}
    pairs = [Side(row, within[row.learner, row.task]) for row in result.rows if (row.learner, row.task) in within]
    paired = {id(row) for side in pairs for row in (side.any, side.within)}
    return pairs, [row for row in result.rows if id(row) not in paired]


def training_lines(result: Result) -> list[str]:
    """How each learner was trained, and how long."""
    lines = []
    for name, about in result.training.items():
        how = f"trained in {about['seconds'] / 60:.1f} min" if "seconds" in about else "comes with the package"
        lines.append(f"{name}: {about['about']}, {how}.")
    return lines


def quoted_populations(pairs: list[Side]) -> str:
    """Which population the brackets are for, on each side."""
    found = []
    for name, rows in (("any classes", [s.any for s in pairs]), ("within parents", [s.within for s in pairs])):
        told = dict.fromkeys(POPULATIONS[row.headline or "classes"].heading for row in rows if row.value is not None)
        found.append(f"{name}: {' or '.join(told)}")
    return "; ".join(found)
