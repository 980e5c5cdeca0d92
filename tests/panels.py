"""What stands in a chart: its rows of data and the captions of its panels, from its specification."""

from collections.abc import Iterator
from typing import Any

from altair.typing import ChartType

Rows = list[dict[str, Any]]


def datasets(spec: Any) -> Iterator[Rows]:
    """The rows of every part, in the order in which parts are drawn."""
    if isinstance(spec, dict):
        if "values" in spec.get("data", {}):
            yield spec["data"]["values"]
        for name, part in spec.items():
            if name != "data":
                yield from datasets(part)
    if isinstance(spec, list):
        for part in spec:
            yield from datasets(part)


def panels(chart: ChartType) -> dict[str, Rows]:
    """The rows that a panel draws, by its caption."""
    found = {}
    for panel in chart.to_dict()["concat"]:
        rows, captions = [], []
        for values in datasets(panel):
            (captions if "caption" in values[0] else rows).append(values)
        found[captions[0][0]["caption"]] = rows[0]
    return found
