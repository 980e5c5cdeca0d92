"""Evaluations that go on until an interval is narrow enough."""

import threading
from pathlib import Path

import numpy as np
import pytest

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.foreign.functions import Function
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform


def test_episodes_go_on_until_the_interval_is_narrow_enough(vectors: Source, tmp_path: Path) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "neighbours")}
    tasks = [Uniform(way=5, shot=1, query=5)]
    result = evaluate(vectors, learners, tasks, episodes=20_000, until=0.01, out=tmp_path)
    counts = {row.episodes for row in result.rows}
    assert len(counts) == 1
    assert 128 < counts.pop() < 20_000
    for row in result.rows:
        low, high = row.intervals["episodes"]
        assert 0.007 < (high - low) / 2 <= 0.01
        assert row.sequential
        plain = evaluate(vectors, learners, tasks, episodes=row.episodes).rows[0]
        assert plain.value == pytest.approx(result.rows[0].value)
    assert "was reached after" in result.notes[-1]
    again = evaluate(vectors, learners, tasks, episodes=20_000, until=0.01, out=tmp_path)
    assert [row.value for row in again.rows] == [row.value for row in result.rows]


def test_a_half_width_that_is_not_reached_is_said(vectors: Source) -> None:
    result = evaluate(
        vectors, {"p": find_learner("prototypes")}, [Uniform(way=5, shot=1, query=5)], episodes=200, until=0.001
    )
    assert result.rows[0].episodes == 200
    assert result.notes[-1] == (
        "5-way 1-shot 5-query: a half-width of 0.1 points of the usual interval, corrected for looking again and again, "
        "was not reached with 200 episodes"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"until": 0.0}, "a half-width of 0 points makes no sense: ask for one between 0 and 100, such as 0.5"),
        ({"until": -0.01}, "a half-width of -1 points makes no sense: ask for one between 0 and 100, such as 0.5"),
    ],
)
def test_nonsense_is_refused(vectors: Source, options: dict, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"p": find_learner("prototypes")}, [Uniform()], episodes=300, **options)
    assert str(caught.value) == message


def test_a_learner_that_cannot_be_named_keeps_scores_that_its_own_result_finds(vectors: Source, tmp_path: Path) -> None:
    lock = threading.Lock()

    def method(support_x: np.ndarray, support_y: np.ndarray, query_x: np.ndarray) -> np.ndarray:
        with lock:
            return support_y[np.linalg.norm(query_x[:, None] - support_x, axis=2).argmin(1)]

    learner = Function(method, name="locked")
    result = evaluate(
        vectors,
        {"locked": learner},
        [Uniform(way=3, query=2)],
        episodes=300,
        until=0.03,
        out=tmp_path,
        backend="serial",
    )
    kept = [path.stem for path in (tmp_path / "scores").glob("*.npz")]
    assert kept == [result.rows[0].scores_key]
