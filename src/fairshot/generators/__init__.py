"""What draws new images of a class after one exemplar; those that come with fairshot are given by name."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.generators",
    {
        "find": "fairshot.scoring.sample_sets:find_generator",
        "Generator": "fairshot.generators.generator:Generator",
    },
)
