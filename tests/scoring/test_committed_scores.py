"""What is committed about critics and generators: by the critics that come with the package, and as the pages say."""

import json
from typing import Any

import pytest

from fairshot.learners.training.record import shipped_weights
from fairshot.results.schema import Result, read_result
from fairshot.scoring.critics import open_critics
from fairshot.scoring.published_critics import is_released
from fairshot.scoring.published_plane import POSITIONS
from fairshot.scoring.sample_scores import SampleScores
from fairshot.specs.registry import find_module
from fairshot.studies.kinds.overfitting_curve import Overfitting
from tests.paths import RESULTS

pytestmark = pytest.mark.results


@pytest.fixture(scope="module")
def fingerprints() -> set[str]:
    shipped = {name: path for name, path in shipped_weights().items() if "critic" in name}
    found = {name: open_critics(name, {name: path}).about[name]["fingerprint"] for name, path in shipped.items()}
    assert len(set(found.values())) == len(found)
    return set(found.values())


@pytest.mark.parametrize("name", ["score_omniglot", "score_glyphs", "fid_bias", "critic_controls"])
def test_results_are_by_critics_that_come_with_the_package(name: str, fingerprints: set[str]) -> None:
    critics: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text())["critics"]
    assert {critic["fingerprint"] for critic in critics.values()} <= fingerprints


def scored(name: str) -> SampleScores:
    return SampleScores.model_validate_json((RESULTS / f"{name}.json").read_text())


def value(found: SampleScores, samples: str, metric: str) -> float:
    row = found.row(samples, metric)
    assert row is not None
    return row.number


def test_yardsticks_score_what_they_must() -> None:
    for found in (scored("score_omniglot"), scored("score_glyphs")):
        assert value(found, "copy", "diversity") == 0
        assert value(found, "copy", "recognizability") == 1
        assert value(found, "noise", "recognizability") == pytest.approx(1 / 20, abs=0.01)
    assert value(scored("score_omniglot"), "human", "recognizability") >= 0.95


def test_people_stand_where_the_paper_has_them_by_the_authors_critics() -> None:
    found = scored("score_published")
    assert is_released({kind: about["fingerprint"] for kind, about in found.critics.items()})
    assert value(found, "human", "diversity") == pytest.approx(1.286, abs=0.001)
    assert value(found, "human", "recognizability") == pytest.approx(0.978, abs=0.003)
    assert [round(pair.spearman, 2) for pair in found.agreement] == [0.85, 0.71, 0.73, 0.63]
    assert {model.name: (model.diversity, model.recognizability) for model in found.published} == POSITIONS


@pytest.mark.parametrize("metric", ["distance", "class_distance", "frechet"])
def test_on_glyphs_the_true_process_is_nearest_to_the_drawers(metric: str) -> None:
    found = scored("score_glyphs")
    far = {name: value(found, name, metric) for name in found.sets if name != "human"}
    assert min(far, key=lambda name: far[name]) == "fresh"


def test_the_standard_classifier_overfits_and_the_others_do_not() -> None:
    study: Overfitting = find_module("studies", "overfitting_control").STUDY
    tables = read_result(RESULTS / "overfitting_control.json").study_tables
    rises = next(table for table in tables if table.title == "rises")
    told = dict(zip(rises.column("learner"), rises.column("test loss"), strict=True))
    assert told == study.published


def found_in(result: Result, one: str, other: str, metric: str) -> float:
    return next(row.number for row in result.rows if (row.learner, row.task, row.metric) == (one, other, metric))


def test_both_critics_and_both_equations_agree_about_as_well_as_published() -> None:
    result = read_result(RESULTS / "critic_controls.json")
    rows = [row for row in result.rows if row.metric == "spearman" and row.published is not None and "Eq." in row.task]
    assert len(rows) == 6
    assert all(row.number == pytest.approx(row.published, abs=0.2) for row in rows)
    assert found_in(result, "prototypes", "exemplars by Eq. 1", "recognizability") >= 0.95


def test_few_samples_change_fid_and_not_recognizability() -> None:
    rows = read_result(RESULTS / "fid_bias.json").rows
    people = {(row.task, row.metric): row.number for row in rows if row.learner == "human"}
    few, many = (f"{number} samples a class" for number in (2, 10))
    assert people[few, "frechet"] > 2 * people[many, "frechet"]
    assert people[few, "recognizability"] == pytest.approx(people[many, "recognizability"], rel=0.01)
    assert people[few, "corrected"] == pytest.approx(people[many, "corrected"], rel=0.02)
