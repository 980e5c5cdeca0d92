"""Small things to draw, with names that are hard to write into a file."""

import numpy as np

from fairshot.results.schema import Row, ShotCurve, ShotPoint, SourceName
from fairshot.scoring.concepts import Concept, Gallery, NeighbourMap
from fairshot.scoring.sample_scores import BandScore, ClassScores, PublishedModel, RankScore, SampleScores

HARD = "a <b> & \"c\" 'd' [e].f {g}"
POINTS = {"copy": (0.0, 1.0), HARD: (0.8, 0.7), "human": (1.2, 0.9)}


def make_curve(learner: str = "mine", family: str = "5-way", wide: float | None = 0.1) -> ShotCurve:
    points = [
        ShotPoint(
            shot=shot,
            value=value,
            intervals={
                "episodes": (value - 0.03, value + 0.03),
                "classes": (value - wide, value + wide) if wide else None,
            },
        )
        for shot, value in ((1, 0.4), (4, 0.6), (16, 0.7))
    ]
    return ShotCurve(learner=learner, family=family, metric="accuracy", points=points, gains=[], sentence="So it is.")


def make_row(name: str, metric: str, value: float) -> Row:
    return Row(
        learner=name,
        task="20-way",
        part="glyphs",
        metric=metric,
        episodes=9,
        episodes_key="k",
        value=value,
        intervals={"classes": None if name == "copy" else (value - 0.05, value + 0.05)},
    )


def make_scored(**changed: object) -> SampleScores:
    bands = [
        BandScore(low=low, high=low + 1, share=0.5, recognizability=share, human=0.8)
        for low, share in ((0.0, 0.9), (1.0, None))
    ]
    none = [band.model_copy(update={"recognizability": None, "share": 0.0}) for band in bands]
    values = {"diversity": 1.0, "recognizability": 0.5}
    scored = SampleScores(
        seed=0,
        source=SourceName(name="glyphs", fingerprint="f", recipe="diversity"),
        episodes_key="k",
        rows=[make_row(n, m, v) for n, point in POINTS.items() for m, v in zip(values, point, strict=True)],
        critic="mine",
        critics={},
        recogniser="prototypes",
        classes=2,
        samples_a_class={},
        way=20,
        times=500,
        pool=POINTS,
        neighbours=5,
        by_class=[ClassScores(samples=n, name=c, exemplar=0, values=values) for n in POINTS for c in "xy"],
        originality={"copy": bands, HARD: none},
        originality_ranks={
            name: [RankScore(originality=far, recognizability=1 - far / 4) for far in (0.5, 1.0, 2.0)]
            for name in POINTS
        },
        agreement=[],
    )
    return scored.model_copy(update=changed)


def make_gallery() -> Gallery:
    rng = np.random.default_rng(0)
    drawings = np.where(rng.random((4, 10, 11)) < 0.3, 0, 255).astype(np.uint8)
    concepts = [Concept("first", 1, 0.1, drawings), Concept("a < b", 4, 0.9, drawings[:2])]
    neighbours = NeighbourMap(("x", HARD), rng.random((4, 2)), np.array([0, 0, 1, 1]), np.arange(4) % 2 == 0, drawings)
    return Gallery({name: {"simclr": concepts, "prototypes": concepts} for name in POINTS}, neighbours)


PUBLISHED = [
    PublishedModel(name="VAE-NS", diversity=1.5, recognizability=0.85, samples=[HARD]),
    PublishedModel(name="VAE-STN", diversity=2.0, recognizability=0.75, samples=[]),
    PublishedModel(name="human", diversity=1.3, recognizability=0.95, samples=["human"]),
]
