"""Images or feature vectors by class; those that come with fairshot are given by name."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.sources",
    {
        "Source": "fairshot.sources.source:Source",
        "as_source": "fairshot.sources.array:as_source",
        "from_arrays": "fairshot.sources.array:from_arrays",
        "summarise_meta_dataset": "fairshot.specs.meta_dataset_summary:summarise_meta_dataset",
    },
)
