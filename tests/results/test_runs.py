"""Runs below a folder are filtered, and an index spares reading what has not changed."""

import json
from pathlib import Path

import pytest

import fairshot as fs
from fairshot.results import runs
from fairshot.runtime.errors import FairshotError
from tests.conftest import make_vectors


@pytest.fixture(scope="module")
def evaluation() -> object:
    return fs.evaluate(make_vectors(classes=6, images=6), ["prototypes", "ridge"], way=3, query=2, episodes=20)


def make_runs(folder: Path, evaluation: object) -> None:
    for name in ("a", "b"):
        evaluation.save(folder / name)  # type: ignore[attr-defined]
    (folder / "c").mkdir()
    (folder / "c" / "training.json").write_text('{"record": {"learner": "siamese", "source": "glyphs"}}')


def test_runs_are_filtered(tmp_path: Path, evaluation: object) -> None:
    make_runs(tmp_path, evaluation)

    def found(**chosen: str) -> list[str]:
        return [run.path.name for run in fs.runs(tmp_path, **chosen)]

    assert found() == ["a", "b", "c"]
    assert found(kind="training") == found(data="gly") == found(learner="siam") == ["c"]
    assert found(learner="ridge") == ["a", "b"]
    assert found(learner="ridge", data="glyphs") == []
    with pytest.raises(FairshotError, match=r"^unknown kind of run 'trainings': "):
        fs.runs(tmp_path, kind="trainings")


def test_an_index_gives_the_same_and_reads_only_what_has_changed(
    tmp_path: Path, evaluation: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_runs(tmp_path, evaluation)
    first = list(fs.runs(tmp_path, index=True))
    assert first == list(fs.runs(tmp_path))
    read: list[Path] = []
    reader = runs.READERS["result.json"]
    monkeypatch.setitem(runs.READERS, "result.json", lambda file: read.append(file) or reader(file))
    assert list(fs.runs(tmp_path, index=True)) == first
    assert read == []
    (tmp_path / "b" / "result.json").write_text("{}")
    assert [run.kind for run in fs.runs(tmp_path, index=True)] == ["evaluation", "not readable", "training"]
    assert read == [tmp_path / "b" / "result.json"]
    (tmp_path / "c" / "weights.safetensors").write_bytes(b"")
    assert [run.about for run in fs.runs(tmp_path, index=True)][2] == "siamese"


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"version": 1, "runs": 3}', "[" * 9999, '{"version": 1, "runs": {"a/result.json": {"stamp": 1}}}'],
)
def test_an_index_that_is_none_is_made_anew(content: str, tmp_path: Path, evaluation: object) -> None:
    make_runs(tmp_path, evaluation)
    (tmp_path / "index.json").write_text(content)
    assert len(fs.runs(tmp_path, index=True)) == 3
    assert len(json.loads((tmp_path / "index.json").read_text())["runs"]) == 3
