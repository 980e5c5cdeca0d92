"""What `score` found, as values; `score` finds it, and reports tell it."""

from typing import Any

from pydantic import BaseModel, Field

from fairshot.results.schema import Result, Row

METRICS = {
    "diversity": "mean deviation of the samples of a class over the critic's features (Eq. 2)",
    "recognizability": "share of samples that the recogniser takes for their own class",
    "distance": "to people, both axes in shares of theirs: 0 is people, 1 as far as copies, or as chance",
    "class_distance": "the mean over classes of the same, class by class",
    "copies": "share of samples that are the exemplar",
    "originality": "mean distance to the exemplar in the critic's features",
    "beyond": "share of samples that are more original than any human drawing",
    "curve": "how far recognizability at the same originality is from people's",
    "chords": "sum over pairs of samples of sqrt(2 - 2 cos) (Eq. 3)",
    "vendi": "different samples of a class, in effect",
    "precision": "share of samples within the balls of real drawings",
    "recall": "share of real drawings within the balls of samples",
    "density": "balls of real drawings around a sample, of those that could be",
    "coverage": "share of real drawings with a sample in their ball",
    "authentic": "share of samples farther from a real drawing than that one is from the next real one",
    "frechet": "Fréchet distance to the real drawings, all classes together",
    "inception": "inception score by the prototypical critic: 1 to the number of classes",
}
SHARES = (
    "recognizability",
    "copies",
    "precision",
    "recall",
    "coverage",
    "authentic",
    "beyond",
    "curve",
)  # told in percent

LOWER = ("distance", "class_distance", "copies", "beyond", "curve", "frechet")  # where less is better
SURE = 0.05  # p below which a difference is called clear, after Holm


class BandScore(BaseModel):
    """Samples of about the same originality, beside people's drawings."""

    low: float
    high: float
    share: float
    recognizability: float | None
    human: float


class ClassScores(BaseModel):
    """One class of one set of samples."""

    samples: str
    name: str
    exemplar: int
    """The image that stands for it, as an image id of the source."""
    values: dict[str, float]


class CriticAgreement(BaseModel):
    """Whether two measures order the classes of people's drawings alike."""

    first: str
    second: str
    spearman: float
    p: float
    r_squared: float
    interval: tuple[float, float] | None = None
    """Of the rank correlation, for other classes of this kind, or for other parents where classes come in some."""


class SetDifference(BaseModel):
    """What one set has more than another, or than people, class by class and in the same trials."""

    first: str
    second: str
    metric: str
    value: float
    interval: tuple[float, float] | None
    population: str
    """What the interval and p are for: other classes, or other parents with classes of their own."""
    p: float | None
    """That there is none."""
    holm: float | None
    """The same after Holm, over all pairs of that measure."""
    flips: float | None
    """How likely as many other classes show the other sign, were the difference as found."""
    note: str = ""
    """Why there is no interval."""


class Scored(Result):
    """Rows: every measure of every set of samples, the drawings of people among them."""

    verdict: str = ""
    """Which set is nearest to people, in a sentence."""
    critic: str
    critics: dict[str, Any]
    recogniser: str
    classes: int
    samples_a_class: dict[str, int]
    """The fewest of each set."""
    way: int
    times: int
    """How often each class was asked for."""
    pool: dict[str, tuple[float, float]]
    """Diversity and recognizability of all that was compared, from which `pooled_distances` can be made."""
    neighbours: int | None
    by_class: list[ClassScores]
    originality: dict[str, list[BandScore]]
    differences: list[SetDifference] = Field(default_factory=list)
    """Of every two sets, and of each and people."""
    agreement: list[CriticAgreement]
    complexity: list[CriticAgreement] = Field(default_factory=list)
    """Whether people differ more where there is more to draw: each critic beside the strokes, their length, the ink."""

    def row(self, samples: str, metric: str) -> Row | None:
        """One measure of one set of samples, if there is one."""
        return next((row for row in self.rows if (row.learner, row.metric) == (samples, metric)), None)

    @property
    def sets(self) -> list[str]:
        """What was judged, people last."""
        return list(dict.fromkeys(row.learner for row in self.rows))


def for_others(row: Row) -> tuple[float, float] | None:
    """The interval for other classes: of other parents too, where classes come in some and count one by one."""
    return row.intervals.get("parents") or row.intervals.get("classes")
