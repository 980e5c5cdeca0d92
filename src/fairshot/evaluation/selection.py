"""The verb `selection`: how much does "best on test" inflate a score, and what would an honest choice have given?"""

import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float

import fairshot
from fairshot.evaluation.compare import listed_results
from fairshot.evaluation.contests import Candidates, from_board, from_evaluations, values_of
from fairshot.leaderboards.files import is_foreign, read_leaderboard
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.estimate import LEVEL, Estimate, Spread
from fairshot.statistics.winner import Contest
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of

KIND = "selection"
HALF = 0.5


@dataclass(frozen=True, kw_only=True)
class HonestChoice:
    """A rule of choice, what it takes, and what that scores on other items."""

    rule: str
    chosen: str
    """The candidate; empty where the rule takes one in some divisions and another in others."""
    estimate: Estimate


@dataclass(frozen=True, kw_only=True)
class Inflation:
    """The best of all candidates on one data set or task."""

    task: str
    population: str
    candidates: int
    units: int
    best: str
    reported: Estimate
    """The best score as it is usually printed, with the interval of a candidate that nobody chose."""
    honest: tuple[HonestChoice, ...]
    """What honest rules would have given, the best known one first."""
    value: float
    """How much of the winner's lead over the mean of all candidates is luck, on average over such contests."""
    low: float
    high: float
    """Between which it lies for this winner, with 95% probability."""
    mean: float
    """The mean of all candidates: what no choice at all gives."""
    rivals: int
    """Candidates that would be chosen at least once in a hundred divisions."""


@dataclass(frozen=True, eq=False, repr=False)
class Selection(Tabular):
    """What `selection` gives: the inflation on every data set or task."""

    inflations: tuple[Inflation, ...]
    notes: tuple[str, ...] = ()

    def in_brief(self) -> str:
        """How many candidates on how many tasks."""
        first = self.inflations[0]
        return f"{count_of(first.candidates, 'candidate')} on {count_of(len(self.inflations), 'task')}"

    def __getitem__(self, number: int) -> Inflation:
        return self.inflations[number]

    def __len__(self) -> int:
        return len(self.inflations)

    def summary(self) -> str:
        """How much the best score is too high, and what an honest choice gives."""
        return importlib.import_module("fairshot.reports.selection").summary(self)

    def tables(self) -> list[Table]:
        """The reported score beside honest ones, for each task."""
        return importlib.import_module("fairshot.reports.selection").tables(self)

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it."""
        head = {"schema": 1, "kind": KIND, "fairshot": fairshot.__version__, "command": list(command)}
        return json.dumps(
            {**head, "notes": list(self.notes), "inflations": [asdict(one) for one in self.inflations]}, indent=1
        )


def selection(
    results: Any,
    *others: Any,
    val: Any = None,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool = True,
    average_runs: bool = False,
    over: str | None = None,
) -> Selection:
    """How much the best of many candidates on a test set is too high, and what honest choices give, with intervals.

    `results` are whatever `compare` takes: the answers of every epoch, setting and seed, which are all candidates. Runs
    are candidates of their own unless `average_runs`. `val` holds results of the same candidates on other items, to
    choose by. `over` names the population (items, groups, classes ...); the widest that there is where nothing is said.
    """
    given = listed_results(results, others)
    notes: tuple[str, ...] = ()
    if any(map(is_foreign, given)):
        leaderboard = read_leaderboard(given, columns)
        notes = leaderboard.notes
        contests = [from_board(board, average_runs=average_runs, over=over) for board in leaderboard]
    else:
        contests = from_evaluations(given, over)
    by_val = None if val is None else values_of(listed_results(val), columns, average_runs=average_runs)
    contests = [one if higher_is_better else one.turned() for one in contests]
    made = [_inflation(one, by_val, higher_is_better) for one in contests if len(one.names) > 1]
    if not made:
        raise FairshotError("there is one candidate: give the scores of at least two, such as those of every epoch")
    return Selection(tuple(made), notes)


def _inflation(candidates: Candidates, by_val: Mapping[str, float] | None, higher_is_better: bool) -> Inflation:
    """Inside, higher is better; what is returned has the scores as they were."""
    contest, sign = candidates.contest, 1 if higher_is_better else -1
    leads, reported, mean = contest.centred(), float(contest.means[contest.winner]), float(contest.means.mean())
    luck = leads.interval(candidates.population)
    whole = replace(contest.interval(candidates.population), value=mean + luck.value)
    half = mean + leads.honest(HALF).value
    honest = [
        HonestChoice(rule="cross-fitted", chosen="", estimate=_signed(whole, sign)),
        HonestChoice(rule="one half", chosen="", estimate=_plain(half, candidates.population, sign)),
    ]
    if by_val is not None:
        honest.insert(0, _chosen_by_val(candidates, by_val, sign))
    assert luck.low is not None
    assert luck.high is not None
    lead = reported - mean
    return Inflation(
        task=candidates.task,
        population=candidates.population,
        candidates=len(candidates.names),
        units=candidates.units,
        best=candidates.names[contest.winner],
        reported=_signed(_alone(contest, contest.winner, candidates), sign),
        honest=tuple(honest),
        value=lead - luck.value,
        low=lead - luck.high,
        high=lead - luck.low,
        mean=sign * mean,
        rivals=sum(share >= 0.01 for share in leads.honest().shares),
    )


def _chosen_by_val(candidates: Candidates, by_val: Mapping[str, float], sign: int) -> HonestChoice:
    """The candidate that is best on validation items, and its score on the test items."""
    known = [name for name in candidates.names if name in by_val]
    if len(known) < len(candidates.names):
        lacking = next(name for name in candidates.names if name not in by_val)
        raise FairshotError(f"val has no scores of {lacking}: give those of every candidate")
    scores: Float[np.ndarray, " candidate"] = np.array([sign * by_val[name] for name in candidates.names])
    chosen = int(np.argmax(scores))
    estimate = _signed(_alone(candidates.contest, chosen, candidates), sign)
    return HonestChoice(rule="val", chosen=candidates.names[chosen], estimate=estimate)


def _alone(contest: Contest, number: int, candidates: Candidates) -> Estimate:
    """One candidate as if it had been the only one."""
    spread = Spread(
        value=float(contest.means[number]),
        population=candidates.population,
        variance=float(contest.covariance[number, number]),
        sampling=0.0,
        noise=0.0,
        unit_degrees=contest.degrees,
        episodes=candidates.units,
    )
    return spread.estimate(LEVEL)


def _plain(value: float, population: str, sign: int) -> Estimate:
    return Estimate(value=sign * value, low=None, high=None, level=LEVEL, method="none", population=population)


def _signed(estimate: Estimate, sign: int) -> Estimate:
    """The estimate of the score as it was, where lower is better."""
    if sign > 0 or estimate.low is None or estimate.high is None:
        return estimate
    return Estimate(**{**asdict(estimate), "value": -estimate.value, "low": -estimate.high, "high": -estimate.low})
