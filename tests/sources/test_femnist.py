"""FEMNIST in LEAF's form: characters, writers, what is too little, and writers apart."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.sources.femnist import NAMES, enough
from fairshot.sources.source import Source
from fairshot.specs.data import find_source, find_split
from fairshot.specs.tasks import find_task
from fairshot.splits.femnist import load

# Writers and how many images of which labels they have: the last two have too little.
WRITERS = {
    **{f"f{number:04d}_{number % 50:02d}": {0: 3, 10: 2, 36 + number % 20: 4, 61: 1} for number in range(20, 0, -1)},
    "f9998_00": {5: 4, 6: 1},
    "f9999_00": {7: 1, 8: 1},
}


def user(writer: str) -> dict[str, list]:
    """Images as LEAF writes them: white is 1; the first pixel tells the label, the second the place."""
    labels = [label for label, count in WRITERS[writer].items() for _ in range(count)]
    pixels = [[label / 255, place / 255, *[1.0] * 782] for place, label in enumerate(labels)]
    return {"x": pixels, "y": labels}


def write(folder: Path, writers: list[str], number: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    data = {writer: user(writer) for writer in writers}
    table = {"users": writers, "num_samples": [len(one["y"]) for one in data.values()], "user_data": data}
    (folder / f"all_data_{number}.json").write_text(json.dumps(table))


@pytest.fixture(params=["femnist", "femnist/data/all_data", "femnist/all_data"])
def files(request: pytest.FixtureRequest, data_folder: Path) -> Path:
    """Three files in one of the places where they may lie."""
    for number, writers in enumerate(np.array_split(list(WRITERS), 3)):
        write(data_folder / request.param, writers.tolist(), number)
    return data_folder / request.param


def test_characters_and_writers_are_what_leaf_says(files: Path) -> None:
    source = find_source("femnist")
    assert source.class_names == tuple("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == NAMES
    assert (source.name, source.store.shape, source.store.dtype) == ("femnist", (20 * 9, 1, 28, 28), np.uint8)
    np.testing.assert_array_equal(source.store[:, 0, 0, 0], source.class_ids)
    assert (source.store[:, 0, 0, 2:] == 255).all()
    writers = source.attributes["writer"]
    assert np.unique(writers).tolist() == list(range(20))
    assert np.bincount(writers).tolist() == [9] * 20
    for place, writer in enumerate(sorted(WRITERS)[:20]):
        kept = sorted(label for label, count in WRITERS[writer].items() if count > 1 for _ in range(count))
        assert sorted(source.class_ids[writers == place].tolist()) == kept


def test_writers_are_apart_at_random_or_in_the_order_of_their_ids(files: Path) -> None:
    parts = {name: split_writers(find_split("femnist", name)) for name in ("sorted", "random", "random-0", "random-7")}
    assert parts["sorted"] == [list(range(14)), [14, 15, 16], [17, 18, 19]]
    assert parts["random"] == parts["random-0"] != parts["random-7"]
    for found in parts.values():
        assert [len(part) for part in found] == [14, 3, 3]
        assert sorted(writer for part in found for writer in part) == list(range(20))
    assert find_split("femnist", "random-7").novel.name == "femnist/random-7/novel"
    with pytest.raises(FairshotError, match=r"^unknown split of femnist 'sorted-7': did you mean 'sorted'\?$"):
        find_split("femnist", "sorted-7")


def split_writers(split) -> list[list[int]]:
    return [np.unique(part.attributes["writer"]).tolist() for part in (split.base, split.val, split.novel)]


def test_a_writer_is_a_task(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    novel = find_split("femnist", "random").novel
    task = find_task("per-attribute:attribute=writer/way=0", {"way": 5, "shot": 1, "query": 0})
    drawn = task.sample(novel, range(20), 0)
    assert drawn.class_ids.shape == (20, 3)
    assert (drawn.query_ids >= 0).sum(axis=1).tolist() == [6] * 20
    command = "evaluate femnist/sorted/novel --task per-attribute:attribute=writer/way=0/query=0 --shot 1 --episodes 20 --json"
    assert main(command.split()) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["task"] == "per-writer all-way 1-shot all-query"


def writers_only(count: int) -> Source:
    return Source.create(
        "femnist",
        np.zeros((count, 1), dtype=np.float32),
        np.zeros(count, dtype=np.int64),
        class_names=("0",),
        attributes={"writer": np.arange(count)},
    )


@pytest.mark.parametrize("name", ["random", "random-3", "sorted"])
def test_the_published_number_of_writers_gives_the_published_parts(name: str) -> None:
    assert [len(part) for part in split_writers(load(name, writers_only(3585)))] == [2509, 538, 538]


@given(st.integers(4, 200), st.integers(0, 99))
def test_every_part_has_writers(count: int, seed: int) -> None:
    for name in (f"random-{seed}", "sorted"):
        assert all(split_writers(load(name, writers_only(count))))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=40))
def test_too_little_is_left_out_as_published(pairs: list[tuple[int, int]]) -> None:
    kept: dict[int, set[int]] = {}
    for writer, label in pairs:
        if pairs.count((writer, label)) >= 2:
            kept.setdefault(writer, set()).add(label)
    wanted = [label in kept.get(writer, ()) and len(kept[writer]) >= 2 for writer, label in pairs]
    writers, classes = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    assert enough(writers, classes).tolist() == wanted


def test_what_is_missing_or_damaged_is_said(data_folder: Path) -> None:
    home = data_folder / "femnist"

    def refusal() -> str:
        with pytest.raises(FairshotError) as caught:
            find_source("femnist")
        return str(caught.value)

    assert refusal() == (
        f"femnist is not here: no JSON files in {home}; put those of LEAF's data/femnist/data/all_data there, or let "
        "FAIRSHOT_DATA list the folder that holds femnist/"
    )
    write(home, ["f9999_00"], 0)
    assert refusal() == (f"{home} holds 2 images and no writer with 2 of 2 classes each: put all of LEAF's files there")
    file = home / "all_data_0.json"
    advice = "make it anew with LEAF's preprocess.sh"
    for text, reason in (
        ("{", "JSONDecodeError: Expecting property name"),
        ('{"users": []}', "KeyError: 'user_data'"),
        ('{"user_data": {"f1": {"x": [[0.5]], "y": [62]}}}', "ValueError: f1 has labels from 62 to 62"),
        ('{"user_data": {"f1": {"x": [[0.5]], "y": [1, 2]}}}', "ValueError: f1 has 1 images and 2 labels"),
        ('{"user_data": {"f1": {"x": [[255]], "y": [1]}}}', "ValueError: f1 has values from 255.0 to 255.0"),
        ('{"user_data": {"f1": {"x": [[0.5]], "y": [1]}}}', "ValueError: cannot reshape"),
    ):
        file.write_text(text)
        said = refusal()
        assert said.startswith(f"{file} is not as LEAF writes it ({reason}"), said
        assert said.endswith(advice)
    with pytest.raises(FairshotError, match=r"^femnist has 3 writers: a split into base, val and novel needs 4$"):
        load("random", writers_only(3))
