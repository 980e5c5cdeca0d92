"""Concepts from the least to the most diverse, a row of drawings for each, exemplars framed."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.drawings import on_paper
from fairshot.reports.charts.labels import short
from fairshot.reports.charts.theme import LINE, VERMILLION
from fairshot.scoring.concepts import Concept

CELL, ROW, GAP, LEFT = 26, 30, 6, 236  # pixels of a drawing, of a row, of a pause between rows, and of all words


def concept_chart(concepts: Sequence[Concept], title: str) -> ChartType:
    """A row for each concept: its rank, its name, its diversity, its drawings."""
    rows, gaps, y = [], [], 0
    for number, concept in enumerate(concepts):
        if concept.rank > (concepts[number - 1].rank if number else 0) + 1:  # some between are not shown
            gaps.append({"y": y + GAP / 2})
            y += GAP
        rows.append(_row(concept, y))
        y += ROW
    width = LEFT + CELL * max(len(concept.drawings) for concept in concepts)
    place = alt.Y("y:Q").scale(None).axis(None)
    base = alt.Chart(table(rows)).encode(y=place)
    right, left = base.mark_text(align="right", dy=ROW / 2), base.mark_text(align="left", dy=ROW / 2)
    drawings = base.mark_image(align="left", baseline="top", height=CELL, aspect=False, width=alt.expr("datum.width"))
    pauses = alt.Chart(table(gaps)).mark_rule(color=LINE, strokeDash=[2, 3])
    layers = [
        right.encode(x=alt.value(28), text="rank:N"),
        left.encode(x=alt.value(38), text="name:N"),
        right.encode(x=alt.value(LEFT - 10), text="diversity:N"),
        drawings.encode(x=alt.value(LEFT), url="drawings:N"),
        base.mark_rect(fill=None, stroke=VERMILLION, strokeWidth=1.5).encode(
            x=alt.value(LEFT), x2=alt.value(LEFT + CELL), y2=alt.Y2("bottom:Q")
        ),
        pauses.encode(x=alt.value(0), x2=alt.value(width), y=place),
    ]
    heading = alt.Title(title, subtitle="ranked by diversity, the least diverse first; framed: the exemplar")
    return themed(alt.layer(*layers).properties(width=width, height=y, title=heading), f"Concepts of {title}")


def _row(concept: Concept, y: int) -> dict[str, Any]:
    return {
        "y": y + (ROW - CELL) / 2,
        "bottom": y + (ROW - CELL) / 2 + CELL,
        "rank": f"{concept.rank}",
        "name": short(concept.name, 26),
        "diversity": f"{concept.diversity:.2f}",
        "drawings": on_paper(np.concatenate(list(concept.drawings), axis=1)),
        "width": CELL * len(concept.drawings),
    }
