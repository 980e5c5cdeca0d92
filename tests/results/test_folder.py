"""Results in a folder: any number of writers lose nothing, what is damaged is said, nothing is read from elsewhere."""

import csv
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import Folder
from fairshot.results.schema import Row
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from tests.conftest import make_vectors


@pytest.fixture(scope="module")
def part() -> Source:
    return make_vectors(classes=6, images=8, features=4)


@pytest.fixture(scope="module")
def evaluations(part: Source) -> list[Evaluation]:
    """What eight commands found: four learners, with 20 and with 30 episodes."""
    learners = ("prototypes", "neighbours", "neighbours:k=3", "chance")
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


def kept_files(path: Path) -> list[Path]:
    return [path / "result.json", *path.glob("scores/*"), *path.glob("episodes/*")]


def loaded(path: Path) -> tuple[list[Row], list[bytes]]:
    """Everything that a command would read in a folder."""
    evaluation = Evaluation.load(path)
    row = evaluation.rows[0]
    tables = [table for scores in evaluation.scores(row) for table in (scores.values, scores.correct, scores.asked)]
    layout, episodes = evaluation.records.episodes(row.episodes_key, row.episodes)
    return evaluation.rows, [table.tobytes() for table in (*tables, *episodes.tables, layout.counts)]


def test_no_damage_of_a_kept_file_goes_unnoticed(tmp_path: Path, evaluations: list[Evaluation]) -> None:
    """At many places a bit is flipped, bytes are zeroed, or the end is missing: the same is read, or it is said."""
    evaluations[0].save(tmp_path)
    before, said = loaded(tmp_path), 0
    for file in kept_files(tmp_path):
        whole = file.read_bytes()
        for place in range(0, len(whole), len(whole) // 60):
            flipped = bytes([whole[place] ^ 4])
            for content in (whole[:place] + flipped + whole[place + 1 :], whole[:place]):
                file.write_bytes(content)
                try:
                    assert loaded(tmp_path) == before
                except FairshotError as error:
                    said += str(error).startswith(f"{file}")
        file.write_bytes(whole)
    assert said > 200


def test_the_same_command_goes_on_where_episodes_are_damaged(tmp_path: Path, evaluations: list[Evaluation]) -> None:
    evaluations[0].save(tmp_path)
    before = loaded(tmp_path)
    for file in (*tmp_path.glob("episodes/*"), tmp_path / "episodes.csv"):
        file.write_bytes(file.read_bytes()[:100] + b"," * 200_000)
    evaluations[0].save(tmp_path)
    assert loaded(tmp_path) == before


@pytest.mark.parametrize("key", ["../../elsewhere", "/etc/passwd", "a/b", "a\0b"])
def test_keys_never_lead_out_of_the_folder(key: str, tmp_path: Path) -> None:
    for read in (Folder(tmp_path).scores, lambda key: Folder(tmp_path).episodes(key, 1)):
        with pytest.raises(FairshotError, match=r"^.*result.json names (scores|episodes) that no command keeps \("):
            read(key)


def test_a_result_that_was_edited_is_not_believed_and_one_without_checksum_is(
    tmp_path: Path, evaluations: list[Evaluation]
) -> None:
    evaluations[0].save(tmp_path)
    file = tmp_path / "result.json"
    document = json.loads(file.read_text())
    document["rows"][0]["value"] = 0.999
    file.write_text(json.dumps(document))
    with pytest.raises(FairshotError) as caught:
        Evaluation.load(tmp_path)
    assert str(caught.value) == (
        f"{file}: its content does not have its checksum: it was damaged, or edited by hand; remove it, and the same "
        "command makes it anew"
    )
    del document["checksum"]
    file.write_text(json.dumps(document))
    assert Evaluation.load(tmp_path).rows[0].value == 0.999
