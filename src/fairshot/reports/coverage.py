"""How often intervals held, as a table for the terminal."""

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairshot.results.schema import Result, Row

KINDS = {
    "images": "new images",
    "classes": "new classes",
    "parents": "new parents",
    "quoted": "the one to quote",
    "runs": "new runs",
    "runs and classes": "new runs and classes",
}


def facts(row: Row) -> dict[str, float]:
    """What a row of the study says beside its coverage, in percent where it is a share."""
    extra = row.model_extra or {}
    return {
        "covered": 100 * (row.value or 0.0),
        "usual": 100 * extra["usual"],
        "width": extra["width"] or float("nan"),
        "null": 100 * extra["null"],
    }


def render_coverage(result: Result, console: Console | None = None) -> None:
    """A line for each setting and number of episodes."""
    console = console or Console(emoji=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("population", "benchmark, task, learner"):
        table.add_column(heading, overflow="fold")
    for heading in ("episodes", "covers", "width", "none", "usual covers"):
        table.add_column(heading, justify="right")
    for row in result.rows:
        told = facts(row)
        kind = KINDS[(row.model_extra or {})["population"]]
        held = ["-", "-"] if np.isnan(told["width"]) else [f"{told['covered']:.1f}", f"{told['width']:.2f}"]
        cells = [f"{row.episodes:,}", *held, f"{told['null']:.0f}"]
        table.add_row(kind, Text(f"{row.part}; {row.task}; {row.learner}"), *cells, f"{told['usual']:.0f}")
    console.print(table)
    count = (result.rows[0].model_extra or {})["repetitions"]
    console.print(
        f"In percent of {count:,} repetitions: how often a 95% interval holds the population's value, its mean width "
        "beside the ideal one, how often none was given, and how often the usual interval holds it.",
        soft_wrap=True,
        highlight=False,
    )
    if result.limited:
        console.print(f"This is not the whole study: {result.preset}.", highlight=False)
