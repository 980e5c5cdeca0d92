"""What readers of episodes do to accuracies and intervals: plain loops, runs that are found again, and the table."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from fairshot.results.schema import read_result
from fairshot.results.study_rows import ReaderRow
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.studies.kinds import reader_effects
from fairshot.studies.kinds.reader_effects import ReaderEffects, reader_row
from fairshot.studies.study import run_study
from fairshot.tables.table import Quantity
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.shuffle_buffer import ShuffleBuffer

WORLD = "glyphs:alphabets=4,characters=5,drawers=6/parents/novel"
STUDY = ReaderEffects(title="readers", paper="nobody", sources={"Glyphs": WORLD}, buffers=(3, 0), runs=2, episodes=12)


def test_a_row_agrees_with_plain_loops() -> None:
    rng = np.random.default_rng(0)
    sampled, values = rng.normal(0.5, 0.1, (30, 50)), rng.normal(0.52, 0.2, (30, 50))
    row = reader_row("it", "there", find_part(WORLD, recipe="16"), values, sampled)
    truth, held, gains, means, errors = sampled.sum() / sampled.size, [], [], [], []
    for run, other in zip(values, sampled, strict=True):
        mean = sum(run) / 50
        error = np.sqrt(sum((value - mean) ** 2 for value in run) / 50 / 50)
        held.append(mean - 1.96 * error <= truth <= mean + 1.96 * error)
        gains.append(mean - sum(other) / 50)
        means.append(mean)
        errors.append(error)
    assert row.coverage == pytest.approx(sum(held) / 30)
    assert row.gain == pytest.approx(sum(gains) / 30)
    assert row.gain_interval == pytest.approx(stats.ttest_1samp(gains, 0).confidence_interval(0.95))
    deviation = np.sqrt(sum((mean - sum(means) / 30) ** 2 for mean in means) / 29)
    assert row.spread == pytest.approx(deviation / (sum(errors) / 30))
    low, high = row.spread_interval
    # The interval of a variance: (n - 1) s^2 over both quantiles of chi squared.
    assert [29 * row.spread**2 / low**2, 29 * row.spread**2 / high**2] == pytest.approx([45.722, 16.047], rel=1e-4)
    assert row.coverage_interval[0] < row.coverage < row.coverage_interval[1]


def test_intervals_of_independent_means_hold() -> None:
    """Without any correlation between episodes the usual interval is right: spread 1, coverage 95%."""
    values = np.random.default_rng(1).normal(0.5, 0.1, (400, 100))
    row = reader_row("sampled", "there", find_part(WORLD, recipe="16"), values, values)
    assert row.gain == 0
    assert row.spread_interval[0] < 1 < row.spread_interval[1]
    assert row.coverage_interval[0] < 0.95 < row.coverage_interval[1]


def test_episodes_that_repeat_each_other_make_the_usual_interval_too_narrow() -> None:
    values = np.repeat(np.random.default_rng(2).normal(0.5, 0.1, (40, 10)), 10, axis=1)
    row = reader_row("stuck", "there", find_part(WORLD, recipe="16"), values, values)
    assert row.spread_interval[0] > 2
    assert row.coverage_interval[1] < 0.9


def test_rows_are_those_of_tasks_with_the_seeds_of_runs(tmp_path: Path) -> None:
    result = run_study(STUDY, out=tmp_path)
    assert {(row.learner, row.task) for row in result.rows} == STUDY.cells
    part, learner = find_part(WORLD, recipe="16"), find_learner("prototypes")
    tasks = [MetaDataset(), ShuffleBuffer(buffer=3), ShuffleBuffer(buffer=0)]
    for row, task in zip(result.rows, tasks, strict=True):
        assert isinstance(row, ReaderRow)
        means = [reader_effects.answer(part, learner, task, episodes=12, seed=seed).values.mean() for seed in range(2)]
        assert row.value == pytest.approx(np.mean(means))
        assert (row.runs_made, row.episodes) == (2, 12)
    assert read_result(tmp_path / "study.json").rows == result.rows
    (table,) = STUDY.tables(result)
    assert table == result.study_tables[0]
    assert table.column("reader") == ["sampled", "buffer of 3", "in order"]


def test_an_interrupted_run_goes_on_and_a_longer_one_extends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, answer, left = run_study(STUDY), reader_effects.answer, 3

    def stop_early(*arguments: Any, **settings: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return answer(*arguments, **settings)

    monkeypatch.setattr(reader_effects, "answer", stop_early)
    with pytest.raises(KeyboardInterrupt):
        run_study(STUDY, out=tmp_path / "parts")
    left = 3
    assert run_study(STUDY, out=tmp_path / "parts").rows == whole.rows
    assert left == 0, "six runs in all, and none twice"
    left = 3
    longer = run_study(replace(STUDY, runs=3), out=tmp_path / "parts")
    assert left == 0, "one more run of each reader"
    assert run_study(STUDY, out=tmp_path / "parts").rows == whole.rows
    assert [row.runs_made for row in longer.rows] == [3, 3, 3]


def test_one_run_has_no_intervals_and_can_be_kept(tmp_path: Path) -> None:
    result = run_study(STUDY, limit=1, out=tmp_path)
    assert result.preset == "limited to 1 runs"
    assert read_result(tmp_path / "study.json").rows == result.rows
    (table,) = STUDY.tables(result)
    cell = table.column("spread of means")[0]
    assert isinstance(cell, Quantity)
    assert (cell.value, cell.why) == (None, "one run does not show how much runs differ")
