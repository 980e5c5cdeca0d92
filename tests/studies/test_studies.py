"""Studies: published numbers reproduced, and results that say what they are."""

from pathlib import Path

import pytest

from fairshot.cli import main
from fairshot.resolve import find_module, names
from fairshot.runtime.result import read_result
from fairshot.sources.source import Source
from fairshot.studies.study import Study, run_study

RESULTS = Path(__file__).parent.parent.parent / "results"
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


@pytest.mark.parametrize("study_name", names("studies"))
def test_the_committed_result_of_a_study_is_complete(study_name: str) -> None:
    study: Study = find_module("studies", study_name).STUDY
    result = read_result(RESULTS / f"{study_name}.json")
    assert result.preset == "paper"
    assert result.commit
    assert "dirty" not in result.commit
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    for row in result.rows:
        assert row.published == getattr(study, "published", {}).get((row.learner, row.task))


def test_the_committed_lake_runs_are_the_ones_above() -> None:
    row = read_result(RESULTS / "lake_runs.json").rows[0]
    assert [round(100 * score) for score in row.scores] == HAUSDORFF


def test_published_numbers_stand_in_a_column_of_their_own(omniglot: Source, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "lake_runs", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "published" in out
    assert "38.8" in out
    assert "This is not the published setting: limited to 1 episodes." in out
