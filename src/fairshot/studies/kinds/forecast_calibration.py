"""Do forecasts of flips come true? Pairs of learners on one set of classes, and then on another of the same kind."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.learner import Classifier
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import ForecastRow
from fairshot.runtime.backends.backend import Backend, ordered_map
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.statistics.answers import Answers, drawable_layout, tabulate
from fairshot.statistics.comparison import compare_answers
from fairshot.statistics.forecast import Between, forecast
from fairshot.studies.kinds.repetitions import View, answered
from fairshot.studies.kinds.simulated_benchmarks import normals
from fairshot.studies.study import Conditions, Study
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.uniform import Uniform

PERCENT = (0, 2, 5, 10, 15, 20, 25, 30, 35, 40, 50)
EDGES = tuple(edge / 100 for edge in PERCENT)
LEVEL = 1 - 0.05 / (len(EDGES) - 1)  # of the interval of one bin: all bins of a population hold at once in 95%
FORECAST = "forecast"
PORTION = 25  # trials handed to a process at a time
TASK = Uniform(way=5, shot=1, query=10)
Trials = Float[np.ndarray, "trial 3"]
"""For each trial the forecast, the plug-in, and 1 if the other learner was ahead on other classes; NaN without them."""


@dataclass(frozen=True)
class Pairs(ABC):
    """Where pairs of learners, and sets of classes to compare them on, come from."""

    label: str
    task: ClassVar[str] = TASK.label

    @abstractmethod
    def trial(self, stream: Stream) -> tuple[float, float, float]:
        """One pair on one set of classes, and on another."""


@dataclass(frozen=True)
class DrawnGaps(Pairs):
    """True differences drawn from a distribution, seen twice; the variance is estimated from so many classes."""

    gaps: Callable[[Stream], float]
    """In units of the standard deviation between sets of classes."""
    classes: int = 20
    task: ClassVar[str] = "normal numbers"

    def trial(self, stream: Stream) -> tuple[float, float, float]:
        """By normal numbers alone."""
        first, second, *by_class = normals(stream.child("seen"), self.classes + 2).tolist()
        truth, variance = self.gaps(stream.child("gap")), float(np.var(by_class, ddof=1))
        between = Between(variance, 0.0, self.classes - 1.0, self.classes)
        found = forecast(truth + first, between)
        return found.probability, found.if_true, float((truth + first) * (truth + second) < 0)


@dataclass(frozen=True)
class Projections(Pairs):
    """Two random projections of the same vectors, to different numbers of features; real classes or simulated ones."""

    draw: Callable[[Stream, int], Float[np.ndarray, "class image feature"]]
    """So many different classes."""
    classes: int = 20
    episodes: int = 400
    features: tuple[int, int] = (4, 12)
    """Fewest and most that a projection keeps."""

    def trial(self, stream: Stream) -> tuple[float, float, float]:
        """Evaluated as a user would."""
        vectors = self.draw(stream.child("classes"), 2 * self.classes)
        learners = [self._learner(stream.child(name), vectors.shape[2]) for name in ("one", "other")]
        here, there = (
            _difference(vectors[half * self.classes : (half + 1) * self.classes], learners, self.episodes, half)
            for half in (0, 1)
        )
        own = compare_answers(here, here.scores)["classes"].forecast
        if own is None:
            return np.nan, np.nan, np.nan
        return own.probability, own.if_true, float(here.scores.mean() * there.scores.mean() < 0)

    def _learner(self, stream: Stream, width: int) -> Classifier:
        few, many = self.features
        kept = few + int(stream.child("width").integers(many - few + 1, 1)[0])
        return View(Prototypes(), normals(stream, width, kept))


def _difference(vectors: np.ndarray, learners: Sequence[Classifier], episodes: int, seed: int) -> Answers:
    part = _part(vectors)
    sampled = TASK.sample(part, range(episodes), seed)
    one, other = (answered(part, learner, sampled) for learner in learners)
    return tabulate(drawable_layout(TASK, part), sampled, one, minus=other)


def _part(vectors: Float[np.ndarray, "class image feature"]) -> Source:
    classes, images, width = vectors.shape
    return from_arrays(vectors.reshape(-1, width).astype(np.float32), np.repeat(np.arange(classes), images))


@dataclass(frozen=True)
class ForecastCalibration(Study):
    """What was forecast, in ten bins, beside how often it came true."""

    view: ClassVar[str] = "facts"

    populations: tuple[Pairs, ...]
    trials: int = 2000
    seed: int = 0

    @property
    def size(self) -> tuple[int, str]:
        """Trials."""
        return self.trials, "trials"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every population and bin."""
        return {(pairs.label, _bin(number)) for pairs in self.populations for number in range(len(EDGES) - 1)}

    def run(self, conditions: Conditions) -> Result:
        """Population by population."""
        count, rows = min(self.trials, conditions.limit or self.trials), list[Row]()
        for pairs in self.populations:
            trials = self._trials(pairs, count, conditions)
            rows += _rows(pairs, trials[~np.isnan(trials[:, 0])])
        name = ", ".join(pairs.label for pairs in self.populations)
        source = SourceName(name=name, fingerprint="", recipe="none")
        result = Result(seed=self.seed, source=source, rows=rows, episodes_key=fingerprint(name, count))
        return conditions.stamp(result)

    def tables(self, result: Result) -> list[Table]:
        """What was forecast beside how often it came true."""
        return [_forecast_table([row for row in result.rows if isinstance(row, ForecastRow)])]

    def _trials(self, pairs: Pairs, count: int, conditions: Conditions) -> Trials:
        portions = [range(start, min(start + PORTION, count)) for start in range(0, count, PORTION)]
        done: list[tuple[float, float, float]] = []
        backend: Backend = "serial" if count <= PORTION else "local"
        several = partial(_several, pairs, self.seed)
        for found in ordered_map(several, portions, count=len(portions), backend=backend):
            done += found
            conditions.progress(pairs.label, len(done), count, float(np.mean([flip == 1 for *_, flip in done])))
        return np.array(done)


def _several(pairs: Pairs, seed: int, trials: range) -> list[tuple[float, float, float]]:
    return [pairs.trial(Stream(seed, "flips forecast", pairs.label, number)) for number in trials]


def _bin(number: int) -> str:
    return f"{PERCENT[number]} to {PERCENT[number + 1]}%"


def _rows(pairs: Pairs, trials: Trials) -> list[ForecastRow]:
    """For each bin how often the other learner was ahead, beside the mean forecast; the same for the plug-in."""
    found = []
    for which, metric in enumerate((FORECAST, "if the difference were the truth")):
        place = np.clip(np.searchsorted(EDGES, trials[:, which], side="right") - 1, 0, len(EDGES) - 2)
        for number in range(len(EDGES) - 1):
            fields = {"learner": pairs.label, "task": _bin(number), "part": pairs.task, "metric": metric}
            inside = place == number
            found.append(ForecastRow.model_validate(fields | _came_true(trials[inside, which], trials[inside, 2])))
    return found


def _came_true(predicted: Float[np.ndarray, " trial"], flips: Float[np.ndarray, " trial"]) -> dict[str, Any]:
    """What one bin says; without trials nothing."""
    told = {"episodes": len(flips), "episodes_key": "", "intervals": {}, "value": None, "notes": ["no trial"]}
    if not len(flips):
        return told
    ends = stats.binomtest(int(flips.sum()), len(flips)).proportion_ci(LEVEL, "wilson")
    interval, mean = (float(ends.low), float(ends.high)), float(predicted.mean())
    own = {"predicted": mean, "verdict": verdict(mean, interval)}
    return told | own | {"value": float(flips.mean()), "intervals": {"trials": interval}, "notes": []}


def verdict(predicted: float, interval: tuple[float, float]) -> str:
    """Whether a forecast lies in the interval of what came true, promises too little, or too much."""
    if predicted > interval[1]:
        return "careful"
    return "too sure" if predicted < interval[0] else "holds"


def _forecast_table(rows: Sequence[ForecastRow]) -> Table:
    lines = [_forecast_cells(row) for row in rows if row.metric == FORECAST and row.value is not None]
    note = (
        "In %. Holds: the mean forecast lies in the interval of how often the other learner was ahead (95% for all "
        "bins of one kind of pairs together); careful: above it, fewer flips than forecast; too sure: below it."
    )
    columns = plain_columns("pairs", "forecast", "trials", "mean forecast", "came true", "verdict")
    return Table(title="forecasts", columns=columns, rows=lines, notes=[note])


def _forecast_cells(row: ForecastRow) -> list[Cell]:
    low, high = row.intervals["trials"] or (None, None)
    predicted = Quantity(value=row.predicted, unit="share")
    came_true = Quantity(value=row.value, unit="share", low=low, high=high, population="trials")
    return [row.learner, row.task, row.episodes, predicted, came_true, row.verdict]
