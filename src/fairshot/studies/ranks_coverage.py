"""How often rank intervals hold: leaderboards with known truths, drawn again and again."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Float
from scipy import special, stats

from fairshot.results.choice_rows import RankCoverageRow
from fairshot.results.schema import Result, SourceName
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.statistics.clusters import cluster_covariance, cluster_degrees
from fairshot.statistics.estimate import LEVEL
from fairshot.statistics.ranks import Claims, Gaps, certain_claims, first_chances, rank_bounds
from fairshot.studies.study import Conditions, Study
from fairshot.tables.table import Cell, Quantity, Table, plain_columns

FIRSTS = 100  # leaderboards of each setting on which the probability of being first is computed
INTERVALS = "rank intervals"


@dataclass(frozen=True)
class Setting:
    """A kind of leaderboard."""

    label: str
    truth: tuple[float, ...]
    """How able each method is, in standard deviations of an answer."""
    units: int
    """Items, groups of items or data sets."""
    kind: Literal["items", "groups", "data sets"]
    size: int = 1
    """Items in each group."""

    def draw(self, stream: Stream) -> Float[np.ndarray, "method item"]:
        """What every method scored on every item: right or wrong; on data sets a score."""
        methods, items = len(self.truth), self.units * self.size

        def normal(*shape: int) -> np.ndarray:
            return special.ndtri(stream.uniform(*shape))

        hard = normal(self.units).repeat(self.size)
        own = 0.5 * normal(methods, self.units).repeat(self.size, axis=1) if self.kind != "items" else 0.0
        able = np.array(self.truth)[:, None] + hard + own
        if self.kind == "data sets":
            return able
        return (able + normal(methods, items) > 0).astype(np.float64)

    def gaps(self, stream: Stream) -> Gaps:
        """The paired differences of one leaderboard, as `compare` judges them."""
        scores, clusters = self.draw(stream), np.arange(self.units).repeat(self.size)
        covariance, means = cluster_covariance(scores, clusters), scores.mean(axis=1)
        own = np.diag(covariance)
        deviations = np.sqrt(np.maximum(np.add.outer(own, own) - 2 * covariance, 0.0))
        degrees, values = cluster_degrees(clusters), np.subtract.outer(means, means)
        p_values = 2 * stats.t.sf(np.abs(values) / np.maximum(deviations, 1e-12), degrees)
        return Gaps(values, p_values, deviations, degrees)

    def holds(self, claims: Claims) -> bool:
        """Whether every place that a method truly has, or shares with its equals, is one that it may have."""
        truth = np.array(self.truth)
        low, high = rank_bounds(claims)
        best, worst = 1 + (truth[:, None] < truth).sum(axis=1), (truth[:, None] <= truth).sum(axis=1)
        return bool((low <= best).all() and (high >= worst).all())


@dataclass(frozen=True)
class RanksCoverage(Study):
    """Leaderboards of every setting, drawn again and again."""

    view: ClassVar[str] = "facts"

    settings: tuple[Setting, ...]
    repetitions: int = 1000
    seed: int = 0

    @property
    def size(self) -> tuple[int, str]:
        """Leaderboards."""
        return self.repetitions, "leaderboards"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every setting."""
        return {(INTERVALS, setting.label) for setting in self.settings}

    def run(self, conditions: Conditions) -> Result:
        """Setting by setting."""
        count = min(self.repetitions, conditions.limit or self.repetitions)
        rows = []
        for done, setting in enumerate(self.settings, 1):
            rows.append(self._row(setting, count))
            conditions.progress("settings", done, len(self.settings), float(rows[-1].value or 0.0))
        key = fingerprint([setting.label for setting in self.settings], self.seed)
        source = SourceName(name="simulated leaderboards", fingerprint=key, recipe="none")
        result = Result(seed=self.seed, source=source, rows=list(rows), episodes_key=key)
        return conditions.stamp(result)

    def _row(self, setting: Setting, count: int) -> RankCoverageRow:
        methods, truth = len(setting.truth), np.array(setting.truth)
        held, plain, certain, width, firsts = list[bool](), list[bool](), list[float](), list[float](), list[float]()
        differ = truth[:, None] > truth
        for repetition in range(count):
            gaps = setting.gaps(Stream(self.seed, "leaderboard", setting.label, repetition))
            claims = certain_claims(gaps)
            low, high = rank_bounds(claims)
            held.append(setting.holds(claims))
            plain.append(setting.holds((gaps.p_values < 1 - LEVEL) & (gaps.values > 0)))
            certain.append(float(claims[differ].mean()) if differ.any() else 0.0)
            width.append(float((high - low + 1).mean()))
            if repetition < FIRSTS and (chances := first_chances(gaps, repetition)) is not None:
                firsts.append(float(chances[truth == truth.max()].mean()))
        share = float(np.mean(held))
        ends = stats.binomtest(sum(held), count).proportion_ci(LEVEL, method="wilson")
        return RankCoverageRow(
            learner=INTERVALS,
            task=setting.label,
            part="simulated",
            metric="coverage",
            episodes=count,
            episodes_key="",
            value=share,
            intervals={"episodes": (float(ends.low), float(ends.high))},
            repetitions=count,
            methods=methods,
            uncorrected=float(np.mean(plain)),
            certain=float(np.mean(certain)),
            width=float(np.mean(width)),
            calibration=float(np.mean(firsts)),
        )

    def tables(self, result: Result) -> list[Table]:
        """How often all places were inside, beside what no correction gives."""
        rows = [row for row in result.rows if isinstance(row, RankCoverageRow)]
        lines: list[list[Cell]] = [[row.task, row.methods, *_shares(row), Quantity(value=row.width)] for row in rows]
        heads = ("leaderboards", "methods", "all places inside", "uncorrected", "pairs distinguished", "best is first")
        notes = [
            "The share of leaderboards in which the true places of all methods are inside their intervals (brackets: "
            "for more leaderboards), the same without a correction for many pairs, the share of pairs that truly "
            "differ and are distinguished, the mean probability of being first that the truly best got, and how many "
            "places a method may have."
        ]
        columns = plain_columns(*heads, "places a method")
        return [Table(title="rank intervals", columns=columns, rows=lines, notes=notes)]


def _shares(row: RankCoverageRow) -> list[Cell]:
    low, high = row.intervals["episodes"] or (None, None)
    return [
        Quantity(value=row.value, unit="share", low=low, high=high),
        *(Quantity(value=value, unit="share") for value in (row.uncorrected, row.certain, row.calibration)),
    ]


APART = (0.9, 0.6, 0.6, 0.6, 0.3, 0.0)
LADDER = tuple(np.linspace(0.0, 0.9, 10).round(2).tolist())

STUDY = RanksCoverage(
    title="How often rank intervals hold",
    paper="a question of our own; rank intervals after Mogstad et al. 2024, with Holm's correction",
    settings=(
        Setting("6 alike, 200 items", (0.5,) * 6, 200, "items"),
        Setting("6 apart, 200 items", APART, 200, "items"),
        Setting("10 on a ladder, 500 items", LADDER, 500, "items"),
        Setting("20 alike, 1000 items", (0.5,) * 20, 1000, "items"),
        Setting("6 alike, 30 groups of 5", (0.5,) * 6, 30, "groups", 5),
        Setting("6 apart, 30 groups of 5", APART, 30, "groups", 5),
        Setting("10 on a ladder, 60 groups of 8", LADDER, 60, "groups", 8),
        Setting("6 alike, 8 data sets", (0.5,) * 6, 8, "data sets"),
        Setting("6 apart, 20 data sets", APART, 20, "data sets"),
        Setting("10 on a ladder, 40 data sets", LADDER, 40, "data sets"),
    ),
)
