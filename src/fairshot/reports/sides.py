"""Two kinds of episodes side by side: any classes together, and classes of one parent, with the ratio of the errors."""

from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from fairshot.reports.terminal import FIXED, HEADINGS, explanations, fixed_lists, percent
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


def render_sides(result: Result, console: Console | None = None) -> None:
    """One table for all pairs, one for the rest, and what the intervals speak about."""
    console = console or Console(emoji=False)
    pairs, others = sides(result)
    metric = result.rows[0].metric
    console.print(f"{result.source.name}, recipe {result.source.recipe}, {metric} in percent", markup=False)
    console.print(_pairs_table(pairs))
    if others:
        console.print(_others_table(others, fixed=all(row.scores is not None for row in others)))
    for line in training_lines(result):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    told = f"In brackets (95%): {quoted_populations(pairs)}."
    told += f" {FIXED[0].capitalize()}: {FIXED[1]}." if fixed_lists(result) else ""
    console.print(told, markup=False, highlight=False, soft_wrap=True)
    console.print("\n".join(explanations(result)[1:]), markup=False, highlight=False, soft_wrap=True)


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
        told = dict.fromkeys(HEADINGS[row.headline or "classes"][0] for row in rows if row.value is not None)
        found.append(f"{name}: {' or '.join(told)}")
    return "; ".join(found)


def _pairs_table(pairs: list[Side]) -> Table:
    published = any(side.any.published is not None for side in pairs)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("learner", overflow="fold")
    table.add_column("episodes of")
    for name in ("any classes", "within parents"):
        table.add_column(name, justify="right")
        if published:
            table.add_column("published", justify="right")
    table.add_column("error ratio", justify="right")
    for side in pairs:
        cells = [side.any.learner, side.any.task]
        for row in (side.any, side.within):
            cells.append(_cell(row))
            if published:
                cells.append("" if row.published is None else f"{100 * row.published:.1f}")
        ratio = side.ratio
        table.add_row(*cells, "-" if ratio is None else f"{ratio:.1f}")
    return table


def _others_table(rows: list[Row], *, fixed: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    about = FIXED if fixed else HEADINGS["episodes"]
    for name in ("learner", "episodes of", rows[0].metric, about[0]):
        table.add_column(name)
    for row in rows:
        value = "N/A" if row.value is None else f"{100 * row.value:.1f}"
        table.add_row(row.learner, row.task, value, percent(row.intervals.get("episodes")))
    return table


def _cell(row: Row) -> str:
    if row.value is None:
        return "N/A"
    return f"{100 * row.value:.1f} [{percent(row.quoted)}]"
