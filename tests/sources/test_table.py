"""Tables of pictures: Parquet files, and data sets of Hugging Face's library in hand."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from PIL import Image

import fairshot as fs
from fairshot.runtime.errors import FairshotError
from fairshot.sources.table import load

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
NAMES = ["ant", "bee", "cat"]


def picture(number: int, shape: tuple[int, int] = (6, 5)) -> bytes:
    pixels = np.random.default_rng(number).integers(0, 256, (*shape, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def rows(count: int = 12) -> list[dict[str, Any]]:
    return [{"bytes": picture(number), "path": None} for number in range(count)]


def write(path: Path, named: bool = True, **columns: Any) -> Path:
    kind = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    arrays = {name: pyarrow.array(values, type=kind if name == "image" else None) for name, values in columns.items()}
    table = pyarrow.table(arrays)
    if named:
        about = {"info": {"features": {"label": {"names": NAMES, "_type": "ClassLabel"}}}}
        table = table.replace_schema_metadata({b"huggingface": json.dumps(about).encode()})
    parquet.write_table(table, path)
    return path


def test_pictures_labels_and_names_are_read(tmp_path: Path) -> None:
    source = load(str(write(tmp_path / "pets.parquet", image=rows(), label=[0, 1, 2] * 4)))
    assert source.class_names == ("ant", "bee", "cat")
    assert source.store.shape == (12, 3, 6, 5)
    with Image.open(io.BytesIO(picture(7))) as image:
        np.testing.assert_array_equal(source.store[7], np.asarray(image).transpose(2, 0, 1))
    np.testing.assert_array_equal(source.class_ids, [0, 1, 2] * 4)


def test_a_folder_of_files_is_one_table(tmp_path: Path) -> None:
    for part in (0, 1):
        write(tmp_path / f"part-{part}.parquet", image=rows()[6 * part : 6 * part + 6], label=[0, 1, 2] * 2)
    whole = write(tmp_path.parent / f"{tmp_path.name}.parquet", image=rows(), label=[0, 1, 2] * 4)
    np.testing.assert_array_equal(load(str(tmp_path)).store, load(str(whole)).store)


def test_columns_of_other_names_plain_bytes_and_groups(tmp_path: Path) -> None:
    table = pyarrow.table(
        {"photo": [picture(n) for n in range(6)], "species": list("aabbcc"), "film": ["x", "y"] * 3, "id": range(6)}
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    source = load(f"{tmp_path / 't.parquet'}:image=photo,label=species,groups=film")
    assert source.class_names == ("a", "b", "c")
    np.testing.assert_array_equal(source.attributes["group"], [0, 1] * 3)
    with pytest.raises(FairshotError, match="has the columns photo, species, film, id and none that is called image"):
        load(str(tmp_path / "t.parquet"))
    with pytest.raises(FairshotError, match="unknown column 'foto'"):
        load(f"{tmp_path / 't.parquet'}:image=foto,label=species")


def test_bad_rows_are_named_or_left_out(tmp_path: Path) -> None:
    pictures = rows()
    pictures[4] = {"bytes": b"no image", "path": None}
    path = write(tmp_path / "t.parquet", image=pictures, label=[0, 1, 2] * 4)
    with pytest.raises(FairshotError, match=r"cannot read row 4 of t\.parquet as an image.* with skip_bad"):
        fs.data(f"table:{path}")
    source = fs.data(f"table:{path}", skip_bad=True)
    assert len(source) == 11
    assert "row 4 (no image)" in source.notes[0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"image": rows(3), "label": [0, 1, 7]}, "row 2 of t.parquet has the label 7: give every row a class"),
        ({"image": rows(3), "label": [0, None, 1]}, "row 1 of t.parquet has the label None"),
        ({"image": [{"bytes": None, "path": "x.png"}] * 2, "label": [0, 1]}, "cannot be read: row 0 .no image., row 1"),
    ],
)
def test_what_is_wrong_with_a_row_is_said(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(FairshotError, match=message):
        load(str(write(tmp_path / "t.parquet", **columns)))


def test_what_is_no_table_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1 no table")
    with pytest.raises(FairshotError, match=r"cannot read .* as Parquet"):
        load(str(tmp_path / "t.parquet"))
    with pytest.raises(FairshotError, match=r"there is no .*nothing with pictures"):
        load(str(tmp_path / "nothing"))


class Rows:
    """As much of a data set of Hugging Face's library as is used."""

    column_names = ("image", "label")
    features: ClassVar = {"image": None, "label": SimpleNamespace(names=NAMES)}
    _fingerprint = "abc123"

    def cast_column(self, name: str, kind: Any) -> "Rows":
        assert (name, kind.decode) == ("image", False)
        return self

    def __len__(self) -> int:
        return 12

    def __getitem__(self, key: Any) -> Any:
        return [0, 1, 2] * 4 if key == "label" else {"image": rows()[key]}


def test_a_data_set_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(Image=lambda decode: SimpleNamespace(decode=decode)))
    evaluation = fs.evaluate(Rows(), "ridge", way=2, query=1, episodes=10)
    assert evaluation.result.source.classes == 3
    assert evaluation.result.source.images == 12
