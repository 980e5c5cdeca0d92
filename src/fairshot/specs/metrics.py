"""Words to metrics."""

from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.specs.grammar import parameters, parse_settings
from fairshot.specs.registry import find_class

if TYPE_CHECKING:
    from fairshot.metrics.metric import Metric


def find_metric(name: str) -> "Metric":
    """A metric by name, with settings: `ece:bins=15`."""
    name, _, settings = name.partition(":")
    kind = find_class("metrics", name)
    return kind(**parse_settings(settings, parameters(kind.__init__), name))


def as_metric(metric: Any) -> "Metric":
    """A metric, by name or as it is, accuracy where there is none; one out of somebody's file is `mine.py:Mine`."""
    from fairshot.metrics.metric import Metric
    from fairshot.runtime.user_file import load_from_file
    from fairshot.specs.grammar import is_own_code

    metric = "accuracy" if metric is None else metric
    if isinstance(metric, str) and is_own_code(metric):
        target, _ = load_from_file(metric)
        metric = target() if isinstance(target, type) else target
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        return find_metric(metric)
    raise FairshotError(f"the metric is a {type(metric).__name__}: give a name such as 'accuracy', or a Metric")
