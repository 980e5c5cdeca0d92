"""Where the numbers come from: versions, seed, fingerprints and the command."""

from typing import ClassVar

import fairshot
from fairshot.audits.findings import Audit
from fairshot.evaluation.comparisons import Comparisons
from fairshot.reports.pages.section import PageSection
from fairshot.results.schema import Result
from fairshot.tables.document import Document
from fairshot.tables.html import escape
from fairshot.tables.tabular import Tabular


class Provenance(PageSection):
    """All that is needed to get the same numbers again."""

    place: ClassVar = 90
    heading: ClassVar = "Provenance"

    def body(self, result: Tabular) -> str:
        """A list of facts."""
        facts = {"fairshot": fairshot.__version__}
        stored = result if isinstance(result, Result) else getattr(result, "result", None)
        if not isinstance(stored, Result) and not isinstance(result, Document | Comparisons):
            return ""  # made of other results, which say it
        if isinstance(result, Audit):
            facts |= {
                "data": f"{result.data.part}, recipe {result.data.recipe}",
                "fingerprint of the episodes": result.accuracy.mean.episodes_key,
            }
        if isinstance(stored, Result):
            facts |= {
                "data": f"{stored.source.name}, recipe {stored.source.recipe}",
                "fingerprint of the data": stored.source.fingerprint,
                "fingerprint of the episodes": stored.episodes_key,
                "seed": str(stored.seed),
                "statistics": f"version {stored.statistics}",
                "command": " ".join(stored.command),
            }
        lines = [f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value]
        return f"<dl>{''.join(lines)}</dl>"
