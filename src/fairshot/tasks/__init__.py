"""Which classes and images meet in an episode."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.tasks",
    {
        "AttributePair": "fairshot.tasks.attribute_pair:AttributePair",
        "BySource": "fairshot.tasks.by_source:BySource",
        "ClassTask": "fairshot.tasks.task:ClassTask",
        "Closed": "fairshot.tasks.closed:Closed",
        "Episodes": "fairshot.tasks.episodes:Episodes",
        "Hierarchy": "fairshot.tasks.hierarchy:Hierarchy",
        "LakeRuns": "fairshot.tasks.lake_runs:LakeRuns",
        "MetaDataset": "fairshot.tasks.meta_dataset:MetaDataset",
        "PerAttribute": "fairshot.tasks.per_attribute:PerAttribute",
        "TaskDistribution": "fairshot.tasks.task:TaskDistribution",
        "ShuffleBuffer": "fairshot.tasks.shuffle_buffer:ShuffleBuffer",
        "Uniform": "fairshot.tasks.uniform:Uniform",
        "WholeParent": "fairshot.tasks.whole_parent:WholeParent",
        "WithinParent": "fairshot.tasks.within_parent:WithinParent",
    },
)
