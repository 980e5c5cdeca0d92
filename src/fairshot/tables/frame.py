"""Tables as pandas data frames; the only place that needs pandas."""

from typing import TYPE_CHECKING

from fairshot.runtime.errors import FairshotError
from fairshot.tables.records import to_records
from fairshot.tables.table import Table

if TYPE_CHECKING:
    from pandas import DataFrame


def to_frame(table: Table) -> "DataFrame":
    """The table with numbers in full, and columns such as `accuracy`, `accuracy.low` and `accuracy.high`."""
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise FairshotError("a data frame was asked for, and pandas is not installed: pip install pandas") from error
    records = to_records(table)
    return DataFrame(records.rows, columns=records.names)
