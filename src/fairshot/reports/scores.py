"""Scores of samples for pages: the axes and the differences of sets as cells of a Markdown table."""

from collections.abc import Mapping, Sequence

from fairshot.results.schema import Row
from fairshot.scoring.sample_scores import MeasureNote, SetDifference, for_others, package_measures
from fairshot.scoring.score_tables import FIRST, WITH_INTERVALS
from fairshot.tables.words import plain, signed

__all__ = ["FIRST", "cell", "two_by_two"]

LARGE = 100  # from here on decimals say nothing


def two_by_two(
    differences: Sequence[SetDifference], notes: Mapping[str, MeasureNote] | None = None
) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of a table: every two sets, and how they differ by every measure."""
    notes = notes or package_measures()
    known = {(difference.first, difference.second, difference.metric): difference for difference in differences}
    measures = list(dict.fromkeys(measure for _, _, measure in known))
    pairs = dict.fromkeys((difference.first, difference.second) for difference in differences)
    rows = [[*pair, *(_difference(known.get((*pair, measure)), notes) for measure in measures)] for pair in pairs]
    return ["one", "other", *measures], rows


def _difference(difference: SetDifference | None, notes: Mapping[str, MeasureNote]) -> str:
    """A signed number with half of its interval; a star where it holds."""
    if difference is None:
        return ""
    share = notes.get(difference.metric, MeasureNote()).unit == "share"
    scale, digits = (100, 1) if share else (1, 2)
    text = f"{signed(scale * difference.value, digits)}{'%' if share else ''}"
    if difference.interval is None:
        return f"{text} "
    half = scale * (difference.interval[1] - difference.interval[0]) / 2
    return f"{text} ± {half:.{digits}f}{'*' if difference.is_clear else ' '}"


def cell(row: Row | None, notes: Mapping[str, MeasureNote] | None = None) -> str:
    """A number, with its interval for other classes where that is shown."""
    if row is None or row.value is None:
        return "-"
    share = (notes or package_measures()).get(row.metric, MeasureNote()).unit == "share"
    scale, digits = (100, 1) if share else (1, 2 if row.value < LARGE else 0)
    interval = for_others(row)
    text = f"{plain(scale * row.value, digits)}{'%' if share else ''}"
    if interval is None or row.metric not in WITH_INTERVALS:
        return text
    return f"{text} {'–'.join(plain(scale * end, digits) for end in interval)}"
