"""What the committed results of studies must show: all that was asked for, beside what was published."""

import pytest

from fairshot.reports.sides import sides
from fairshot.results.schema import read_result
from fairshot.specs.registry import find_module, names
from fairshot.studies.study import Study
from tests.paths import RESULTS
from tests.studies.test_studies import HAUSDORFF

pytestmark = pytest.mark.results
# They take many hours of two cores: docs/diversity.md, docs/critics.md and docs/many_sources.md say that they were not run in full.
NOT_RUN = {
    "beta_sweep",
    "context_sweep",
    "critic_controls_paper",
    "distance_to_human",
    "diversity_recognizability",
    "latent_sweep",
    "meta_dataset_small",
    "overfitting_control_paper",
    "pairing_comparison",
}


def test_a_study_that_was_run_is_not_listed_as_missing() -> None:
    assert {name for name in names("studies") if not (RESULTS / f"{name}.json").exists()} == NOT_RUN


@pytest.mark.parametrize("study_name", [name for name in names("studies") if name not in NOT_RUN])
def test_the_committed_result_of_a_study_is_complete(study_name: str) -> None:
    study: Study = find_module("studies", study_name).STUDY
    result = read_result(RESULTS / f"{study_name}.json")
    assert result.preset == study.preset
    assert not result.limited
    assert result.study_tables == study.tables(result)
    assert result.commit
    assert "dirty" not in result.commit
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    for row in result.rows:
        assert row.published == study.published_for(row.learner, row.task, row.metric)


def test_the_committed_lake_runs_are_those_of_a_fresh_run() -> None:
    row = read_result(RESULTS / "lake_runs.json").rows[0]
    assert [round(100 * score) for score in row.scores] == HAUSDORFF


def test_the_committed_omniglot_eval_is_near_the_published_table() -> None:
    result = read_result(RESULTS / "omniglot_eval.json")
    pairs, others = sides(result)
    assert (len(pairs), others) == (4, [])
    for side in pairs:
        for row in (side.any, side.within):
            assert row.number <= row.published + 0.015
            assert row.intervals["classes"] is not None
        assert side.ratio is not None
        assert side.ratio >= 2
    assert result.training["siamese"]["steps"] == 10_000


def test_the_committed_structure_table_has_intervals_over_classes_and_costs_in_every_row() -> None:
    pairs, others = sides(read_result(RESULTS / "structure.json"))
    assert len(pairs) == len(others) == 11
    for side in pairs:
        assert side.any.intervals["classes"] is not None
        assert side.within.intervals["classes"] is not None
        assert side.ratio is not None
        assert side.ratio > 1.9
