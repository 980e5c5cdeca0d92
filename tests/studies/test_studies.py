"""Studies: published numbers reproduced, and results that say what they are."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.cli.main import main
from fairshot.evaluation.cell import Cell
from fairshot.evaluation.scorer import Scorer
from fairshot.sources.source import Source
from fairshot.specs.registry import find_module
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.studies.study import TableStudy, run_study
from fairshot.tasks.uniform import Uniform

# Errors of the modified Hausdorff distance in Lake's 20 runs, in percent.
HAUSDORFF = [45, 35, 40, 25, 30, 15, 60, 35, 40, 55, 15, 70, 65, 35, 15, 25, 30, 40, 70, 30]


def test_the_modified_hausdorff_distance_errs_as_published_in_every_run(omniglot: Source) -> None:
    row = run_study(find_module("studies", "lake_runs").STUDY).rows[0]
    assert (row.learner, row.metric, row.published) == ("hausdorff", "error", 0.388)
    assert row.value == pytest.approx(0.3875)
    assert [round(100 * score) for score in row.scores] == HAUSDORFF


def test_a_limited_run_says_so(omniglot: Source) -> None:
    result = run_study(find_module("studies", "lake_runs").STUDY, limit=1)
    assert result.preset == "limited to 1 episodes"
    assert {row.episodes for row in result.rows} == {1}
    assert all(row.intervals["episodes"] is None for row in result.rows)
    assert all(row.notes == ["episodes: one episode gives no interval"] for row in result.rows)


def test_published_numbers_stand_in_a_column_of_their_own(omniglot: Source, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "lake_runs", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "published" in out
    assert "38.8" in out
    assert "This is not the published setting: limited to 1 episodes." in out


def test_a_study_that_trains_does_so_once(omniglot: Source, tmp_path: Path) -> None:
    study = find_module("studies", "omniglot_eval").STUDY
    first = run_study(study, limit=2, out=tmp_path)
    weights = tmp_path / "training" / "siamese-2" / "weights.safetensors"
    made = weights.stat().st_mtime_ns
    second = run_study(study, limit=2, out=tmp_path)
    assert weights.read_bytes()
    assert (tmp_path / "training" / "siamese-2" / "snapshots" / "epoch0001.safetensors").stat().st_mtime_ns < made
    assert [row.value for row in first.rows] == [row.value for row in second.rows]
    assert first.training["siamese"]["steps"] == 2
    assert first.rows[0].settings["trained"]["preset"] == "paper with steps=2"


def test_a_study_of_200_cells_goes_on_with_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learners = tuple(f"neighbours:k={k}" for k in range(1, 11))
    tasks = tuple(Uniform(way, shot, 1) for way in range(2, 12) for shot in (1, 2))
    study = TableStudy("Many cells", "", "glyphs:alphabets=2,characters=6", learners, tasks, recipe="16", episodes=2)
    usual = {"episodes": over_episodes(np.array([0.5, 1.0]), difference=False)}
    monkeypatch.setattr(Cell, "estimates", lambda self, answers, scores, sequential: usual)  # intervals take their time
    answered = list[int]()
    answer = Scorer.__call__
    monkeypatch.setattr(Scorer, "__call__", lambda self, episodes: answered.append(1) or answer(self, episodes))
    ended = list[str]()

    def stop(what: str, done: int, whole: int, mean: float) -> None:
        ended.extend([what] * (done == whole))
        if len(ended) == 120:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(study, out=tmp_path, progress=stop)
    first = len(answered)
    result = run_study(study, out=tmp_path)
    assert len(result.rows) == len(learners) * len(tasks) == 200
    per_cell = first / 120
    assert len(answered) - first <= 81 * per_cell  # 80 are missing, and the one that was met half done
