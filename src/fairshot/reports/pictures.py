"""All pictures of `score` in one folder: what was compared, the concepts, their neighbours, and originality."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import can_write
from fairshot.scoring.concepts import Concept, Gallery
from fairshot.scoring.sample_scores import HUMAN, SampleScores

if TYPE_CHECKING:
    from altair.typing import ChartType

SHEET_CLASSES, SHEET_DRAWINGS = 5, 6  # of the small sheet that belongs to a point of the plane
LONGEST = 60  # letters of a set's name in the name of a file


def refuse_pictures(folder: Path | None) -> None:
    """Raises where pictures could not be written, before anything is measured."""
    if folder is not None and folder.exists() and not folder.is_dir():
        raise FairshotError(f"--pictures writes into a folder, and {folder} is a file: name another")
    if folder is not None and not can_write(folder / "plane.svg"):
        raise FairshotError(f"--pictures cannot write into {folder}: name another folder")


def write_pictures(scores: SampleScores, gallery: Gallery | None, folder: Path) -> list[Path]:
    """Writes every picture, each whole or not at all, and leaves other files alone; returns what it wrote."""
    from fairshot.reports.charts.chart import save

    written = []
    for name, chart in draw_pictures(scores, gallery):
        save(chart, folder / name)
        written.append(folder / name)
    return written


def draw_pictures(scores: SampleScores, gallery: Gallery | None) -> Iterator[tuple[str, "ChartType"]]:
    """The name of each file, and its chart; without a gallery only what numbers can show."""
    # Here, and not above: the library that draws takes a quarter of a second to load.
    from fairshot.reports.charts.concepts import concept_chart
    from fairshot.reports.charts.neighbours import neighbour_chart
    from fairshot.reports.charts.originality import originality_chart
    from fairshot.reports.charts.originality_ranks import originality_rank_chart
    from fairshot.reports.charts.plane import plane_chart

    where = f"{scores.source.name}, critics {scores.critic}"
    yield "plane.svg", plane_chart(scores, sample_sheets(gallery.sheets) if gallery else None)
    if scores.originality:
        yield "originality.svg", originality_chart(scores)
    if scores.originality_ranks:
        yield "originality-ranks.svg", originality_rank_chart(scores)
    if gallery is None:
        return
    places = gallery.neighbours
    yield "tsne.svg", neighbour_chart(places, f"{len(places.names)} classes of {where}")
    if gallery.rival_neighbours is not None:
        rival = f"{len(places.names)} classes of {where}, by prototypes"
        yield "tsne-prototypes.svg", neighbour_chart(gallery.rival_neighbours, rival)
    endings = file_endings([name for name in gallery.concepts if name != HUMAN])
    for name, by_critic in gallery.concepts.items():
        who, ending = ("people", "") if name == HUMAN else (name, f"-{endings[name]}")
        for kind, concepts in by_critic.items():
            yield f"concepts-{kind}{ending}.svg", concept_chart(concepts, f"{who}, by {kind}: {where}")
        if name in gallery.sheets:
            yield f"sheet{ending}.svg", concept_chart(gallery.sheets[name], f"{who}, concepts at random: {where}")


def sample_sheets(concepts_by_set: Mapping[str, Sequence[Concept]]) -> dict[str, str]:
    """By set, a picture of some of its samples: a row for each of a few classes, the exemplar first.

    Concepts come in the order of each set's own diversity, so the classes are chosen by name, the same for all sets.
    """
    from fairshot.reports.charts.drawings import on_paper

    chosen = [concept.name for concept in next(iter(concepts_by_set.values()), ())][:SHEET_CLASSES]
    sheets = {}
    for name, concepts in concepts_by_set.items():
        drawn = {concept.name: concept.drawings[:SHEET_DRAWINGS] for concept in concepts}
        rows = [drawn[one] for one in chosen]
        fewest = min(len(drawings) for drawings in rows)
        sheets[name] = on_paper(np.concatenate([np.concatenate(list(row[:fewest]), axis=1) for row in rows]))
    return sheets


def file_endings(sets: Sequence[str]) -> dict[str, str]:
    """A part of a file's name for each set: letters that are safe everywhere, and no two alike."""
    endings: dict[str, str] = {}
    taken: set[str] = set()
    for name in sets:
        safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
        plain = safe[-LONGEST:].strip("-.") or "samples"
        number, ending = 1, plain
        while ending.casefold() in taken:
            number += 1
            ending = f"{plain}-{number}"
        taken.add(ending.casefold())
        endings[name] = ending
    return endings
