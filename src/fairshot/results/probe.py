"""A Probe: what `probe` gives. Learners after draws of labelled images, with intervals that say what for."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairshot.results.probe_rows import ClassRate, ProbeResult
from fairshot.results.schema import Row, ShotCurve, write_result
from fairshot.runtime.arguments import checked
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import require_ending
from fairshot.statistics.probe_answers import ProbeAnswers
from fairshot.tables.table import Table
from fairshot.tables.tabular import Tabular
from fairshot.tables.words import count_of
from fairshot.tasks.draw_files import write_draws
from fairshot.tasks.support_draws import SupportDraws


@dataclass(frozen=True, eq=False, repr=False)
class Probe(Tabular):
    """Indexed by learner and shot, `p["ridge", 16]`; with the metric where test classes differ in size."""

    result: ProbeResult
    """What is kept of it as JSON."""
    draws: SupportDraws
    """Which images were labelled, with the largest number of shots."""
    answers: Mapping[tuple[str, int, str], ProbeAnswers] = field(default_factory=dict)
    """By learner, shot and metric: every test image after every draw."""

    @property
    def rows(self) -> list[Row]:
        """One learner with one number of shots each."""
        return self.result.rows

    @property
    def comparisons(self) -> list[Row]:
        """Every two learners at the same shots, paired."""
        return self.result.comparisons

    @property
    def class_rates(self) -> list[ClassRate]:
        """Every class by itself."""
        return self.result.class_rates

    @property
    def shots(self) -> list[ShotCurve]:
        """The score against the number of shots, for each learner with at least three."""
        return self.result.shots

    @property
    def learners(self) -> list[str]:
        """The names of all learners."""
        return list(dict.fromkeys(row.learner for row in self.rows))

    def in_brief(self) -> str:
        """How many learners were tried on what."""
        return f"{count_of(len(self.learners), 'learner')} on {self.result.source.name}"

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: Any) -> Row:
        """The row of a learner: `p["ridge"]`, `p["ridge", 16]`, `p["ridge", 16, "macro accuracy"]`."""
        learner, *rest = key if isinstance(key, tuple) else (key,)
        rows = [row for row in self.rows if row.learner == learner]
        if not rows:
            raise unknown("learner", str(learner), self.learners)
        found = [row for row in rows if all(word in (row.shot, row.metric) for word in rest)]
        plain = [row for row in found if row.metric == "accuracy"]
        if len(found) == 1 or len(plain) == 1:
            return (found if len(found) == 1 else plain)[0]
        known = ", ".join(str(row.shot) for row in rows)
        raise FairshotError(f"{len(found)} rows of {learner} match: say which shot, of {known}")

    def export_draws(self, path: Path | str) -> Path:
        """Writes which images were labelled, for other tools: a table in CSV with a line for each."""
        write_draws(self.draws, Path(path))
        return Path(path)

    @checked
    def save(self, path: Path | str) -> Path:
        """Writes the JSON file, whole or not at all."""
        path = require_ending(Path(path), (".json",), "a file in JSON")
        write_result(self.result, path)
        return path

    def summary(self) -> str:
        """Which learner is best, and what another labelled image would buy."""
        return importlib.import_module("fairshot.reports.probes").summary(self.result)

    def tables(self) -> list[Table]:
        """A table for each number of shots, one of differences, one of the hardest classes."""
        return importlib.import_module("fairshot.reports.probes").probe_tables(self.result)

    @checked
    def plot(self, path: Path | str | None = None) -> Any:
        """The score against the number of shots as a chart of Altair; a path also gets a file: .svg, .png, .html."""
        if not self.shots:
            raise FairshotError("there is no curve to draw: probe with at least 3 numbers of shots, such as 1,4,16")
        chart = importlib.import_module("fairshot.reports.charts.shot_curve").shot_chart(self.shots)
        if path is not None:
            importlib.import_module("fairshot.reports.charts.chart").save(chart, Path(path))
        return chart

    def to_json(self, command: Sequence[str] = ()) -> str:
        """As `--json` prints it."""
        return self.result.model_copy(update={"command": self.result.command or list(command)}).json_text()
