import json
from pathlib import Path

import pytest

import fairshot
from fairshot.results.schema import Result, Row, SourceName, read_result, write_result
from fairshot.runtime.errors import FairshotError


def make_row() -> Row:
    return Row(
        learner="prototypes",
        settings={"metric": "cosine", "steps": 3},
        task="uniform",
        part="novel",
        metric="accuracy",
        episodes=1000,
        episodes_key="k",
        value=0.1 + 0.2,
        intervals={"episodes": (0.25, 1 / 3), "classes": None},
        published=0.5,
        scores=[0.0, 1.0],
        notes=["one class gives no interval"],
    )


def make_result() -> Result:
    return Result(
        command=["evaluate", "glyphs", "--way", "5"],
        seed=3,
        source=SourceName(name="glyphs", fingerprint="f" * 32, recipe="raw"),
        episodes_key="k",
        rows=[make_row()],
    )


def test_a_result_comes_back_as_it_went(tmp_path: Path) -> None:
    write_result(make_result(), tmp_path / "run" / "result.json")
    assert read_result(tmp_path / "run" / "result.json") == make_result()


def test_the_keys_that_were_promised_are_there() -> None:
    found = json.loads(make_result().json_text())
    assert {"schema", "fairshot", "command", "seed", "source", "episodes_key", "rows"} <= found.keys()
    assert {"commit", "preset", "seconds"} <= found.keys()
    assert {"name", "fingerprint"} <= found["source"].keys()
    promised = {"learner", "task", "part", "metric", "episodes", "value", "intervals", "published", "notes"}
    assert promised <= found["rows"][0].keys()


def test_the_values_are_plain_json() -> None:
    found = json.loads(make_result().json_text())
    assert found["schema"] == 2
    assert found["fairshot"] == fairshot.__version__
    assert found["rows"][0]["value"] == 0.1 + 0.2
    assert found["rows"][0]["intervals"] == {"episodes": [0.25, 1 / 3], "classes": None}
    assert found["rows"][0]["published"] == 0.5


def test_what_was_not_published_is_null() -> None:
    row = make_row().model_copy(update={"published": None})
    assert json.loads(row.model_dump_json())["published"] is None


def test_fields_of_later_versions_are_kept() -> None:
    row = Row(**make_row().model_dump(), later=1)
    assert Row.model_validate_json(row.model_dump_json()).model_dump()["later"] == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"no JSON", b"{}", b'{"schema": 1}', b"\xff\xfe", b"[1, 2]"],
    ids=["empty", "text", "no keys", "few keys", "not utf-8", "a list"],
)
def test_an_unreadable_file_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(FairshotError) as caught:
        read_result(path)
    assert str(caught.value) == f"{path} is not a readable result of fairshot: remove it or choose another folder"


def test_a_folder_is_not_a_result(tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        read_result(tmp_path)
    assert str(caught.value) == f"{tmp_path} is not a readable result of fairshot: remove it or choose another folder"


def test_a_missing_result_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        read_result(tmp_path / "run" / "result.json")
    assert str(caught.value) == (
        f"there is no result {tmp_path / 'run' / 'result.json'}: "
        f"make one with 'fairshot evaluate ... --out {tmp_path / 'run'}'"
    )


def test_a_failed_writing_leaves_the_old_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    write_result(make_result(), path)

    def fail(self: Result) -> str:
        raise MemoryError

    monkeypatch.setattr(Result, "json_text", fail)
    with pytest.raises(MemoryError):
        write_result(make_result(), path)
    assert read_result(path).seed == 3
    assert [file.name for file in tmp_path.iterdir()] == ["result.json"]
