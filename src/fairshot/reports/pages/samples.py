"""What generators drew: the same few classes by every set, and by people."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.scoring.sample_scores import HUMAN, SampleScores
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular

ABOUT = "A row is a class, the same one in every picture; the first drawing is the exemplar that all were shown."


class Samples(PageSection):
    """A small sheet of each set."""

    place: ClassVar = 6
    heading: ClassVar = "Samples"

    def body(self, result: Tabular) -> str:
        """Pictures, where images are at hand: those of scores that were loaded from a file are not."""
        if not isinstance(result, SampleScores) or not result.has_images:
            return ""
        from fairshot.reports.pictures import sample_sheets

        sheets = [
            f'<figure class="sheet"><img src="{address}" alt="Drawings by {escape(_who(name))}">'
            f"<figcaption>{escape(_who(name))}</figcaption></figure>"
            for name, address in sample_sheets(result.sheets()).items()
        ]
        return f'<p class="soft">{escape(ABOUT)}</p><div class="figures">{"".join(sheets)}</div>'


def _who(name: str) -> str:
    return "people" if name == HUMAN else name
