"""Files as other tools write them today, and what differs from what they wrote before."""

import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import fairshot as fs
from fairshot.leaderboards.files import read_leaderboard

COPIES = Path(__file__).parent / "copies"
RIGHT = {"mockllm/one": {"1", "2", "q/3", "4", "6"}, "mockllm/two": {"1", "4"}}


def scores(path: Path, **columns: str) -> dict[str, dict[str, list[float]]]:
    """By method and item the scores of all runs."""
    return {
        entry.method: dict(zip(board.items, entry.scores.T.tolist(), strict=True))
        for board in read_leaderboard([path], columns).boards
        for entry in board.entries
    }


def test_inspect_writes_archives_that_are_compressed_with_zstandard() -> None:
    pytest.importorskip("pyarrow", reason="zipfile reads Zstandard from Python 3.14 on")
    found = scores(COPIES / "inspect", scorer="match", group="metadata.topic")
    for method, right in RIGHT.items():
        assert {item for item, both in found[method].items() if both == [1, 1]} == right
        assert len(found[method]) == 6
    pair = fs.compare(COPIES / "inspect", columns={"scorer": "parts.tone"})["mockllm/one", "mockllm/two"]
    assert (pair.task, pair.units["items"]) == ("arith", 6)
    assert set(scores(COPIES / "inspect", scorer="flaky")["mockllm/one"]) == {"1", "q/3", "4", "5", "6"}, "NaN is none"


def test_an_archive_says_what_it_needs_and_whether_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    whole = sorted((COPIES / "inspect").iterdir())[0]
    damaged, content = tmp_path / "damaged.eval", bytearray(whole.read_bytes())
    with zipfile.ZipFile(whole) as archive:
        content[archive.getinfo("header.json").header_offset + 60] ^= 255
    damaged.write_bytes(content)
    with pytest.raises(
        fs.FairshotError, match=r"cannot read .*damaged.eval as a log of Inspect .*: give a log that is"
    ):
        fs.compare(damaged)
    if sys.version_info < (3, 14):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(
            fs.FairshotError, match=r"needs pyarrow, which is not installed: pip install 'fairshot\[ins"
        ):
            fs.compare(whole)


def test_the_harness_names_the_model_in_the_results_beside(tmp_path: Path) -> None:
    compared = fs.compare(COPIES / "lm_eval", columns={"group": "doc.topic", "metric": "acc"})
    pair = compared["org/one", "org/two"]
    assert (pair.task, pair.units["groups"]) == ("sums", 3)
    assert pair.value == pytest.approx(-2 / 6), "as the harness counts: 2 and 4 of 6"
    for file in (COPIES / "lm_eval").rglob("*.json*"):  # as --output_path FILE.json writes: all in one folder
        shutil.copy(file, tmp_path / file.name.replace("results_", "mine_"))
    assert fs.compare(tmp_path, columns={"metric": "acc"})["org/one", "org/two"].value == pair.value


def test_mteb_keeps_settings_of_its_own_beside_results(tmp_path: Path) -> None:
    tasks = {"MockClassificationTask": [0.5], "MockMultilingualClassificationTask": [0.5]}
    assert scores(COPIES / "mteb") == {"org/one": tasks, "org/two": tasks}
    plain = tmp_path / "results"
    shutil.copytree(COPIES / "mteb", plain)
    revision = plain / "org__one" / "0123abc"
    shutil.copytree(revision, tmp_path / "other")
    shutil.move(tmp_path / "other", revision / "experiments" / "quantized_true")
    methods = {"org/one", "org/two", "org/one (quantized_true)"}
    assert scores(plain).keys() == methods
    for meta in plain.rglob("model_meta.json"):
        meta.unlink()
    assert scores(plain).keys() == methods


def test_files_of_mteb_without_a_main_score(tmp_path: Path) -> None:
    """As version 1.0 wrote retrieval and similarity."""
    for task, given in {"A": {"ndcg_at_10": 0.5}, "B": {"ndcg_at_10": 0.7, "cos_sim": {"spearman": 0.3}}}.items():
        document = {"mteb_dataset_name": task, "mteb_version": "1.0.2", "test": {**given, "evaluation_time": 1.5}}
        (tmp_path / f"{task}.json").write_text(json.dumps(document))
    with pytest.raises(fs.FairshotError, match=r"has no main_score of a split: .* or choose a score, metric=NAME"):
        read_leaderboard([tmp_path])
    assert list(scores(tmp_path, metric="ndcg_at_10").values()) == [{"A": [0.5], "B": [0.7]}]
    assert list(scores(tmp_path / "B.json", metric="cos_sim.spearman").values()) == [{"B": [0.3]}]
