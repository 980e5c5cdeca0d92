"""Where a search for a narrow interval ended, in a sentence for each task."""

from collections.abc import Sequence

from fairshot.results.schema import Row
from fairshot.tables.words import asked_points


def stopping_notes(rows: Sequence[Row], until: float | None) -> list[str]:
    """Where a search for a narrow interval ended."""
    if until is None:
        return []
    notes = []
    for task in dict.fromkeys(row.task for row in rows):
        own = [row for row in rows if row.task == task and row.value is not None]
        if not own:
            continue
        widest = max((high - low) / 2 for row in own for low, high in [row.intervals["episodes"] or (0.0, 2.0)])
        if not own[0].sequential:
            notes.append(
                f"{task}: a fixed list of {own[0].episodes:,} episodes does not go on until it is narrow enough"
            )
            continue
        met = "was reached after" if widest <= until else "was not reached with"
        width = f"a half-width of {asked_points(until)} points of the usual interval"
        wanted = f"{width}, corrected for looking again and again,"
        notes.append(f"{task}: {wanted} {met} {own[0].episodes:,} episodes")
    return notes
