"""How samples of generators are judged; `fairshot.score` is the verb."""

from fairshot.runtime.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    "fairshot.scoring",
    {
        "HumanScale": "fairshot.scoring.human_distance:HumanScale",
        "Measure": "fairshot.scoring.measures.measure:Measure",
        "Protocol": "fairshot.scoring.protocol:Protocol",
        "SampleScores": "fairshot.scoring.sample_scores:SampleScores",
        "pooled_distances": "fairshot.scoring.human_distance:pooled_distances",
    },
)
