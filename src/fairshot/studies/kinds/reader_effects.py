"""How much accuracies and intervals move when episodes are read through shuffle buffers instead of sampled."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.evaluation.evaluate import answer
from fairshot.learners.learner import Classifier
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import ReaderRow
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.statistics.estimate import LEVEL
from fairshot.studies.study import Conditions, Study
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
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
        """All readers give the same descriptions in the runs of the same seed."""
        rows, parts = list[Row](), list[Source]()
        runs = min(self.runs, conditions.limit or self.runs)
        learner = find_learner(self.learner)
        for label, what in self.sources.items():
            parts.append(find_part(what, recipe=self.recipe))
            rows += self._rows(label, parts[-1], learner, runs, conditions)
        key = fingerprint([part.origin for part in parts], self.episodes, runs)
        return conditions.stamp(Result(seed=0, source=SourceName.of(parts[0]), episodes_key=key, rows=rows))

    def _rows(
        self, label: str, part: Source, learner: Classifier, runs: int, conditions: Conditions
    ) -> Iterator[ReaderRow]:
        sampled = np.empty((0, 0))
        for number, (reader, task) in enumerate(self.readers.items()):
            conditions.progress(f"readers of {label}", number, len(self.readers), np.nan)
            values = np.stack(
                [answer(part, learner, task, episodes=self.episodes, seed=seed).values for seed in range(runs)]
            )
            sampled = values if reader == SAMPLED else sampled
            yield _row(reader, label, part, values, sampled)

    def tables(self, result: Result) -> list[Table]:
        """A line for each source and reader."""
        lines: list[list[Cell]] = [
            [
                row.task,
                row.learner,
                Quantity(value=row.value, unit="share"),
                Quantity(value=row.gain, unit="points", low=row.gain_interval[0], high=row.gain_interval[1], digits=2),
                Quantity(value=row.spread, digits=2),
                Quantity(value=row.coverage, unit="share"),
            ]
            for row in result.rows
            if isinstance(row, ReaderRow)
        ]
        heads = ("source", "reader", "accuracy", "against sampling", "spread of means", "usual interval holds it")
        notes = [
            f"{result.rows[0].episodes} episodes a run. Against sampling: paired by seed, interval for more runs.",
            "Spread of means: the deviation between runs in units of what the usual interval takes it for.",
            "Holds it: how often the usual interval of a run holds the mean of all runs with true sampling.",
        ]
        return [Table(title="readers", columns=plain_columns(*heads), rows=lines, notes=notes)]


def _row(reader: str, label: str, part: Source, values: Runs, sampled: Runs) -> ReaderRow:
    """What one reader gave."""
    means, runs = values.mean(axis=1), len(values)
    errors = values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
    gains = means - sampled.mean(axis=1)
    gain = float(gains.mean())
    deviation = float(gains.std(ddof=1)) if runs > 1 else 0.0
    half = float(stats.t.ppf((1 + LEVEL) / 2, max(runs - 1, 1))) * deviation / np.sqrt(runs)
    held = np.abs(means - sampled.mean()) <= NORMAL * errors
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
        gain=gain,
        gain_interval=(gain - half, gain + half),
        spread=float(means.std(ddof=1) / errors.mean()) if runs > 1 else float("nan"),
        coverage=float(held.mean()),
    )
