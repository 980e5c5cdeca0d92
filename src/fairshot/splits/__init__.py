"""Which classes are trained on, chosen on and evaluated on; published splits are given by name."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.splits",
    {
        "Split": "fairshot.splits.split:Split",
    },
)
