"""How often intervals held: a table for the terminal and a picture for everybody."""

from collections.abc import Iterator, Sequence

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairshot.results.schema import Result
from fairshot.results.study_rows import CoverageResult, CoverageRow

KINDS = {
    "images": "new images",
    "classes": "new classes",
    "parents": "new parents",
    "quoted": "the one to quote",
    "runs": "new runs",
    "runs and classes": "new runs and classes",
}
SHOWN = "CIFAR-100, 40 classes of 100; 5-way 5-shot 15-query; classes; prototypes"  # the example in the picture
RED, BLUE, GREY, INK = "#c0392b", "#1f6f9f", "#b9c2c9", "#22303a"
MISSING = 0.5  # settings in which more intervals than this were refused are not in the picture


def facts(row: CoverageRow) -> dict[str, float]:
    """What a row of the study says beside its coverage, in percent where it is a share."""
    return {
        "covered": 100 * (row.value or 0.0),
        "usual": 100 * row.usual,
        "width": row.width or float("nan"),
        "null": 100 * row.null,
    }


def coverage_rows(result: Result) -> list[CoverageRow]:
    """The rows that say how often intervals held."""
    return [row for row in result.rows if isinstance(row, CoverageRow)]


def render_coverage(result: Result, console: Console | None = None) -> None:
    """A line for each setting and number of episodes."""
    console = console or Console(emoji=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("population", "benchmark, task, learner"):
        table.add_column(heading, overflow="fold")
    for heading in ("episodes", "covers", "width", "none", "usual covers"):
        table.add_column(heading, justify="right")
    rows = coverage_rows(result)
    for row in rows:
        told = facts(row)
        kind = KINDS[row.population]
        held = ["-", "-"] if np.isnan(told["width"]) else [f"{told['covered']:.1f}", f"{told['width']:.2f}"]
        cells = [f"{row.episodes:,}", *held, f"{told['null']:.0f}"]
        table.add_row(kind, Text(f"{row.part}; {row.task}; {row.learner}"), *cells, f"{told['usual']:.0f}")
    console.print(table)
    count = rows[0].repetitions
    console.print(
        f"In percent of {count:,} repetitions: how often a 95% interval holds the population's value, its mean width "
        "beside the ideal one, how often none was given, and how often the usual interval holds it.",
        soft_wrap=True,
        highlight=False,
    )
    if result.limited:
        console.print(f"This is not the whole study: {result.preset}.", highlight=False)


def picture(result: Result) -> str:
    """An SVG: forty benchmarks with both intervals, and how often each kind of interval held in every setting."""
    assert isinstance(result, CoverageResult)
    examples = result.examples[SHOWN]
    rows = [row for row in coverage_rows(result) if row.null <= MISSING]
    own = [row for row in rows if _label(row) == SHOWN]
    truth = own[0].accuracy
    body = [*_benchmarks(np.array(examples, dtype=np.float64), truth), *_strips(rows)]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 640" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="12" fill="{INK}">\n<rect width="760" height="640" fill="white"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _label(row: CoverageRow) -> str:
    return f"{row.part}; {row.task}; {row.population}; {row.learner}"


def _benchmarks(ends: np.ndarray, truth: float) -> Iterator[str]:
    """Two columns of intervals over the same benchmarks, those that miss in red."""
    mean, usual, ours = ends[:, 0], ends[:, 1:3], ends[:, 3:5]
    low, high = np.nanmin(ends), np.nanmax(ends)
    yield _text(20, 26, "Forty benchmarks of 40 classes drawn from one population, 10,000 episodes each", size=15)
    for left, title, intervals in ((20, "the usual 95% interval", usual), (395, "fairshot, new classes", ours)):
        held = (intervals[:, 0] <= truth) & (truth <= intervals[:, 1])
        yield _text(left, 50, f"{title}: holds in {int(held.sum())} of {len(held)}", size=13)

        def place(value: float | int, left: int = left) -> float:
            return left + 345 * (value - low) / (high - low)

        yield _line(place(truth), 60, place(truth), 342, INK, dash="3 3")
        for number, ((start, stop), inside, middle) in enumerate(zip(intervals, held, mean, strict=True)):
            line, colour = 66 + 7 * number, BLUE if inside else RED
            yield _line(place(start), line, place(stop), line, colour, width=2)
            yield f'<circle cx="{place(middle):.1f}" cy="{line}" r="1.8" fill="{colour}"/>'


def _strips(rows: Sequence[CoverageRow]) -> Iterator[str]:
    """For each population a strip with two dots for every setting."""
    yield _text(20, 380, "How often a 95% interval held, one dot for each setting and number of episodes", size=15)
    yield _text(20, 400, "red: the usual interval; blue: fairshot's, for the population it names", size=12)
    kinds = [kind for kind in KINDS if any(row.population == kind for row in rows)]

    def place(share: float | int) -> float:
        return 160 + 560 * share / 100

    for share in (0, 25, 50, 75, 95, 100):
        yield _line(place(share), 412, place(share), 416 + 40 * len(kinds), INK if share == 95 else GREY)
        if share < 100:
            yield _text(place(share), 432 + 40 * len(kinds), f"{share}%", anchor="middle")
    for strip, kind in enumerate(kinds):
        top = 416 + 40 * strip
        yield _text(150, top + 24, KINDS[kind], anchor="end")
        own = [facts(row) for row in rows if row.population == kind]
        for number, told in enumerate(own):
            height = top + 6 + 30 * (number + 0.5) / len(own)
            for held, colour in ((told["usual"], RED), (told["covered"], BLUE)):
                yield f'<circle cx="{place(held):.1f}" cy="{height:.1f}" r="3" fill="{colour}" fill-opacity="0.75"/>'


def _line(
    x1: float | int,
    y1: float | int,
    x2: float | int,
    y2: float | int,
    colour: str,
    *,
    width: float | int = 1,
    dash: str = "",
) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"{dashes}/>'
    )


def _text(x: float | int, y: float | int, text: str, *, size: int = 12, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{text}</text>'
