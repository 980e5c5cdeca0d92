"""How often intervals held: forty benchmarks with both intervals, and the share of each kind in every setting."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType
from jaxtyping import Float

from fairshot.reports.charts.chart import caption, table, themed
from fairshot.reports.charts.theme import BLUE, SOFT, VERMILLION
from fairshot.reports.coverage import KINDS, coverage_rows, facts
from fairshot.results.schema import Result
from fairshot.results.study_rows import CoverageResult, CoverageRow
from fairshot.statistics.estimate import LEVEL
from fairshot.tables.words import at_level

SHOWN = "CIFAR-100, 40 classes of 100; 5-way 5-shot 15-query; classes; prototypes"  # the example in the picture
MISSING = 0.5  # settings in which more intervals than this were refused are not in the picture
TWO_LINES = "split(replace(datum.label, ' and ', '|and '), '|')"  # of long names of populations
HOLDS, MISSES = "holds the true accuracy", "misses it"
USUAL, OURS = "the usual interval", "fairshot's, for the population it names"


def coverage_chart(result: Result) -> ChartType:
    """Both halves, one below the other."""
    assert isinstance(result, CoverageResult)
    ends = np.array(result.examples[SHOWN], dtype=np.float64)
    rows = [row for row in coverage_rows(result) if row.null <= MISSING]
    (accuracy,) = {row.accuracy for row in rows if _label(row) == SHOWN}
    chart = alt.vconcat(_benchmarks(ends, accuracy), _settings(rows), spacing=30).resolve_scale(
        color="independent", shape="independent"
    )
    usual = f"The usual {at_level(LEVEL)} interval"
    return themed(chart, f"{usual} seldom holds the accuracy over new classes; fairshot's does as it says")


def _label(row: CoverageRow) -> str:
    return f"{row.part}; {row.task}; {row.population}; {row.learner}"


def _benchmarks(ends: Float[np.ndarray, "benchmark 5"], accuracy: float) -> alt.HConcatChart:
    """Two columns of intervals over the same benchmarks, told apart by whether they hold."""
    halves = {f"the usual {at_level(LEVEL)} interval": ends[:, 1:3], "fairshot, new classes": ends[:, 3:5]}
    across = alt.X("low:Q").scale(domain=[float(np.nanmin(ends)), float(np.nanmax(ends))], nice=False, zero=False)
    across = across.axis(format="~%", tickCount=6).title("accuracy")
    panels = [_intervals(name, _rows(ends[:, 0], both, accuracy), across) for name, both in halves.items()]
    truth = alt.Chart(table([{"accuracy": accuracy}])).mark_rule(strokeDash=[4, 3]).encode(x="accuracy:Q")
    title = alt.Title(
        "Forty benchmarks of 40 classes drawn from one population, 10,000 episodes each",
        subtitle="dashed: the accuracy over the whole population",
        offset=20,
    )
    return alt.hconcat(*(truth + panel for panel in panels), spacing=24, title=title)


def _rows(
    means: Float[np.ndarray, " benchmark"], intervals: Float[np.ndarray, "benchmark 2"], accuracy: float
) -> list[dict[str, Any]]:
    rows = []
    for number, (mean, (low, high)) in enumerate(zip(means.tolist(), intervals.tolist(), strict=True)):
        held = HOLDS if low <= accuracy <= high else MISSES
        rows.append({"benchmark": number, "mean": mean, "low": low, "high": high, "held": held})
    return rows


def _intervals(name: str, rows: list[dict[str, Any]], across: alt.X) -> alt.LayerChart:
    held = sum(row["held"] == HOLDS for row in rows)
    legend = alt.Legend(orient="bottom", title=None, symbolType="stroke", symbolSize=300, symbolOpacity=1)
    colour = alt.Color("held:N").scale(domain=[HOLDS, MISSES], range=[BLUE, VERMILLION]).legend(legend)
    base = alt.Chart(table(rows), width=316, height=260).encode(y=alt.Y("benchmark:O").axis(None), color=colour)
    lines = base.mark_rule(strokeWidth=2).encode(x=across, x2="high:Q")
    means = base.mark_circle(size=26, opacity=1).encode(x="mean:Q")
    return lines + means + caption(f"{name}: holds in {held} of {len(rows)}")


def _settings(rows: Sequence[CoverageRow]) -> alt.LayerChart:
    """A row for each population, with two points for every setting and number of episodes."""
    title = f"How often a {at_level(LEVEL)} interval held, a point for each setting and number of episodes"
    legend = alt.Legend(orient="bottom", title=None, symbolSize=60, symbolOpacity=1)
    panel = alt.Chart(table(_shares(rows)), width=656, height=alt.Step(36), title=title)
    level = alt.Chart(table([{"level": LEVEL}])).mark_rule(color=SOFT).encode(x="level:Q")
    return level + panel.mark_point(opacity=0.75, size=36).encode(
        x=alt.X("held:Q").scale(domain=[0, 1]).axis(format="~%", values=[0, 0.25, 0.5, 0.75, LEVEL]).title(None),
        y=alt.Y("kind:N").sort(None).axis(grid=True, labelPadding=8, labelExpr=TWO_LINES).title(None),
        yOffset=alt.YOffset("place:Q").scale(domain=[0, 1]),
        color=alt.Color("interval:N").scale(domain=[OURS, USUAL], range=[BLUE, VERMILLION]).legend(legend),
        shape=alt.Shape("interval:N").scale(domain=[OURS, USUAL], range=["circle", "diamond"]).legend(legend),
    )


def _shares(rows: Sequence[CoverageRow]) -> list[dict[str, Any]]:
    """Two points for each setting, which stand below one another within the row of their population."""
    points: list[dict[str, Any]] = []
    for kind, words in KINDS.items():
        shares = [facts(row) for row in rows if row.population == kind]
        for number, share in enumerate(shares):
            for interval, held in ((USUAL, share["usual"]), (OURS, share["covered"])):
                place = (number + 0.5) / len(shares)
                points.append({"kind": words, "place": place, "interval": interval, "held": held / 100})
    return points
