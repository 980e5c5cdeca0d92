import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays, load

Y = np.array([4, 2, 4, 9])
X = np.arange(12, dtype=np.float64).reshape(4, 3)


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


def test_features_become_float32_by_class() -> None:
    source = from_arrays(X, Y)
    assert source.name == "array"
    assert not source.has_images
    assert source.store.dtype == np.float32
    assert (source.store == X).all()
    assert source.class_names == ("2", "4", "9")
    assert source.class_ids.tolist() == [1, 0, 1, 2]
    assert source.parents == ("array",) * 3
    assert dict(source.attributes) == {}


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint16, np.int64, bool])
def test_any_numbers_will_do_as_features(dtype: type) -> None:
    source = from_arrays((X > 5).astype(dtype), Y)
    assert source.store.dtype == np.float32
    assert (source.store == (X > 5)).all()


@pytest.mark.parametrize("labels", [np.array(["b", "a", "b", "c"]), np.array([b"b", b"a", b"b", b"c"])])
def test_strings_are_labels(labels: np.ndarray) -> None:
    source = from_arrays(X, labels)
    assert source.class_names == ("a", "b", "c")
    assert source.class_ids.tolist() == [1, 0, 1, 2]


def test_grey_images_get_a_channel() -> None:
    images = np.random.default_rng(0).integers(0, 256, (4, 5, 6), dtype=np.uint8)
    source = from_arrays(images, Y)
    assert source.has_images
    assert source.store.shape == (4, 1, 5, 6)
    assert (source.store[:, 0] == images).all()


@pytest.mark.parametrize("channels", [1, 3])
def test_channels_may_come_first_or_last(channels: int) -> None:
    images = np.random.default_rng(0).integers(0, 256, (4, channels, 5, 6), dtype=np.uint8)
    first, last = from_arrays(images, Y), from_arrays(images.transpose(0, 2, 3, 1), Y)
    assert (first.store == images).all()
    assert (last.store == images).all()
    assert first.fingerprint == last.fingerprint


def test_fractions_become_bytes_by_rounding() -> None:
    images = np.random.default_rng(0).integers(0, 256, (4, 5, 5), dtype=np.uint8)
    for dtype in (np.float32, np.float64):
        assert (from_arrays(images.astype(dtype) / 255, Y).store[:, 0] == images).all()
    assert set(np.unique(from_arrays(images > 100, Y).store)) == {0, 255}


def test_floats_up_to_255_are_pixel_values_and_rounded() -> None:
    images = np.full((4, 2, 2), 254.9)
    assert from_arrays(images, Y).store.max() == 255
    assert (from_arrays(np.full((4, 2, 2), 200, dtype=np.int32), Y).store == 200).all()


@pytest.mark.parametrize(("low", "high"), [(-1, 1), (0, 256), (-0.5, 0.5), (0, 1.25)])
def test_other_pixel_values_are_refused(low: float, high: float) -> None:
    images = np.full((4, 2, 2), low, dtype=np.float64)
    images[0] = high
    assert refusal(lambda: from_arrays(images, Y)) == (
        f"X has pixel values from {low} to {high}: give 0 to 255, or fractions from 0 to 1"
    )


@pytest.mark.parametrize("shape", [(4,), (4, 1, 2, 3, 4)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    assert refusal(lambda: from_arrays(np.zeros(shape), Y)) == (
        f"X has shape {shape}: give embeddings (rows, features) or images (rows, height, width[, channels])"
    )


def test_other_numbers_of_channels_are_refused() -> None:
    assert refusal(lambda: from_arrays(np.zeros((4, 6, 5, 2)), Y)) == (
        "X has shape (4, 6, 5, 2): images need 1, 3 or 4 channels, first or last"
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_refused_with_their_row(value: float) -> None:
    broken = X.copy()
    broken[2, 1] = value
    assert refusal(lambda: from_arrays(broken, Y)) == (
        "X has NaN or infinite values, first in row 2: remove or repair these rows"
    )


def test_text_and_complex_numbers_are_no_features() -> None:
    assert refusal(lambda: from_arrays(X.astype(str), Y)) == "X is of type <U32: give numbers"
    assert refusal(lambda: from_arrays(X.astype(complex), Y)) == "X is of type complex128: give numbers"
    assert refusal(lambda: from_arrays(X.astype(object), Y)) == "X is of type object: give numbers"


@pytest.mark.parametrize("labels", [Y[:3], np.zeros((4, 1), dtype=np.int64), np.zeros(0, dtype=np.int64)])
def test_a_label_per_row_is_needed(labels: np.ndarray) -> None:
    assert refusal(lambda: from_arrays(X, labels)) == (
        f"X has 4 rows and y has shape {labels.shape}: give one label per row"
    )


def test_nothing_is_refused() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert refusal(lambda: from_arrays(np.zeros((0, 3)), empty)) == (
        "X and y are empty: give at least two classes with some images each"
    )


@pytest.mark.parametrize("labels", [Y / 2, np.array([None] * len(Y), dtype=object)])
def test_labels_are_integers_or_strings(labels: np.ndarray) -> None:
    assert refusal(lambda: from_arrays(X, labels)) == (
        f"y is of type {labels.dtype}: give labels as integers or strings"
    )


def test_parents_may_come_one_per_class_in_the_order_of_labels() -> None:
    assert from_arrays(X, Y, parents=np.array(["p2", "p4", "p9"])).parents == ("p2", "p4", "p9")


def test_parents_may_come_one_per_row() -> None:
    assert from_arrays(X, Y, parents=np.array(["p4", "p2", "p4", "p9"])).parents == ("p2", "p4", "p9")


def test_parents_may_be_numbers() -> None:
    assert from_arrays(X, Y, parents=np.array([4, 2, 4, 9])).parents == ("2", "4", "9")


def test_a_class_with_two_parents_is_refused() -> None:
    assert refusal(lambda: from_arrays(X, Y, parents=np.array(["p4", "p2", "other", "p9"]))) == (
        "class '4' has more than one parent: give each class one parent"
    )


def test_another_number_of_parents_is_refused() -> None:
    assert refusal(lambda: from_arrays(X, Y, parents=np.array(["a", "b"]))) == (
        "parents has 2 entries: give one per class (3) or one per row (4)"
    )


def test_groups_become_numbers() -> None:
    assert from_arrays(X, Y, groups=np.array(["v", "u", "v", "w"])).attributes["group"].tolist() == [1, 0, 1, 2]


def test_another_number_of_groups_is_refused() -> None:
    assert refusal(lambda: from_arrays(X, Y, groups=np.array([1, 2]))) == (
        "groups has 2 entries and y 4: give one group per row"
    )


def test_class_names_may_come_one_per_class() -> None:
    assert from_arrays(X, Y, class_names=np.array(["two", "four", "nine"])).class_names == ("two", "four", "nine")


def test_class_names_may_be_a_table_that_labels_point_into() -> None:
    table = np.array([f"name{number}" for number in range(12)])
    assert from_arrays(X, Y, class_names=table).class_names == ("name2", "name4", "name9")


@pytest.mark.parametrize(("labels", "count"), [(Y, 2), (Y, 9), (np.array(["b", "a", "b", "c"]), 5), (Y - 4, 20)])
def test_class_names_that_fit_no_class_are_refused(labels: np.ndarray, count: int) -> None:
    names = np.array([f"name{number}" for number in range(count)])
    assert refusal(lambda: from_arrays(X, labels, class_names=names)) == (
        f"class_names has {count} entries and y 3 classes: give one name per class"
    )


def test_a_file_gives_what_its_arrays_give(tmp_path: Path) -> None:
    tables = {
        "parents": np.array(["p", "q", "p"]),
        "groups": np.array([1, 1, 2, 2]),
        "class_names": np.array(["two", "four", "nine"]),
    }
    np.savez(tmp_path / "mine.npz", X=X, y=Y, unknown=np.zeros(3), **tables)
    source = load(str(tmp_path / "mine.npz"))
    direct = from_arrays(X, Y, **tables)
    assert source.name == "mine"
    assert source.fingerprint == direct.fingerprint
    assert source.class_names == ("two", "four", "nine")
    assert source.attributes["group"].tolist() == [0, 0, 1, 1]


def test_a_compressed_file_and_an_abbreviated_home_are_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    np.savez_compressed(tmp_path / "mine.npz", X=X, y=Y)
    assert len(load("~/mine.npz")) == 4


def test_renaming_a_file_does_not_change_its_fingerprint(tmp_path: Path) -> None:
    for name in ("one", "two"):
        np.savez(tmp_path / f"{name}.npz", X=X, y=Y)
    one, two = (load(str(tmp_path / f"{name}.npz")) for name in ("one", "two"))
    assert one.fingerprint == two.fingerprint


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "no.npz")
    assert refusal(lambda: load(path)) == f"there is no file {path}: give an .npz file with X and y"


@pytest.mark.parametrize(("keys", "text"), [({"X": X}, "X"), ({"y": Y, "Z": X}, "Z, y"), ({}, "no array")])
def test_missing_keys_are_named(tmp_path: Path, keys: dict[str, np.ndarray], text: str) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, **keys)
    assert refusal(lambda: load(str(path))) == f"{path} holds {text}: it needs X and y"


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, X=X, y=np.array(["a", "b", None, "c"], dtype=object))
    assert refusal(lambda: load(str(path))) == (
        f"cannot read {path} as .npz without pickle (Object arrays cannot be loaded when allow_pickle=False): "
        "make arrays plain, as in y.astype(str)"
    )


def test_labels_of_python_objects_are_taken_for_what_they_are() -> None:
    source = from_arrays(np.zeros((4, 1)), np.array(["b", "a", "b", "a"], dtype=object))
    assert source.class_names == ("a", "b")
    with pytest.raises(FairshotError):
        from_arrays(np.zeros((2, 1)), np.array(["b", 1], dtype=object))


def test_a_single_array_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.npy"
    np.save(path, X)
    assert refusal(lambda: load(str(path))) == (
        f"{path} is a single array and there is no y.npy beside it: name the file of labels too, as in "
        f"array:{path},LABELS.npy"
    )


@pytest.mark.parametrize("content", [b"", b"plain text, no arrays", b"PK\x03\x04 cut short"])
def test_a_file_that_is_no_npz_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.npz"
    path.write_bytes(content)
    text = refusal(lambda: load(str(path)))
    assert text.startswith(f"cannot read {path} as .npz")
    assert text.endswith(": save it with numpy.savez")
    assert "pickle" not in text, "nobody is advised to open what may run code"
    assert "\n" not in text


def test_a_file_that_breaks_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, X=X, y=Y)
    path.write_bytes(path.read_bytes()[:-100])
    assert refusal(lambda: load(str(path))) == (
        f"cannot read {path} as .npz (File is not a zip file): save it with numpy.savez"
    )


def test_attributes_are_numbers_as_they_are_and_words_in_their_order(tmp_path: Path) -> None:
    given = {
        "writer": np.array(["zoe", "ann", "zoe", "bob"]),
        "heel": np.array([3, 0, 3, 7]),
        "suede": np.array([1, 0, 0, 1]) > 0,
    }
    wanted = {"writer": [2, 0, 2, 1], "heel": [3, 0, 3, 7], "suede": [1, 0, 0, 1]}
    np.savez(tmp_path / "it.npz", X=X, y=Y, **{f"attribute.{name}": values for name, values in given.items()})
    for source in (from_arrays(X, Y, attributes=given), load(str(tmp_path / "it.npz"))):
        assert {name: values.tolist() for name, values in source.attributes.items()} == wanted


@pytest.mark.parametrize(
    ("values", "shape"), [(np.zeros(4), "float64 and shape (4,)"), (np.arange(3), "int64 and shape (3,)")]
)
def test_an_attribute_needs_a_number_or_word_per_row(values: np.ndarray, shape: str) -> None:
    assert refusal(lambda: from_arrays(X, Y, attributes={"heel": values})) == (
        f"attribute heel is of type {shape}: give a whole number or a word for each of the 4 rows"
    )


def test_class_names_do_not_rename_labels_that_are_names() -> None:
    labels = np.array(["b", "a", "b", "c"])
    for table in (["c", "b", "a"], ["d", "c", "b", "a"]):
        assert from_arrays(X, labels, class_names=np.array(table)).class_names == ("a", "b", "c")
    renamed = from_arrays(X, labels, class_names=np.array(["one", "two", "three"]))
    assert renamed.class_names == ("one", "two", "three")
    assert refusal(lambda: from_arrays(X, labels, class_names=np.array("abc"))) == (
        "class_names has shape (): give one name per class"
    )


@pytest.mark.parametrize(("low", "high"), [(0, 1 + 1e-6), (-1e-9, 1), (-5e-4, 1 + 5e-4)])
def test_fractions_may_leave_their_range_by_rounding(low: float, high: float) -> None:
    images = np.full((4, 2, 2), low)
    images[0] = high
    assert from_arrays(images, Y).store[:, 0, 0, 0].tolist() == [255, 0, 0, 0]


@pytest.mark.parametrize("last", [True, False])
def test_transparent_places_are_paper(last: bool) -> None:
    images = np.zeros((4, 4, 5, 6), dtype=np.uint8)
    images[:, 3, 1:3] = 255
    images[2:, :3] = 255  # white ink, which would vanish on white
    found = from_arrays(images.transpose(0, 2, 3, 1) if last else images, Y)
    black, white = np.full((3, 5, 6), 255), np.zeros((3, 5, 6))
    black[:, 1:3], white[:, 1:3] = 0, 255
    assert (found.store == np.stack([black, black, white, white])).all()
    assert (from_arrays(images / 255, Y).store == found.store).all()


def test_three_channels_go_before_four() -> None:
    images = np.random.default_rng(0).integers(0, 256, (4, 4, 5, 3), dtype=np.uint8)
    assert (from_arrays(images, Y).store == images.transpose(0, 3, 1, 2)).all()


@pytest.mark.parametrize("shape", [(4, 0, 0), (4, 5, 0), (4, 0, 5, 3)])
def test_images_without_a_pixel_are_refused(shape: tuple[int, ...]) -> None:
    assert refusal(lambda: from_arrays(np.zeros(shape), Y)) == (
        f"X has shape {shape}, without a pixel: give images of 1 x 1 pixels or more"
    )


def test_a_single_number_has_no_rows() -> None:
    assert refusal(lambda: from_arrays(np.array(np.nan), Y)) == (
        "X has 0 rows and y has shape (4,): give one label per row"
    )


def test_bytes_that_are_no_text_are_refused() -> None:
    assert refusal(lambda: from_arrays(X, np.array([b"a", b"\xff\xfe", b"a", b"c"]))) == (
        "the bytes b'\\xff\\xfe' are no text in UTF-8: give labels and names as text"
    )


def test_what_is_no_array_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X", "hi")
    assert refusal(lambda: load(str(path))) == f"{path} holds no array: it needs X and y"


def _damaged(path: Path, fault: str) -> None:
    """A compressed file with one fault in the member X."""
    np.savez_compressed(path, X=np.random.default_rng(0).normal(size=(50, 50)), y=Y)
    content = bytearray(path.read_bytes())
    for mark, flags, method in ((b"PK\x03\x04", 6, 8), (b"PK\x01\x02", 8, 10)):
        start = content.index(mark)
        if fault == "locked":
            content[start + flags] |= 1
        if fault == "unknown":
            content[start + method] = 77
    if fault == "bytes":
        content[100:140] = bytes(255 - byte for byte in content[100:140])
    path.write_bytes(content)


@pytest.mark.parametrize("fault", ["locked", "unknown", "bytes", "huge"])
def test_damaged_locked_and_lying_files_are_refused(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "mine.npz"
    if fault == "huge":
        header = io.BytesIO()
        about = {"descr": "<f8", "fortran_order": False, "shape": (10**15,)}
        np.lib.format.write_array_header_1_0(header, about)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("X.npy", header.getvalue())
    else:
        _damaged(path, fault)
    text = refusal(lambda: load(str(path)))
    assert text.startswith(f"cannot read {path} as .npz (")
    assert text.endswith("): save it with numpy.savez")


@pytest.mark.parametrize("path", ["a" * 300 + ".npz", "~nobody-of-this-name/a.npz"])
def test_a_name_that_no_file_can_have_is_refused(path: str) -> None:
    assert refusal(lambda: load(path)) == f"there is no file {path}: give an .npz file with X and y"


def test_a_class_of_images_under_two_names_is_noted() -> None:
    images = np.random.default_rng(0).integers(0, 256, (12, 4, 4), dtype=np.uint8)
    images[8:] = images[:4][::-1]
    labels = np.repeat(["crow", "tit", "raven"], 4)
    assert from_arrays(images, labels).notes == (
        "the classes 'crow' and 'raven' hold the same images: they are one class under 2 names",
    )
    assert from_arrays(images[:8], labels[:8]).notes == ()
