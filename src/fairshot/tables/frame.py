"""Tables as data frames of pandas or polars; the only place that needs either."""

import importlib
from typing import Any, Literal

from fairshot.runtime.errors import FairshotError
from fairshot.tables.records import to_records
from fairshot.tables.table import Table

Library = Literal["pandas", "polars"]


def to_frame(table: Table, library: Library = "pandas") -> Any:
    """The table with numbers in full, and columns such as `accuracy`, `accuracy.low` and `accuracy.high`."""
    try:
        frames = importlib.import_module(library)
    except ImportError as error:
        raise FairshotError(
            f"a data frame was asked for, and {library} is not installed: pip install {library}"
        ) from error
    records = to_records(table)
    if library == "pandas":
        return frames.DataFrame(records.rows, columns=records.names)
    columns = {name: [row[place] for row in records.rows] for place, name in enumerate(records.names)}
    return frames.DataFrame(columns, strict=False)
