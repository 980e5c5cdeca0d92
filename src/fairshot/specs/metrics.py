"""Words to metrics: `NAME`, `NAME:setting=value`, `path.py:name`; or objects in hand."""

from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.runtime.grammar.name import Code, parse_spec
from fairshot.runtime.grammar.settings import parameters, type_settings
from fairshot.runtime.user_file import load_from_file, make_own
from fairshot.specs.registry import find_class

if TYPE_CHECKING:
    from fairshot.metrics.metric import Metric


def find_metric(name: str) -> "Metric":
    """A metric by name, with settings, `ece:bins=15`, or out of somebody's file, `mine.py:Mine`."""
    spec = parse_spec(name)
    if isinstance(spec, Code):
        return _own_metric(spec)
    kind = find_class("metrics", spec.name)
    return kind(**type_settings(spec.settings, parameters(kind), spec.name))


def as_metric(metric: Any) -> "Metric":
    """A metric, by name or as it is, accuracy where there is none."""
    from fairshot.metrics.metric import Metric

    metric = "accuracy" if metric is None else metric
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        return find_metric(metric)
    raise FairshotError(f"the metric is {kind_of(metric)}: give a name such as 'accuracy', or a Metric")


def _own_metric(code: Code) -> "Metric":
    from fairshot.metrics.metric import Metric

    target, _ = load_from_file(code)
    metric = make_own(target, code)
    if not isinstance(metric, Metric):
        raise FairshotError(f"the metric is {kind_of(metric)}: give a name such as 'accuracy', or a Metric")
    return metric
