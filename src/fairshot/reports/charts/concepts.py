"""Concepts from the least to the most diverse, a row of drawings for each, exemplars framed in red."""

from collections.abc import Sequence

import numpy as np

from fairshot.reports.charts.svg import GREY, document, frame, grey_image, image, text
from fairshot.scoring.concepts import Concept

CELL, ROW, LEFT, TOP = 26, 30, 210, 44  # pixels on paper


def concept_rows(concepts: Sequence[Concept], title: str) -> str:
    """An SVG with a row for each concept: its rank, its name, its diversity, its drawings."""
    most = max(len(concept.drawings) for concept in concepts)
    told = "ranked by diversity, the least diverse first; red: the exemplar"
    body = [text(8, 18, title, 'font-weight="bold"'), text(8, 34, told, f'fill="{GREY}"')]
    last, y = 0, TOP
    for concept in concepts:
        if concept.rank > last + 1:  # some between are not shown
            body.append(f'<path d="M8 {y}H{LEFT + most * CELL}" stroke="#bbb" stroke-dasharray="2 3"/>')
            y += 4
        last = concept.rank
        body += _row(concept, y)
        y += ROW
    return document(LEFT + most * CELL + 8, y + 8, body)


def _row(concept: Concept, y: int) -> list[str]:
    strip = np.concatenate(list(concept.drawings), axis=1)
    width = CELL * len(concept.drawings)
    return [
        text(28, y + 17, f"{concept.rank}", 'text-anchor="end"'),
        text(34, y + 17, concept.name[-26:]),
        text(LEFT - 8, y + 17, f"{concept.diversity:.2f}", 'text-anchor="end"'),
        image(grey_image(strip), LEFT, y + 1, width, CELL),
        frame(LEFT + 0.5, y + 1.5, CELL - 1, CELL - 1),
    ]
