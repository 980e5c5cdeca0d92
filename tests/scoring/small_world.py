"""A world of glyphs that is small enough for every test, and how samples of it are scored."""

from fairshot.scoring.protocol import Protocol
from fairshot.scoring.sample_scores import SampleScores

WORLD = "glyphs:alphabets=5,characters=6,drawers=5"
ON = f"{WORLD}/parents/novel"
PROTOCOL = Protocol(way=4, times=40)
DISTANCES = ("distance", "class_distance")


def value(scores: SampleScores, samples: str, measure: str) -> float:
    """The number of a set that has one."""
    row = scores.row(samples, measure)
    assert row is not None
    return row.number
