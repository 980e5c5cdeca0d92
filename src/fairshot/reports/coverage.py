"""How often intervals held, as a table for the terminal."""

from fairshot.results.schema import Result
from fairshot.results.study_rows import CoverageRow

OF_PROBES = ("labels", "test")  # populations that only probes ask about
KINDS = {
    "labels": "new labels",
    "test": "new test images",
    "images": "new images",
    "classes": "new classes",
    "parents": "new parents",
    "quoted": "the one to quote",
    "runs": "new runs",
    "runs and classes": "new runs and classes",
}


def facts(row: CoverageRow) -> dict[str, float]:
    """What a row of the study says beside its coverage, in percent where it is a share."""
    return {
        "covered": 100 * (row.value or 0.0),
        "usual": 100 * row.usual,
        "width": row.width or float("nan"),
        "null": 100 * row.null,
    }


def coverage_rows(result: Result) -> list[CoverageRow]:
    """The rows that say how often intervals held."""
    return [row for row in result.rows if isinstance(row, CoverageRow)]
