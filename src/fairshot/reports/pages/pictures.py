"""The figures of a study, and of a score of generators."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.results.schema import Result
from fairshot.scoring.sample_scores import SampleScores
from fairshot.tables.tabular import Tabular

if TYPE_CHECKING:
    from altair.typing import ChartType


class Pictures(PageSection):
    """Every chart that can be made of the result alone."""

    place: ClassVar = 7
    heading: ClassVar = "Figures"

    def body(self, result: Tabular) -> str:
        """Charts, one below the other."""
        from fairshot.reports.pages.figure import figure, figures
        from fairshot.reports.study_pictures import draw_study_pictures

        stored = getattr(result, "result", None)
        if isinstance(result, SampleScores):
            drawn = _of_scores(result)
        elif isinstance(stored, Result):
            drawn = draw_study_pictures(stored)
        else:
            return ""
        return figures([figure(chart) for name, chart in drawn if name.endswith(".svg")])


def _of_scores(scores: SampleScores) -> "Iterator[tuple[str, ChartType]]":
    """The plane, with samples where images are at hand, and originality; other pictures would be megabytes."""
    from fairshot.reports.charts.plane import plane_chart
    from fairshot.reports.pictures import draw_pictures, sample_sheets

    charts = dict(draw_pictures(scores, None))
    if scores.has_images:
        charts["plane.svg"] = plane_chart(scores, sample_sheets(scores.sheets()))
    yield from charts.items()
