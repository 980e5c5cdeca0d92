"""Shards of an evaluation: what they give together is what one command gives, byte for byte; others are refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.results.shards import Shards, parse_shard
from fairshot.runtime.errors import FairshotError
from fairshot.studies.study import TableStudy, run_study
from tests.conftest import make_vectors

PART = make_vectors(classes=8, images=12, features=4, spread=1.5)
ASKED: dict[str, Any] = {"way": 3, "shot": [1, 2], "query": 3, "episodes": 150}


def files(folder: Path) -> dict[str, bytes]:
    """Everything but the shards themselves."""
    kept = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept if "shards" not in path.parts}


@pytest.mark.parametrize("task", ["uniform", "meta_dataset:variant=appendix"])
def test_three_shards_give_the_files_of_one_command(task: str, tmp_path: Path) -> None:
    asked = {**ASKED, "tasks": task} if task == "uniform" else {"tasks": task, "episodes": 150}
    whole = fs.evaluate(PART, ["prototypes", "chance"], **asked, out=tmp_path / "whole")
    for number in (2, 1, 3):
        share = fs.evaluate(PART, ["prototypes", "chance"], **asked, out=tmp_path / "parts", shard=f"{number}/3")
        assert {row.value for row in share.rows} == {None}
        assert f"this is shard {number} of 3" in share.notes[-1]
    gathered = fs.evaluate(PART, ["prototypes", "chance"], **asked, out=tmp_path / "parts", shard="gather")
    assert gathered.to_json() == whole.to_json()
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


def test_a_missing_shard_is_named_with_its_command_and_is_all_that_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = str(tmp_path / "out")
    np.savez(tmp_path / "data.npz", X=PART.store[:], y=PART.class_ids)
    command = ["cscc", f"array:{tmp_path / 'data.npz'}", "--learner", "kmeans"]
    command += ["--way", "3", "--query", "3", "--episodes", "130", "--out", out]

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["fairshot", *words])
        return main(words), capsys.readouterr().err

    assert run(*command)[0] == 0
    whole = files(tmp_path / "out")
    for path in tmp_path.joinpath("out").rglob("*"):
        path.unlink() if path.is_file() else None
    assert run(*command, "--shard", "1/2")[0] == 0
    code, error = run("gather", out)
    assert (code, error.count("\n")) == (2, 1)
    assert error.endswith(f"run {' '.join(['fairshot', *command])} --shard 2/2\n")
    assert run(*command, "--shard=2/2")[0] == 0
    assert run("gather", out, "--format", "csv")[0] == 0
    assert files(tmp_path / "out") == whole


def test_a_damaged_chunk_is_missing_and_made_again(tmp_path: Path) -> None:
    asked = {**ASKED, "out": tmp_path, "shard": "1/1"}
    fs.evaluate(PART, **asked)
    chunk, other = sorted((tmp_path / "shards").rglob("*.npz"))[:2]
    before, stamp = chunk.read_bytes(), other.stat().st_mtime_ns
    chunk.write_bytes(before[:200] + bytes([before[200] ^ 1]) + before[201:])
    with pytest.raises(
        FairshotError, match=r"^1 chunk of 6 are missing or damaged in .*: run the same call --shard 1/1"
    ):
        fs.evaluate(PART, **asked | {"shard": "gather"})
    fs.evaluate(PART, **asked)
    assert (chunk.read_bytes(), other.stat().st_mtime_ns) == (before, stamp)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": make_vectors(classes=8, images=12, features=4, spread=2.0)}, "shards of the data .*, this is "),
        ({"seed": 1}, "shards of seed 0, this is 1"),
        ({"episodes": 151}, r"shards that answer prototypes on .* \(150, .*, this asks for .* \(151, "),
        ({"learners": "ridge"}, "shards that answer prototypes on .*, this asks for ridge on "),
        ({"shard": "1/3"}, "shards of 2 in all, this is one of 3"),
        ({"shard": "3/2"}, "shard 3/2 makes no sense: write 1/40"),
        ({"out": None}, "shards meet in a folder"),
        ({"until": 0.1}, "until"),
    ],
)
def test_what_does_not_belong_together_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    asked = {"data": PART, "learners": "prototypes", **ASKED, "out": tmp_path, "shard": "1/2"}
    fs.evaluate(**asked)
    with pytest.raises(FairshotError, match=message):
        fs.evaluate(**asked | changes)


def test_shards_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {**ASKED, "out": tmp_path}
    fs.evaluate(PART, **asked, shard="1/2")
    monkeypatch.setattr("fairshot.__version__", "9.9")
    with pytest.raises(FairshotError, match=r"made by fairshot \d.*, this is 9\.9: give the same command"):
        fs.evaluate(PART, **asked, shard="gather")


def test_a_study_has_shards(tmp_path: Path) -> None:
    study = TableStudy("A table", "", "glyphs:alphabets=2,characters=4", ("prototypes",), (fs.tasks.Uniform(3, 1, 3),))
    for shard in ("2/2", "1/2", "gather"):
        found = run_study(study, limit=200, out=tmp_path / "parts", shard=shard)
    assert found.rows == run_study(study, limit=200, out=tmp_path / "whole").rows
    assert files(tmp_path / "parts").keys() == files(tmp_path / "whole").keys()


def test_a_plan_that_was_damaged_is_said(tmp_path: Path) -> None:
    fs.evaluate(PART, **ASKED, out=tmp_path, shard="1/2")
    plan = tmp_path / "shards" / "plan.json"
    plan.write_text(plan.read_text().replace('"seed": 0', '"seed": 7'))
    with pytest.raises(FairshotError, match=r"plan\.json is damaged: remove it"):
        _ = Shards(tmp_path).plan
    assert parse_shard("40/40") == (40, 40)
