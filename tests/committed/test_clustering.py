"""Committed results about clustering without labels: what was published, what was found, and what may be claimed."""

import pytest

from fairshot.results.schema import Result, Row, read_result
from tests.paths import RESULTS

pytestmark = pytest.mark.results
FEATURES = "kmeans@prototypes@omniglot-vinyals"


def committed(name: str) -> Result:
    return read_result(RESULTS / f"{name}.json")


def row(result: Result, learner: str, metric: str, task: str = "") -> Row:
    return next(
        row for row in result.rows if (row.learner, row.metric) == (learner, metric) and row.task.startswith(task)
    )


@pytest.mark.parametrize(("task", "least"), [("5-way", 0.993), ("20-way", 0.987)])
def test_centroid_networks_cluster_omniglot_as_well_as_published(task: str, least: float) -> None:
    result = committed("centroid_table2")
    assert row(result, "centroid", "clustering", task).number >= least
    raw = row(result, "kmeans", "clustering", task)
    assert raw.number == pytest.approx(raw.published, abs=0.03)
    assert row(result, FEATURES, "clustering", task).number > raw.number


@pytest.mark.parametrize(("task", "least"), [("5-way", 0.988), ("20-way", 0.975)])
def test_labels_are_worth_little_on_omniglot(task: str, least: float) -> None:
    result = committed("centroid_table3")
    assert row(result, "centroid", "accuracy", task).number >= least
    ratio = row(result, "centroid", "cscc", task)
    assert ratio.number >= 0.985
    assert ratio.intervals["quadrature"] is not None
    assert ratio.intervals["classes"] is not None


def test_whole_alphabets_are_clustered_nearly_as_well_as_published() -> None:
    result = committed("centroid_ccn")
    assert {each.episodes for each in result.rows} == {20}
    assert row(result, "centroid@conv4", "clustering").number >= 0.84
    assert row(result, "centroid@ccn", "clustering").number >= 0.84
    assert all(each.seconds is not None for each in result.rows)
    # A network that is trained for each alphabet is better than nothing learned, and costs many times as much.
    trained = [each for each in result.rows if each.learner.startswith("constrained")]
    assert {each.published for each in trained} == {0.824, 0.833}
    for each in trained:
        assert each.number > row(result, "kmeans", "clustering").number
        assert each.seconds > 20 * row(result, "centroid@conv4", "clustering").seconds


@pytest.mark.parametrize("study", ["centroid_cifar_fs", "centroid_mini"])
def test_labels_are_worth_more_on_photographs(study: str) -> None:
    photographs = row(committed(study), "centroid", "cscc").intervals["classes"]
    omniglot = row(committed("centroid_table3"), "centroid", "cscc", "20-way").intervals["classes"]
    assert photographs is not None
    assert omniglot is not None
    assert photographs[1] < omniglot[0]


@pytest.mark.parametrize("study", ["centroid_ablation", "centroid_ablation_photos"])
def test_what_an_ablation_claims_lies_outside_the_intervals_over_classes(study: str) -> None:
    differences = [each for each in committed(study).rows if each.metric.endswith("difference")]
    assert {each.metric for each in differences} == {"clustering, difference", "accuracy, difference"}
    for each in differences:
        if "kmeans" in each.learner.split(" minus ")[1] and not each.learner.startswith("kmeans"):
            ends = each.intervals["classes"]  # Sinkhorn K-means is the largest effect
            assert ends is not None
            assert ends[0] > 0


def test_labels_are_worth_more_when_their_meaning_switches() -> None:
    result = committed("semantics")
    alone = row(result, "centroid@character", "cscc", "character")
    switched = row(result, "centroid@switched", "cscc", "switched")
    assert alone.intervals["classes"] is not None
    assert switched.intervals["classes"] is not None
    assert switched.intervals["classes"][1] < alone.intervals["classes"][0]
