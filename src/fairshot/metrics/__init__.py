"""One score per episode; those that come with fairshot are given by name."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.metrics",
    {
        "Judged": "fairshot.metrics.metric:Judged",
        "Metric": "fairshot.metrics.metric:Metric",
        "Share": "fairshot.metrics.metric:Share",
    },
)
