"""Training runs summed up as one method."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.encoded import Encoded
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.statistics.intervals.runs import over_runs
from fairshot.tasks.uniform import Uniform


def test_one_run_is_refused(vectors: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"p": find_learner("prototypes")}, [Uniform()], episodes=300, runs="mine")
    assert str(caught.value) == "one run tells nothing about others: give the learners of at least two runs"


def test_training_runs_are_summed_up_and_compared_as_one_method(vectors: Source, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    projections = [rng.normal(size=(16, 4)).astype(np.float32) for _ in range(4)]
    heads = {f"run {i}": Encoded(find_learner("prototypes"), lambda x, w=w: x @ w) for i, w in enumerate(projections)}
    tasks = [Uniform(way=5, shot=1, query=5)]
    result = evaluate(vectors, heads, tasks, episodes=300, runs="projected", out=tmp_path)
    assert [row.learner for row in result.rows] == [*heads, "projected"]
    mean = result.rows[-1]
    assert mean.value == pytest.approx(np.mean([row.value for row in result.rows[:-1]]))
    width = {name: high - low for name, (low, high) in mean.intervals.items()}
    assert width["runs and classes"] > width["classes"] > width["episodes"]
    evaluate(vectors, {"whole": find_learner("prototypes")}, tasks, episodes=300, out=tmp_path)
    comparisons = compare([tmp_path])
    assert [(c.first, c.second) for c in comparisons] == [("projected", "whole")]
    runs = comparisons[0].differences["runs"].estimate
    assert (runs.interval, runs.reason) == (None, "one run tells nothing about others")
    other = tmp_path / "other"
    renamed = {f"other {name}": head for name, head in heads.items()}
    evaluate(vectors, renamed, tasks, episodes=300, runs="again", out=other)
    pair = next(c for c in compare([tmp_path, other]) if {c.first, c.second} == {"projected", "again"})
    assert pair.value == pytest.approx(0)
    assert pair.differences["runs"].p_value == pytest.approx(1)
    assert pair.units["runs"] == 4


@pytest.mark.parametrize(("runs", "least"), [(2, 4.0), (3, 1.9)])
def test_few_runs_have_few_degrees_of_freedom(runs: int, least: float) -> None:
    scores = np.random.default_rng(0).normal(0.5, 0.001, (runs, 400)) + np.linspace(0, 0.1, runs)[:, None]
    low, high = over_runs(scores).estimate(difference=True).interval
    deviation = scores.mean(1).std(ddof=1) / np.sqrt(runs)
    assert (high - low) / 2 > least * deviation


def test_what_all_answer_alike_gets_no_interval_for_others() -> None:
    labels = np.repeat(np.arange(8), 10)
    source = from_arrays(np.eye(8)[labels] * 100, labels)
    row = evaluate(source, {"p": find_learner("prototypes")}, [Uniform(way=5, query=5)], episodes=50).rows[0]
    assert row.value == 1
    assert row.intervals["classes"] is None
    assert "classes: all episodes score the same: nothing varies" in row.notes


def test_one_episode_of_several_runs_is_reported_without_intervals(vectors: Source) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "neighbours")}
    row = evaluate(vectors, learners, [Uniform(way=3, query=2)], episodes=1, runs="both").rows[-1]
    assert row.intervals["runs"] is None
    assert "runs: one episode gives no interval" in row.notes


def test_the_mean_of_runs_needs_a_name_of_its_own(vectors: Source) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "neighbours")}
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, learners, [Uniform()], runs="prototypes")
    assert str(caught.value) == "'prototypes' is one of the learners: give their mean another name with runs"
