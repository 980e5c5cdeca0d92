"""The figures of a study, and of a score of generators."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.results.schema import Result
from fairshot.scoring.sample_scores import SampleScores
from fairshot.tables.tabular import Tabular


class Pictures(PageSection):
    """Every chart that can be made of the result alone."""

    place: ClassVar = 7
    heading: ClassVar = "Figures"

    def body(self, result: Tabular) -> str:
        """Charts, one below the other."""
        from fairshot.reports.pages.figure import figure, figures
        from fairshot.reports.pictures import draw_pictures
        from fairshot.reports.study_pictures import draw_study_pictures

        stored = getattr(result, "result", None)
        if isinstance(result, SampleScores):
            drawn = draw_pictures(result, None)
        elif isinstance(stored, Result):
            drawn = draw_study_pictures(stored)
        else:
            return ""
        return figures([figure(chart) for name, chart in drawn if name.endswith(".svg")])
