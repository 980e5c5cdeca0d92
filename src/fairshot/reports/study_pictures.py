"""The charts of studies in one folder, made of a result alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fairshot.reports.pictures import file_endings
from fairshot.results.schema import Result
from fairshot.results.source_rows import ManySourcesResult
from fairshot.results.study_rows import (
    CoverageResult,
    CriticResult,
    DistanceResult,
    FlipRow,
    RankRow,
    SampleResult,
    SampleRow,
    SnapshotRow,
)

if TYPE_CHECKING:
    from altair.typing import ChartType


def write_study_pictures(result: Result, folder: Path) -> list[Path]:
    """Writes every chart, each whole or not at all, and leaves other files alone; returns what it wrote."""
    from fairshot.reports.charts.chart import save

    written = []
    for name, chart in draw_study_pictures(result):
        save(chart, folder / name)
        written.append(folder / name)
    return written


def draw_study_pictures(result: Result) -> Iterator[tuple[str, "ChartType"]]:
    """The name of each file, and its chart; nothing for studies that tables say all of."""
    yield from _other_pictures(result)
    yield from _two_sides_pictures(result)
    if isinstance(result, ManySourcesResult):
        yield from _source_pictures(result)
    if not isinstance(result, SampleResult):
        return
    # Here, and not above: the library that draws takes a quarter of a second to load.
    from fairshot.reports.charts.concept_radar import radar_chart
    from fairshot.reports.charts.distance_strip import distance_chart
    from fairshot.reports.charts.line_lengths import line_length_chart
    from fairshot.reports.charts.model_plane import model_plane_chart
    from fairshot.reports.charts.sweep_paths import sweep_chart

    critics = list(dict.fromkeys(point.critic for point in result.points))
    for critic, ending in file_endings(critics).items():
        yield f"plane-{ending}.svg", model_plane_chart(result, critic)
        if result.sheets:
            yield f"plane-{ending}.html", model_plane_chart(result, critic)
        if any(fit.critic == critic for fit in result.fits):
            yield f"sweep-{ending}.svg", sweep_chart(result, critic)
        if isinstance(result, DistanceResult):
            yield f"distances-{ending}.svg", distance_chart(result, critic)
            if any(concept.critic == critic for concept in result.concepts):
                yield f"radar-{ending}.svg", radar_chart(result, critic)
        if not result.fits and result.class_means(critic):
            yield f"line-lengths-{ending}.svg", line_length_chart(result, critic)


def _other_pictures(result: Result) -> Iterator[tuple[str, "ChartType"]]:
    """Charts of studies of intervals, of snapshots and of critics."""
    from fairshot.reports.charts.coverage import SHOWN, coverage_chart
    from fairshot.reports.charts.overfitting import COLOURS, overfitting_chart
    from fairshot.reports.charts.sample_numbers import sample_number_chart
    from fairshot.reports.charts.scatter import scatter_chart
    from fairshot.reports.charts.snapshots import snapshot_chart

    if isinstance(result, CoverageResult) and SHOWN in result.examples:
        yield "coverage.svg", coverage_chart(result)
    if isinstance(result, CriticResult) and result.by_class:
        yield "scatter.svg", scatter_chart(result)
    if result.rows and all(row.task in COLOURS for row in result.rows):
        yield "overfitting.svg", overfitting_chart(result)
    elif any(isinstance(row, SnapshotRow) for row in result.rows):
        yield "snapshots.svg", snapshot_chart(result)
    if any(isinstance(row, SampleRow) for row in result.rows):
        yield "sample-numbers.svg", sample_number_chart(result)


def _two_sides_pictures(result: Result) -> Iterator[tuple[str, "ChartType"]]:
    """Places in and out of distribution, and how often other classes reverse a comparison."""
    from fairshot.reports.charts.flip_curves import flip_chart
    from fairshot.reports.charts.places import place_chart

    ranks = [row for row in result.rows if isinstance(row, RankRow)]
    flips = [row for row in result.rows if isinstance(row, FlipRow)]
    if ranks:
        yield "places.svg", place_chart(ranks)
    if flips:
        yield "flips.svg", flip_chart(flips)


def _source_pictures(result: ManySourcesResult) -> Iterator[tuple[str, "ChartType"]]:
    from fairshot.reports.charts.source_bars import source_bars
    from fairshot.reports.charts.way_and_shot import way_and_shot

    if result.rows:
        yield "sources.svg", source_bars(result)
        yield "ways.svg", way_and_shot(result, "way")
        yield "shots.svg", way_and_shot(result, "shot")
