"""All tables of a result, with what their intervals are for."""

from typing import ClassVar

from fairshot.reports.pages.section import PageSection
from fairshot.tables.html import to_html
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular

MOST_ROWS = 100


class Tables(PageSection):
    """The typed tables."""

    place: ClassVar = 10
    heading: ClassVar = "Tables"

    def body(self, result: Tabular) -> str:
        """Each table with its notes, and of a long one its first rows."""
        return to_html([_first_rows(table) for table in result.tables()])


def _first_rows(table: Table) -> Table:
    if len(table.rows) <= MOST_ROWS:
        return table
    note = f"The first {MOST_ROWS} of {len(table.rows):,} rows: --format csv, or to_csv(), has them all."
    return table.model_copy(update={"rows": table.rows[:MOST_ROWS], "notes": [*table.notes, note]})
