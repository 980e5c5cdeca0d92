"""Committed results about clustering without labels: what was published, what was found, and what may be claimed."""

from dataclasses import replace
from pathlib import Path

import pytest

from fairshot.evaluation.consistency import Pair
from fairshot.reports.evaluations import evaluation_tables
from fairshot.results.schema import Result, Row, read_result
from fairshot.studies.kinds.consistency_table import Consistency
from fairshot.studies.kinds.contrast_table import Contrasts
from fairshot.studies.kinds.timing_table import Costs
from fairshot.studies.kinds.trained_table import Course, TrainedTable
from fairshot.studies.study import run_study
from fairshot.tables.render import to_text
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.whole_parent import WholeParent
from tests.paths import RESULTS

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
    # Both accuracies are so near 1 that at 5 ways how their ratio varies with classes drowns in the episodes.
    assert (ratio.intervals["classes"] is None) == (task == "5-way")


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


WORLD = "glyphs:alphabets=6,characters=8/random/novel"
TASK = Uniform(way=3, shot=3, query=2)


def test_contrasts_are_paired_and_of_the_learners_in_the_table(tmp_path: Path) -> None:
    study = Contrasts(
        "clusters",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("kmeans", "sinkhorn", "prototypes"),
        tasks=(TASK,),
        episodes=40,
        contrasts=(("sinkhorn", "kmeans"), ("kmeans", "prototypes")),
    )
    result = run_study(study, out=tmp_path)
    rows = {(each.learner, each.metric): each for each in result.rows}
    assert {(each.learner, each.task) for each in result.rows} == study.cells
    assert ("prototypes", "clustering") not in rows  # a classifier has no clusters
    for metric in ("clustering", "accuracy"):
        difference = rows["sinkhorn minus kmeans", f"{metric}, difference"]
        assert difference.number == pytest.approx(rows["sinkhorn", metric].number - rows["kmeans", metric].number)
        ends = difference.intervals["episodes"]
        assert ends is not None
        assert ends[0] < difference.number < ends[1]
    assert ("kmeans minus prototypes", "clustering, difference") not in rows
    assert len(read_result(tmp_path / "study.json").rows) == len(result.rows)
    with pytest.raises(ValueError, match="nobody"):
        replace(study, contrasts=(("kmeans", "nobody"),))


def test_ratios_accuracies_and_clusterings_stand_in_one_table() -> None:
    study = Consistency(
        "ratios",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("kmeans", "prototypes"),
        tasks=(TASK,),
        episodes=40,
        pairs=(Pair("kmeans", "prototypes"),),
        clustering=("kmeans",),
    )
    rows = {(each.learner, each.metric): each.number for each in run_study(study).rows}
    assert set(rows) == {(n, "accuracy") for n in study.learners} | {("kmeans", "cscc"), ("kmeans", "clustering")}
    assert rows["kmeans", "cscc"] == pytest.approx(rows["kmeans", "accuracy"] / rows["prototypes", "accuracy"])


def test_costs_are_told_for_every_learner(capsys: pytest.CaptureFixture[str]) -> None:
    task = WholeParent(shot=5, query=0)
    study = Costs(
        "costs",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("kmeans", "sinkhorn"),
        tasks=(task,),
        episodes=4,
        metric="clustering",
    )
    result = run_study(study)
    assert all(each.seconds is not None and each.seconds >= 0 for each in result.rows)
    print(to_text(evaluation_tables(result)))
    assert "Seconds an episode: kmeans 0." in capsys.readouterr().out


def test_a_limit_never_makes_a_training_longer(tmp_path: Path) -> None:
    study = TrainedTable(
        "short",
        "nobody",
        what=WORLD,
        recipe="28",
        learners=("it",),
        tasks=(TASK,),
        episodes=40,
        name="short",
        split="glyphs:alphabets=6,characters=8/random",
        courses={"it": Course("prototypes", changes="steps=2,way=3,shot=1,query=1,in_turn=False,val_way=3")},
    )
    assert run_study(study, limit=10, out=tmp_path).training["it"]["steps"] == 2
