"""Files of arrays by their ending: .npz, a pair of .npy, CSV, Parquet, safetensors. Nothing in them can be code."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.files import expand
from fairshot.runtime.grammar.data import TableSpec, parse_table
from fairshot.runtime.grammar.lists import parse_paths
from fairshot.sources.arrays.columns import column_settings
from fairshot.sources.arrays.csv_table import read_csv
from fairshot.sources.arrays.frames import read_parquet

TABLES = {".csv": read_csv, ".tsv": read_csv, ".parquet": read_parquet, ".pq": read_parquet}
ENDINGS = (".npz", ".npy", *TABLES, ".safetensors")
TEXTS = ("class_names", "parents", "groups", "made_of")
"""What the metadata of a safetensors file may hold as a list in JSON, and what .npy files may be added to X and y."""


@dataclass(frozen=True)
class ArrayFile:
    """The arrays of a file by name, the name of the file, and notes on how it was read."""

    name: str
    arrays: dict[str, np.ndarray]
    notes: tuple[str, ...] = ()


def is_array_file(text: str) -> bool:
    """Whether a word names a file of arrays, with or without settings behind it."""
    return text.lower().endswith(ENDINGS) or parse_table(text, TABLES) is not None


def read_file(text: str, needed: tuple[str, ...] = ("X", "y")) -> ArrayFile:
    """`FILE.npz`, `X.npy`, `X.npy,y.npy`, `FILE.csv:label=COLUMN`, `FILE.parquet`, `FILE.safetensors`."""
    table = (None if os.path.isfile(expand(text)) else parse_table(text, TABLES)) or TableSpec(text)
    path = table.file
    ending = Path(path).suffix.lower()
    if ending in TABLES:
        _refuse_missing(path, "a table with a row for each item and a column label")
        arrays, notes = TABLES[ending](expand(path), column_settings(table.settings), labelled="y" in needed)
        return ArrayFile(Path(path).stem, arrays, tuple(notes))
    if ending == ".npy":
        return _read_npy(parse_paths(path), needed)
    if ending not in ENDINGS:
        raise FairshotError(
            f"cannot read {path} by its ending {ending or '(none)'}: give a file that ends in {', '.join(ENDINGS)}"
        )
    arrays = read_safetensors(path) if ending == ".safetensors" else read_npz(path, needed)
    _refuse_lacking(path, arrays, needed)
    return ArrayFile(Path(path).stem, arrays)


def _refuse_missing(path: str, wanted: str) -> None:
    if not os.path.isfile(expand(path)):
        raise FairshotError(f"there is no file {path}: give {wanted}")


def _refuse_lacking(path: str, arrays: dict[str, np.ndarray], needed: Sequence[str]) -> None:
    if not set(needed) <= arrays.keys():
        raise FairshotError(f"{path} holds {', '.join(sorted(arrays)) or 'no array'}: it needs {' and '.join(needed)}")


def read_npz(path: str, needed: Sequence[str]) -> dict[str, np.ndarray]:
    """Every array in an .npz file by name."""
    _refuse_missing(path, f"an .npz file with {' and '.join(needed)}")
    try:
        with open(expand(path), "rb") as opened:
            saved = np.load(opened, allow_pickle=False)
            single = isinstance(saved, np.ndarray)
            members = {} if single else {key: saved[key] for key in saved.files}
    except Exception as error:  # whatever a damaged, locked or lying file may raise
        advice = "make arrays plain, as in y.astype(str)" if _has_objects(error) else "save it with numpy.savez"
        raise FairshotError(f"cannot read {path} as .npz{_reason(error)}: {advice}") from error
    if single:
        together = "X and y together" if len(needed) > 1 else "it as X"
        raise FairshotError(f"{path} is a single array: save {together} with numpy.savez")
    return {key: member for key, member in members.items() if isinstance(member, np.ndarray)}


def _has_objects(error: Exception) -> bool:
    return any(words in str(error) for words in ("Object arrays", "Python objects"))


def _reason(error: Exception) -> str:
    """Why a file cannot be read; NumPy takes what it does not know for a pickle, and says how to open it unsafely."""
    if "pickled (object) data" in str(error):
        return ", which it is not"
    return f" without pickle ({error})" if _has_objects(error) else f" ({error})"


def _read_npy(paths: list[str], needed: Sequence[str]) -> ArrayFile:
    """X and y, then others by the names of their files; y may be left out if it lies beside X under its own name."""
    X, *rest = paths
    files = {"X": X}
    if rest:
        files["y"] = rest[0]
    elif "y" in needed:
        files["y"] = _labels_beside(X)
    for path in rest[1:]:
        stem = Path(path).stem
        if stem not in TEXTS and not stem.startswith("attribute."):
            raise unknown("array beside X and y", stem, [*TEXTS, "attribute.NAME"])
        files[stem] = path
    return ArrayFile(Path(X).stem, {name: _one_array(path) for name, path in files.items()})


def _labels_beside(X: str) -> str:
    """The file of labels: X.npy has y.npy, train_X.npy has train_y.npy."""
    folder, stem = os.path.dirname(X), Path(X).stem
    before, capital, after = stem.rpartition("X")
    likely = os.path.join(folder, f"{before}y{after}.npy" if capital else "y.npy")
    if not os.path.isfile(expand(likely)):
        raise FairshotError(
            f"{X} is a single array and there is no {os.path.basename(likely)} beside it: name the file of labels too, "
            f"as in array:{X},LABELS.npy"
        )
    return likely


def _one_array(path: str) -> np.ndarray:
    _refuse_missing(path, "an .npy file that numpy.save wrote")
    try:
        saved = np.load(expand(path), mmap_mode="r", allow_pickle=False)
    except Exception as error:  # whatever a damaged or lying file may raise
        advice = "make the array plain, as in y.astype(str)" if _has_objects(error) else "save it with numpy.save"
        raise FairshotError(f"cannot read {path} as .npy{_reason(error)}: {advice}") from error
    if not isinstance(saved, np.ndarray):
        raise FairshotError(f"{path} holds several arrays: call it .npz")
    return saved


def read_safetensors(path: str) -> dict[str, np.ndarray]:
    """Every tensor of a safetensors file by name, with words (class_names, parents) from its metadata."""
    from safetensors import SafetensorError, safe_open

    _refuse_missing(path, "a safetensors file with X and y")
    try:
        with safe_open(expand(path), framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no mapping
            metadata = file.metadata() or {}
    except (SafetensorError, TypeError, OSError) as error:
        raise FairshotError(
            f"cannot read {path} as safetensors ({error}): save tensors of 32-bit floats and integers"
        ) from error
    return arrays | {name: _words(path, name, metadata[name]) for name in TEXTS if name in metadata}


def _words(path: str, name: str, text: str) -> np.ndarray:
    try:
        words = json.loads(text)
    except ValueError:
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str | int) for word in words):
        raise FairshotError(f"{name} in the metadata of {path} is no list of words in JSON: write json.dumps(words)")
    return np.array([str(word) for word in words])
