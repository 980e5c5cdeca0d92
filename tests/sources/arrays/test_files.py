"""The same data in every kind of file is the same Source."""

import csv
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import as_source, from_arrays, load
from fairshot.sources.source import Source

Data = dict[str, Any]
FINITE = st.floats(-1e30, 1e30)


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


@st.composite
def tables(draw: st.DrawFn) -> Data:
    """Features, labels that are words or numbers, and if wanted parents, groups and an attribute."""
    rows, width = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    words = st.text("abcDé, \"'/:=", min_size=1, max_size=4).map(lambda word: f"w{word.strip()}")
    labels = draw(st.sampled_from([words, st.integers(-3, 12)]))
    y = np.array(draw(st.lists(labels, min_size=rows, max_size=rows)))
    X = np.array(draw(st.lists(st.lists(FINITE, min_size=width, max_size=width), min_size=rows, max_size=rows)))
    data: Data = {"X": X.astype(draw(st.sampled_from([np.float32, np.float64]))), "y": y}
    if draw(st.booleans()):
        data["parents"] = np.array([f"p{len(str(label)) % 2}" for label in y])
    if draw(st.booleans()):
        data["groups"] = np.array(draw(st.lists(st.integers(0, 11), min_size=rows, max_size=rows)))
    if draw(st.booleans()):
        data["attribute.writer"] = np.array(draw(st.lists(words, min_size=rows, max_size=rows)))
    return data


def rows_of(data: Data) -> tuple[list[str], list[list[Any]]]:
    others = {"y": "label", "parents": "parent", "groups": "group"}
    columns = {others.get(key, key): values.tolist() for key, values in data.items() if key != "X"}
    columns |= {f"f{number}": data["X"][:, number].tolist() for number in range(data["X"].shape[1])}
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def write_csv(data: Data, path: Path) -> str:
    names, rows = rows_of(data)
    with open(path, "w", newline="") as file:
        csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",").writerows([names, *rows])
    return str(path)


def write_parquet(data: Data, path: Path) -> str:
    names, rows = rows_of(data)
    pd.DataFrame(rows, columns=names).to_parquet(path)
    return str(path)


def write_npy(data: Data, folder: Path) -> str:
    for key, values in data.items():
        np.save(folder / f"{key}.npy", values)
    return ",".join(str(folder / f"{key}.npy") for key in data)


def write_safetensors(data: Data, path: Path) -> str:
    """Tensors are numbers: words go to the metadata, or stand as numbers in their order."""
    tensors, metadata = {"X": np.ascontiguousarray(data["X"])}, dict[str, str]()
    labels, tensors["y"] = np.unique(data["y"], return_inverse=True)
    metadata["class_names"] = json.dumps([str(label) for label in labels])
    if "parents" in data:
        metadata["parents"] = json.dumps(data["parents"].tolist())
    if "groups" in data:
        tensors["groups"] = data["groups"]
    if "attribute.writer" in data:
        tensors["attribute.writer"] = np.unique(data["attribute.writer"], return_inverse=True)[1]
    save_file(tensors, path, metadata)
    return str(path)


def everywhere(data: Data, folder: Path) -> dict[str, Source]:
    """The data through every file and every kind of Python object."""
    np.savez(folder / "a.npz", **data)
    names, rows = rows_of(data)
    writer = {"attributes": {"writer": data["attribute.writer"]}} if "attribute.writer" in data else {}
    others = {key: data[key] for key in ("parents", "groups") if key in data}
    return {
        "npz": load(str(folder / "a.npz")),
        "npy": load(write_npy(data, folder)),
        "csv": load(write_csv(data, folder / "a.csv")),
        "tsv": load(write_csv(data, folder / "a.tsv")),
        "parquet": load(write_parquet(data, folder / "a.parquet")),
        "safetensors": load(write_safetensors(data, folder / "a.safetensors")),
        "mapping": as_source(data),
        "frame": as_source(pd.DataFrame(rows, columns=names)),
        "tensor": as_source(data | {"X": torch.from_numpy(data["X"]).requires_grad_()}),
        "arrays": from_arrays(data["X"].tolist(), data["y"].tolist(), **others, **writer),
    }


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tables())
def test_the_same_data_is_the_same_source_in_every_form(tmp_path: Path, data: Data) -> None:
    sources = everywhere(data, tmp_path)
    assert {kind: source.fingerprint for kind, source in sources.items()} == dict.fromkeys(
        sources, sources["npz"].fingerprint
    )
    assert {source.class_names for source in sources.values()} == {sources["npz"].class_names}


def test_images_are_the_same_in_every_form_that_holds_them(tmp_path: Path) -> None:
    X, y = np.random.default_rng(0).integers(0, 256, (6, 4, 5), dtype=np.uint8), np.repeat([3, 1], 3)
    np.savez(tmp_path / "a.npz", X=X, y=y)
    save_file({"X": X, "y": y}, tmp_path / "a.safetensors")
    np.save(tmp_path / "train_X.npy", X)
    np.save(tmp_path / "train_y.npy", y)
    found = [load(str(tmp_path / name)) for name in ("a.npz", "a.safetensors", "train_X.npy")]
    found += [as_source((torch.from_numpy(X), torch.from_numpy(y)))]
    assert {source.fingerprint for source in found} == {found[0].fingerprint}


def test_half_precision_of_torch_is_read() -> None:
    X = torch.tensor([[0.5, 2.0], [1.0, -3.0]])
    assert as_source((X.bfloat16(), [0, 1])).fingerprint == as_source((X, [0, 1])).fingerprint


def table(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{} is empty: give a line of column names, then a line for each item"),
        ("label,a\n", "{} has column names and nothing below them: give a line for each item"),
        ("label,a\nx,1\ny,2,3\n", "line 3 of {} has 3 values for 2 columns: give every line a value for each column"),
        ("label,a\nx,1\ny\n", "line 3 of {} has 1 values for 2 columns: give every line a value for each column"),
        (
            "label,a\nx,1\ny,two\n",
            "line 3 of {} has 'two' in column 'a', which held numbers before: mend it, or leave the column out with {}:ignore=a",
        ),
        (
            "label,a,b\nx,NA,1\n\ny,3,2\n",
            "line 4 of {} has the number 3 in column 'a', which began with text: mend it, or leave the column out with {}:ignore=a",
        ),
        ("label,a\nx,1\n,2\n", "line 3 of {} has no value in column 'label': fill it in, or remove it"),
        ("label,a\nx,1\ny,\n", "line 3 of {} has no value in column 'a': fill it in, or remove it"),
        ("label,a\nx,1\ny,nan\n", "X has NaN or infinite values, first in row 1: remove or repair these rows"),
        ("label,a\nx,1\ny,1e39\n", "X has NaN or infinite values, first in row 1: remove or repair these rows"),
        ("label\nx\ny\n", "{} has no column of features beside 'label': give a column for each number"),
        (
            "label,a\nx,u\ny,v\n",
            "{} has no column of numbers beside its labels, but 'a': give a column for each feature",
        ),
        (
            "species,a\nx,1\n",
            "{} has no column label, class or y, but 'species', 'a': say which one is the label, as in {}:label=COLUMN",
        ),
        (
            "class,y,a\nx,1,1\n",
            "{} has the columns class and y: say which one is the label, as in {}:label=class",
        ),
        ("label,a,a\nx,1,1\n", "{} has two columns 'a': give each column a name of its own"),
        ('label,a\n"x,1\n', "cannot read {} as CSV (unexpected end of data): save it as a plain table"),
        (
            "label,parent,a\nx,p,1\nx,q,2\n",
            "class 'x' has more than one parent: give each class one parent",
        ),
    ],
)
def test_a_bad_table_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = table(tmp_path / "a.csv", text)
    assert refusal(lambda: load(path)) == message.format(*[path] * message.count("{}"))


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", "id,species,genus,f1,f2,label\n1,crow,C,3,4,u\n2,tit,P,5,6,v\n")
    source = load(f"{path}:label=species,parent=genus,features=f*")
    assert source.class_names == ("crow", "tit")
    assert source.parents == ("C", "P")
    assert source.store.tolist() == [[3, 4], [5, 6]]
    assert source.notes == ()
    ignored = load(f"{path}:label=species,parent=genus,ignore=id+label")
    assert ignored.fingerprint == source.fingerprint


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("lable=a", "unknown setting of a table 'lable': did you mean 'label'?"),
        ("label=", "the setting 'label=' of a table names no column: write label=COLUMN"),
        ("label=speces", "unknown column of {} 'speces': did you mean 'species'?"),
        ("label=species,ignore=zz*", "unknown column of {} 'zz*': there are: a, note, species"),
        (
            "label=species,features=note",
            "column 'note' of {} holds no numbers: name columns of numbers as features",
        ),
    ],
)
def test_columns_that_are_not_there_are_refused(tmp_path: Path, settings: str, message: str) -> None:
    path = table(tmp_path / "a.csv", "species,a,note\nx,1,seen\ny,2,heard\n")
    assert refusal(lambda: load(f"{path}:{settings}")) == message.format(path)


def test_columns_of_text_are_left_out_with_a_note(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", "file,label,a,wet\n1.png,x,1,True\n2.png,y,2,False\n")
    source = load(path)
    assert source.store.tolist() == [[1, 1], [2, 0]]
    assert source.notes == (f"'file' of {path} holds no numbers and was left out",)
    frame = pd.read_csv(path)
    frame.to_parquet(tmp_path / "a.parquet")
    assert load(str(tmp_path / "a.parquet")).fingerprint == source.fingerprint
    assert as_source(frame).notes == ("'file' of the data frame holds no numbers and was left out",)


def test_a_column_that_numbers_the_rows_is_noted(tmp_path: Path) -> None:
    rows = "".join(f"{100 + (7 * n) % 20},{n * n % 11},k{n // 10}\n" for n in range(20))
    path = table(tmp_path / "t.csv", "id,a,label\n" + rows)
    expected = f"'id' of {path} numbers the rows, and was taken as a feature: drop the column, or say ignore=id"
    assert load(path).notes == (expected,)
    assert load(f"{path}:ignore=id").notes == ()
    assert load(f"{path}:features=id+a").notes == (), "it was asked for"
    frame = pd.read_csv(path)
    assert as_source(frame).notes == (expected.replace(path, "the data frame"),)


def test_numbers_with_leading_noughts_are_names(tmp_path: Path) -> None:
    assert load(table(tmp_path / "a.csv", "label,a\n007,1\n7,1\n")).class_names == ("007", "7")
    assert load(table(tmp_path / "a.csv", "label,a\n10,1\n9,1\n")).class_names == ("9", "10")


def test_lists_of_numbers_are_many_features(tmp_path: Path) -> None:
    X, y = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32), list("aabbc")
    frame = pd.DataFrame({"label": y, "embedding": list(X)})
    frame.to_parquet(tmp_path / "a.parquet")
    for source in (as_source(frame), load(str(tmp_path / "a.parquet"))):
        assert source.fingerprint == from_arrays(X, np.array(y)).fingerprint
    frame.loc[3, "embedding"] = None
    frame.at[3, "embedding"] = X[0, :2]
    assert refusal(lambda: as_source(frame)) == (
        "column 'embedding' of the data frame has 2 numbers in row 3 and 3 in row 0: give the same number in every row"
    )


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            {"label": ["x", None], "a": [1, 2]},
            "row 1 of the data frame has no value in column 'label': fill it in, or remove the row",
        ),
        ({"label": ["x", 1], "a": [1, 2]}, "y is of type object: give labels as integers or strings"),
        ({"label": [0.5, 1], "a": [1, 2]}, "y is of type float64: give labels as integers or strings"),
        (
            {"label": ["x", "y"], "a": [1, None]},
            "X has NaN or infinite values, first in row 1: remove or repair these rows",
        ),
        (
            {"label": ["x", "y"], "a": [1, "two"]},
            "column 'a' of the data frame has 1 in row 0 and 'two' in row 1: give numbers in all rows, or leave the column out",
        ),
        ({"label": [], "a": []}, "the data frame has columns and no row: give a row for each item"),
        (
            {"kind": ["x"], "a": [1]},
            "the data frame has no column label, class or y, but 'kind', 'a': call the labels label, and nothing else by these names",
        ),
    ],
)
def test_a_bad_frame_is_refused_in_one_line(frame: Data, message: str) -> None:
    assert refusal(lambda: as_source(pd.DataFrame(frame))) == message


def test_the_label_of_a_frame_may_be_named() -> None:
    frame = pd.DataFrame({"kind": ["x", "y"], "a": [1, 2]})
    assert as_source(frame, label="kind").class_names == ("x", "y")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            [1, 2, 3],
            "cannot read a list of 3 as data: give (X, y), a mapping with X and y, a data frame with a column label, or a Source",
        ),
        (
            np.zeros((3, 2)),
            "cannot read an array as data: give (X, y), a mapping with X and y, a data frame with a column label, or a Source",
        ),
        ({"X": np.zeros((2, 2))}, "the mapping holds X: it needs X and y"),
        ({"X": 1, "y": 2, "parent": 3}, "unknown array 'parent': did you mean 'parents'?"),
        (([[1.0], [2.0]], [0]), "X has 2 rows and y has shape (1,): give one label per row"),
    ],
)
def test_what_is_no_data_is_refused(data: object, message: str) -> None:
    assert refusal(lambda: as_source(data)) == message


def test_a_source_stays_as_it_is() -> None:
    source = from_arrays(np.zeros((2, 1)), [0, 1])
    assert as_source(source) is source


def test_another_ending_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path / "a.xlsx", "")
    assert refusal(lambda: load(path)) == (
        f"cannot read {path} by its ending .xlsx: give a file that ends in .npz, .npy, .csv, .tsv, .parquet, .pq, "
        ".safetensors"
    )


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("a.csv", "a table with a row for each item and a column label"),
        ("a.parquet", "a table with a row for each item and a column label"),
        ("a.safetensors", "a safetensors file with X and y"),
        ("a.npy,b.npy", "an .npy file that numpy.save wrote"),
    ],
)
def test_a_missing_file_is_refused(tmp_path: Path, name: str, wanted: str) -> None:
    path = tmp_path / name.partition(",")[0]
    assert refusal(lambda: load(str(tmp_path / name))) == f"there is no file {path}: give {wanted}"


def test_files_that_lie_about_their_ending_are_refused(tmp_path: Path) -> None:
    for ending, start in (
        ("parquet", "cannot read {} as Parquet ("),
        ("safetensors", "cannot read {} as safetensors ("),
    ):
        path = table(tmp_path / f"a.{ending}", "no such thing")
        assert refusal(lambda path=path: load(path)).startswith(start.format(path))
    (tmp_path / "a.csv").write_bytes(b"label,a\n\xff\xfe,1\n")
    path = str(tmp_path / "a.csv")
    assert refusal(lambda: load(path)) == f"{path} is no text in UTF-8: save it as CSV in UTF-8"


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "X.npy", np.zeros((2, 1)))
    np.save(tmp_path / "y.npy", np.array(["a", None], dtype=object))
    assert refusal(lambda: load(str(tmp_path / "X.npy"))) == (
        f"cannot read {tmp_path / 'y.npy'} as .npy without pickle (Array can't be memory-mapped: Python objects in "
        "dtype.): make the array plain, as in y.astype(str)"
    )


def test_words_in_the_metadata_of_tensors_are_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    save_file({"X": np.zeros((2, 1), np.float32), "y": np.arange(2)}, path, {"class_names": "a, b"})
    assert refusal(lambda: load(str(path))) == (
        f"class_names in the metadata of {path} is no list of words in JSON: write json.dumps(words)"
    )
    save_file({"X": np.zeros((2, 1), np.float32)}, path)
    assert refusal(lambda: load(str(path))) == f"{path} holds X: it needs X and y"


def test_parquet_without_a_reader_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_parquet({"X": np.zeros((2, 1)), "y": np.arange(2)}, tmp_path / "a.parquet")

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("fairshot.sources.arrays.frames.importlib.import_module", missing)
    assert refusal(lambda: load(path)) == (
        f"reading {path} needs pyarrow, which is not installed: pip install 'fairshot[parquet]', or save the table as "
        "CSV"
    )


def test_values_too_large_for_32_bits_are_refused() -> None:
    assert refusal(lambda: from_arrays(np.array([[1.0], [1e39]]), [0, 1])) == (
        "X has values too large for 32 bits, first in row 1: scale the features down"
    )


def test_a_large_table_is_read_with_little_memory_beside_its_features(tmp_path: Path) -> None:
    rows, width = 20_000, 50
    line = ",".join(["0.125"] * width)
    path = table(
        tmp_path / "a.csv",
        "\n".join(["label," + ",".join(f"f{n}" for n in range(width))] + [f"{n % 10},{line}" for n in range(rows)]),
    )
    tracemalloc.start()
    source = load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    room = 120 * (1 << 16)  # a chunk of cells as text and as numbers
    assert source.store.nbytes == 4 * rows * width
    assert peak < 1.5 * source.store.nbytes + room
