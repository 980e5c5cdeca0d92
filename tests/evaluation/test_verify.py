"""A result is verified from its answers, wherever they lie; what was changed by anybody is named."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import Folder
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.scores import Scores
from tests.conftest import make_vectors

PART = make_vectors(classes=8, images=12, features=4, spread=1.5, parents=8)


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return fs.evaluate(PART, ["prototypes", "neighbours"], way=3, query=3, episodes=300)


def outcomes(result: object, data: object = None) -> dict[str, bool]:
    return {check.name: check.holds for check in fs.verify(result, data)}


def test_a_result_holds_in_memory_in_a_folder_and_in_a_passport(evaluation: Evaluation, tmp_path: Path) -> None:
    folder, passport = evaluation.save(tmp_path / "a"), evaluation.passport(tmp_path / "a.zip")
    for result in (evaluation, folder, passport):
        assert outcomes(result, PART) == dict.fromkeys(("episodes", "answers", "values", "intervals", "data"), True)
    again = Evaluation.load(folder).passport(tmp_path / "b.zip")
    assert again.read_bytes() == passport.read_bytes()
    assert not fs.verify(folder, make_vectors(classes=8, images=12, features=4, seed=1))
    with pytest.raises(FairshotError, match=r"is not named like a passport: let it end in \.zip$"):
        evaluation.passport(tmp_path / "a.tar")


def test_errors_hold_too() -> None:
    assert fs.verify(fs.evaluate(PART, way=3, query=3, episodes=300, metric="error"))


def test_numbers_that_do_not_follow_from_the_answers_are_named(evaluation: Evaluation, tmp_path: Path) -> None:
    folder = evaluation.save(tmp_path)
    document = json.loads((folder / "result.json").read_text())
    del document["checksum"]
    document["rows"][0]["value"] += 0.01
    document["rows"][1]["intervals"]["classes"][1] += 0.01
    (folder / "result.json").write_text(json.dumps(document))
    assert outcomes(folder) == {"episodes": True, "answers": True, "values": False, "intervals": False}
    assert main(["verify", str(folder)]) == 1


def test_answers_that_were_changed_are_named(evaluation: Evaluation, tmp_path: Path) -> None:
    folder = Folder(evaluation.save(tmp_path))
    key = evaluation.rows[0].scores_key or ""
    scores = folder.scores(key)
    Scores(scores.values, ~scores.correct, scores.asked).save(folder.scores_path(key))
    found = outcomes(tmp_path)
    assert found["answers"]
    assert not found["values"]


def test_episodes_that_show_what_they_ask_are_named(evaluation: Evaluation, tmp_path: Path) -> None:
    folder = evaluation.save(tmp_path)
    (file,) = folder.glob("episodes/*")
    with np.load(file) as saved:
        tables = dict(saved)
    tables["query_ids"] = np.repeat(tables["support_ids"], 3, axis=1)
    tables["query_labels"] = np.repeat(tables["support_labels"], 3, axis=1)
    np.savez(file, **tables)
    (check,) = [check for check in fs.verify(folder) if check.name == "episodes"]
    assert not check.holds
    assert check.seen.endswith("an image is asked that was shown")


def test_a_passport_holds_nothing_else(evaluation: Evaluation, tmp_path: Path) -> None:
    passport = evaluation.passport(tmp_path / "a.zip")
    with zipfile.ZipFile(passport, "a") as archive:
        archive.writestr("scores/evil.py", b"1")
    with pytest.raises(FairshotError, match=r"holds scores/evil.py, which no passport has: do not use it$"):
        fs.verify(passport)
    with pytest.raises(FairshotError, match=r"^there is no result nothing: give a folder"):
        fs.verify("nothing")


def test_runs_are_listed_with_what_they_are_of(
    evaluation: Evaluation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluation.save(tmp_path / "runs" / "a")
    for name, content in (("b", '{"record": {"learner": "siamese", "source": "glyphs"}}'), ("c", "[]")):
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "training.json").write_text(content)
    found = fs.runs(tmp_path / "runs")
    assert [(run.path.name, run.kind, run.data, run.about) for run in found][:2] == [
        ("a", "evaluation", "vectors", "prototypes, neighbours on 1 task"),
        ("b", "training", "glyphs", "siamese, not finished"),
    ]
    assert [run.kind for run in found][2:] == ["not readable"]
    assert main(["ls", "runs", str(tmp_path / "runs")]) == 0
    assert capsys.readouterr().out.startswith("3 runs below")
    with pytest.raises(FairshotError, match=r"^there is no folder nowhere: give one that commands wrote to with out$"):
        fs.runs("nowhere")
