"""How far two models are from people, concept by concept, around a circle with the exemplars (Boutin 2022, Fig. 5b)."""

from typing import Any

import altair as alt
import numpy as np
from altair.typing import ChartType

from fairshot.reports.charts.chart import table, themed
from fairshot.reports.charts.drawings import on_paper
from fairshot.reports.charts.labels import short
from fairshot.reports.charts.theme import FAINT, SOFT, colours
from fairshot.results.study_rows import ConceptDistance, DistanceResult

SIDE, RADIUS, CELL = 460, 150.0, 44  # pixels of the picture, of the largest distance, and of an exemplar
RINGS = 4


def radar_chart(result: DistanceResult, critic: str) -> ChartType:
    """A closed line for each model; far from the middle is far from people."""
    concepts = [concept for concept in result.concepts if concept.critic == critic]
    models = list(dict.fromkeys(model for concept in concepts for model in concept.distances))
    palette = dict(zip(models, colours(len(models)), strict=True))
    turns = 2 * np.pi * np.arange(len(concepts)) / len(concepts)
    farthest = max(far for concept in concepts for far in concept.distances.values()) or 1.0
    lines = [
        {
            "model": short(model, 40),
            "order": number,
            **_place(turns[number % len(turns)], _length(concepts, model, number, farthest)),
        }
        for model in models
        for number in range(len(concepts) + 1)
    ]
    exemplars = [
        {"drawing": exemplar_image(concept), "number": f"{number + 1}", **_place(turns[number], RADIUS + 38)}
        for number, concept in enumerate(concepts)
    ]
    rings = [
        {"ring": ring, "order": step, **_place(turn, RADIUS * ring / RINGS)}
        for ring in range(1, RINGS + 1)
        for step, turn in enumerate(np.linspace(0, 2 * np.pi, 73))
    ]
    marks = [
        {"text": f"{farthest * ring / RINGS:.1f}", **_place(0.0, RADIUS * ring / RINGS)} for ring in range(1, RINGS + 1)
    ]
    across, down = alt.X("x:Q").scale(None).axis(None), alt.Y("y:Q").scale(None).axis(None)
    colour = alt.Color("model:N").scale(domain=[short(model, 40) for model in models], range=list(palette.values()))
    colour = colour.legend(title=None, orient="bottom", symbolType="stroke", symbolSize=300)
    plain: dict[str, Any] = {"x": across, "y": down}
    images = alt.Chart(table(exemplars)).encode(**plain)
    layers = [
        alt.Chart(table(rings)).mark_line(color=FAINT, strokeWidth=1).encode(**plain, detail="ring:N", order="order:Q"),
        alt.Chart(table(marks)).mark_text(color=SOFT, dx=12, dy=-4).encode(**plain, text="text:N"),
        alt.Chart(table(lines)).mark_line(point=True).encode(**plain, color=colour, order="order:Q"),
        images.mark_image(width=CELL, height=CELL).encode(url="drawing:N"),
        images.mark_text(dx=-CELL / 2 - 2, dy=-CELL / 2 + 4, color=SOFT, align="right").encode(text="number:N"),
    ]
    first = sum(concept.nearest == concepts[0].nearest for concept in concepts)
    title = alt.Title(
        f"Distance to people by concept, critics {critic}",
        subtitle=f"concepts 1-{first}: nearest by {concepts[0].nearest}; the others: by {concepts[-1].nearest}",
    )
    chart = alt.layer(*layers).properties(width=SIDE, height=SIDE, title=title)
    return themed(chart, f"Distance to people of {' and '.join(models)} for {len(concepts)} concepts")


def exemplar_image(concept: ConceptDistance) -> str:
    """The exemplar as a small picture, dark on light."""
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(concept.drawing), dtype=np.uint8))[: concept.side**2]
    ink = bits.reshape(concept.side, concept.side).astype(bool)
    return on_paper(np.where(ink, 0, 255).astype(np.uint8))


def _length(concepts: list[ConceptDistance], model: str, number: int, farthest: float) -> float:
    return RADIUS * concepts[number % len(concepts)].distances[model] / farthest


def _place(turn: float, length: float) -> dict[str, Any]:
    """Clockwise from the top."""
    return {"x": SIDE / 2 + length * float(np.sin(turn)), "y": SIDE / 2 - length * float(np.cos(turn))}
