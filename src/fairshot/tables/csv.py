"""Tables as comma-separated values, numbers in full: shares are fractions, and intervals have columns of their own."""

import csv
from collections.abc import Sequence
from io import StringIO

from fairshot.runtime.visible_text import spreadsheet_text
from fairshot.tables.records import Records, Value, to_records
from fairshot.tables.table import Table


def to_csv(tables: Sequence[Table]) -> str:
    """All tables; those of the same columns as one with a column `table`, others one after the other."""
    records = [to_records(table) for table in tables]
    titles = [table.title for table in tables]
    if len(records) > 1 and all(each.names == records[0].names for each in records):
        rows = [[title, *row] for title, each in zip(titles, records, strict=True) for row in each.rows]
        return _written(Records(["table", *records[0].names], rows))
    if len(records) == 1:
        return _written(records[0])
    blocks = [write_lines([[title]]) + _written(each) for title, each in zip(titles, records, strict=True)]
    return "\n".join(blocks)


def _written(records: Records) -> str:
    return write_lines([list(records.names), *records.rows])


def write_lines(rows: Sequence[Sequence[Value]]) -> str:
    """Rows of values, of which a spreadsheet runs none."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows([_plain(value) for value in row] for row in rows)
    return out.getvalue()


def _plain(value: Value) -> Value:
    """A value that a spreadsheet does not run; numbers are left as they are."""
    return spreadsheet_text(value) if isinstance(value, str) else value
