"""How much accuracies and intervals move when episodes are read through shuffle buffers instead of sampled."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.evaluation.evaluate import answer
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import ReaderRow
from fairshot.runtime.files import complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.statistics.estimate import LEVEL
from fairshot.studies.study import Conditions, Study
from fairshot.tables.table import Cell, Quantity, Table, Unit, plain_columns
from fairshot.tables.words import at_level, count_of
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.shuffle_buffer import ShuffleBuffer
from fairshot.tasks.task import TaskDistribution

SAMPLED = "sampled"
NORMAL = 1.96  # as the release computes its intervals

Runs = Float[np.ndarray, "run episode"]


@dataclass(frozen=True)
class ReaderEffects(Study):
    """Sources by readers; a run is a list of episodes with a seed of its own."""

    sources: Mapping[str, str]
    """By label."""
    buffers: tuple[int, ...]
    learner: str = "prototypes"
    recipe: str = "16"
    runs: int = 20
    episodes: int = 300

    view = "facts"

    @property
    def size(self) -> tuple[int, str]:
        """Runs."""
        return self.runs, "runs"

    @property
    def readers(self) -> dict[str, TaskDistribution]:
        """By what they are called."""
        buffers = {f"buffer of {size}" if size else "in order": ShuffleBuffer(buffer=size) for size in self.buffers}
        return {SAMPLED: MetaDataset(), **buffers}

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every reader of every source."""
        return {(reader, label) for reader in self.readers for label in self.sources}

    def run(self, conditions: Conditions) -> Result:
        """All readers give the same descriptions in the runs of the same seed; with `out`, runs are found again."""
        rows, parts = list[Row](), list[Source]()
        runs = min(self.runs, conditions.limit or self.runs)
        for label, what in self.sources.items():
            parts.append(find_part(what, recipe=self.recipe))
            rows += self._rows(label, parts[-1], runs, conditions)
        key = fingerprint([part.origin for part in parts], self.episodes, runs)
        return conditions.stamp(Result(seed=0, source=SourceName.of(parts[0]), episodes_key=key, rows=rows))

    def _rows(self, label: str, part: Source, runs: int, conditions: Conditions) -> Iterator[ReaderRow]:
        sampled = np.empty((0, 0))
        for reader, task in self.readers.items():
            values = self._values(f"{label}, {reader}", part, task, runs, conditions)
            sampled = values if reader == SAMPLED else sampled
            yield reader_row(reader, label, part, values, sampled)

    def _values(self, what: str, part: Source, task: TaskDistribution, runs: int, conditions: Conditions) -> Runs:
        """The score of every episode of every run, of which those are kept that were made before."""
        learner = find_learner(self.learner)
        key = fingerprint(part.fingerprint, self.learner, self.episodes, task.key(part, 0))
        file = conditions.out and conditions.out / "readers" / f"{key}.json"
        known: list[list[float]] = json.loads(file.read_text()) if file and file.exists() else []
        for seed in range(len(known), runs):
            conditions.progress(what, seed, runs, float(np.mean(known)) if known else np.nan)
            known.append(answer(part, learner, task, episodes=self.episodes, seed=seed).values.tolist())
            if file:
                with complete_file(file) as unfinished:
                    unfinished.write_text(json.dumps(known))
        return np.array(known[:runs])

    def tables(self, result: Result) -> list[Table]:
        """A line for each source and reader."""
        rows = [row for row in result.rows if isinstance(row, ReaderRow)]
        lines: list[list[Cell]] = [
            [
                row.task,
                row.learner,
                Quantity(value=row.value, unit="share"),
                _quantity(row.gain, row.gain_interval, unit="points", digits=2),
                _quantity(row.spread, row.spread_interval, unit="", digits=2),
                _quantity(row.coverage, row.coverage_interval, unit="share", digits=0),
            ]
            for row in rows
        ]
        heads = ("source", "reader", "accuracy", "against sampling", "spread of means", "usual interval holds it")
        notes = [
            f"{count_of(rows[0].runs_made, 'run')} of {count_of(rows[0].episodes, 'episode')} with each reader; all "
            f"intervals ({at_level(LEVEL)}) are for more runs.",
            "Against sampling: the difference of mean accuracies, paired, as runs of one seed have the same classes "
            "and numbers of images.",
            "Spread of means: the deviation of a run's mean between runs, in units of what the usual interval takes "
            "it for; 1 if that interval is right about it.",
            "Holds it: how often the usual interval of one run holds the mean of all runs with true sampling.",
        ]
        return [Table(title="readers", columns=plain_columns(*heads), rows=lines, notes=notes)]


def reader_row(reader: str, label: str, part: Source, values: Runs, sampled: Runs) -> ReaderRow:
    """What one reader gave, beside true sampling with the same seeds."""
    means, runs = values.mean(axis=1), len(values)
    errors = values.std(axis=1) / np.sqrt(values.shape[1])  # as the release computes them
    held = np.abs(means - sampled.mean()) <= NORMAL * errors
    gains = means - sampled.mean(axis=1)
    share = stats.binomtest(int(held.sum()), runs).proportion_ci(LEVEL, "wilson")
    return ReaderRow(
        learner=reader,
        task=label,
        part=part.name,
        metric="accuracy",
        episodes=values.shape[1],
        episodes_key="",
        per_query=False,
        value=float(means.mean()),
        intervals={},
        runs_made=runs,
        gain=float(gains.mean()),
        gain_interval=_mean_interval(gains),
        spread=float(means.std(ddof=1) / errors.mean()) if runs > 1 else None,
        spread_interval=_spread_interval(means, float(errors.mean())),
        coverage=float(held.mean()),
        coverage_interval=(float(share.low), float(share.high)),
    )


def _mean_interval(values: Float[np.ndarray, " run"]) -> tuple[float, float] | None:
    """Student's, for the mean over more runs."""
    if len(values) < 2:
        return None
    half = stats.t.ppf((1 + LEVEL) / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - half), float(values.mean() + half)


def _spread_interval(means: Float[np.ndarray, " run"], error: float) -> tuple[float, float] | None:
    """For the deviation of normal means over more runs, in units of the error."""
    degrees = len(means) - 1
    if degrees < 1:
        return None
    ends = stats.chi2.ppf([(1 + LEVEL) / 2, (1 - LEVEL) / 2], degrees)
    low, high = means.std(ddof=1) * np.sqrt(degrees / ends) / error
    return float(low), float(high)


def _quantity(value: float | None, interval: tuple[float, float] | None, *, unit: Unit, digits: int) -> Quantity:
    low, high = interval or (None, None)
    why = "one run does not show how much runs differ" if interval is None else ""
    return Quantity(value=value, unit=unit, low=low, high=high, digits=digits, why=why)
