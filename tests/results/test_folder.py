"""Results in a folder: any number of writers lose nothing, what is damaged is said, nothing is read from elsewhere."""

import csv
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import Folder
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from tests.conftest import make_vectors


@pytest.fixture(scope="module")
def part() -> Source:
    return make_vectors(classes=6, images=8, features=4)


@pytest.fixture(scope="module")
def evaluations(part: Source) -> list[Evaluation]:
    """What eight commands found: four learners, with 20 and with 30 episodes."""
    learners = ("prototypes", "neighbours", "neighbours:k=3", "ridge")
    return [evaluate(part, name, way=3, query=2, episodes=count) for name in learners for count in (20, 30)]


def counts_of(path: Path) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """How many episodes each learner has by result.json, by episodes.csv and by its scores."""
    folder = Folder(path)
    by_json = {row.learner: row.episodes for row in folder.result.rows}
    with open(path / "episodes.csv", newline="") as file:
        by_csv = dict(Counter(line["learner"] for line in csv.DictReader(file)))
    by_scores = {row.learner: len(folder.scores(row.scores_key or "")) for row in folder.result.rows}
    return by_json, by_csv, by_scores


def test_writers_at_the_same_time_lose_nothing(tmp_path: Path, evaluations: list[Evaluation]) -> None:
    start = Barrier(len(evaluations))

    def save(evaluation: Evaluation) -> None:
        start.wait()
        evaluation.save(tmp_path)

    with ThreadPoolExecutor(len(evaluations)) as pool:
        list(pool.map(save, evaluations))
    by_json, by_csv, by_scores = counts_of(tmp_path)
    assert by_json == by_csv
    assert by_scores == {learner: 30 for evaluation in evaluations for learner in evaluation.learners}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["episodes", "episodes.csv", "result.json", "scores"]


def test_of_two_seeds_at_the_same_time_one_is_refused(tmp_path: Path, part: Source) -> None:
    """Both saw an empty folder when they began."""
    first, second = (evaluate(part, way=3, query=2, episodes=5, seed=seed) for seed in (0, 1))
    Folder(tmp_path).keep(first.result, first.records)
    with pytest.raises(FairshotError, match=r"seed 0\), not of vectors \(raw, seed 1\): choose another folder"):
        Folder(tmp_path).keep(second.result, second.records)
