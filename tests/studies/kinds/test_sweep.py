"""A sweep on a small world, from its courses to its tables."""

from pathlib import Path

import pytest

from fairshot.results.schema import read_result
from fairshot.results.study_rows import SampleResult
from fairshot.runtime.errors import FairshotError
from fairshot.specs.registry import find_module
from fairshot.studies.kinds.sweep import Sweep
from fairshot.studies.study import Choice, run, run_study
from tests.studies.kinds.small_generators import BETAS, CHANGES


def test_the_result_has_a_row_for_every_cell_and_can_be_read_again(
    study: Sweep, result: SampleResult, folder: Path
) -> None:
    kept = read_result(folder / "run" / "study.json")
    assert isinstance(kept, SampleResult)
    assert {(row.learner, row.task) for row in kept.rows} == study.cells
    assert kept.study_tables == study.tables(kept) == result.study_tables
    assert kept.points == result.points
    assert (result.preset, result.limited) == (f"quick with {CHANGES}", False)


def test_every_seed_has_a_path_and_a_curve(result: SampleResult) -> None:
    (critic,) = {point.critic for point in result.points}
    for seed in (0, 1):
        points = [point for point in result.select(critic, "vae_stn") if point.seed == seed]
        assert [point.position for point in points] == list(BETAS)
    assert [(fit.curve, fit.seed, len(fit.positions)) for fit in result.fits] == [("vae_stn", 0, 3), ("vae_stn", 1, 3)]
    assert len(result.classes.line_length) == len(result.classes.names)


def test_what_was_trained_and_scored_is_found_again(study: Sweep, result: SampleResult, folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("scores/**/*.json")}
    notes: list[str] = []
    again = run_study(study, out=folder / "run", note=notes.append)
    assert isinstance(again, SampleResult)
    assert notes == []
    assert before
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("scores/**/*.json")} == before
    assert again.points == result.points


def test_a_part_of_the_courses_can_be_run(study: Sweep, result: SampleResult, folder: Path) -> None:
    notes: list[str] = []
    chosen = run(study, out=folder / "part", choice=Choice(only=("beta2.0",)), note=notes.append).result
    assert notes[0] == "2 of 2 courses to be trained"
    assert len(notes) == 3
    assert list(chosen.training) == [name for name in result.training if "beta2.0" in name]
    assert chosen.preset == "limited to courses with beta2.0"
    assert [row.verdict for row in chosen.rows if row.kind == "claim"] == ["cannot be told"]


def test_a_setting_can_be_given_to_all_generators() -> None:
    study = find_module("studies", "context_sweep").STUDY.choose(Choice(settings="decouple=False"))
    assert all("-decoupleFalse-" in name for name in study.trainings.courses)
    with pytest.raises(FairshotError, match=r"^there is nothing to choose in '.*': leave out --only and --critic$"):
        find_module("studies", "lake_runs").STUDY.choose(Choice(only=("a",), critic="b"))
