"""The tensors of a file that torch saved, as arrays; whatever else such a file holds is refused, and never run.

A file of torch is a zip archive with a pickle that says which tensors there are, and their numbers beside it. A pickle
can ask for any function to be called. The reader here knows three words, for a table, a tensor and its numbers, and
answers them itself; every other word ends the reading.
"""

import math
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.runtime.errors import FairshotError

LARGEST = 1 << 28  # bytes of all tensors together; a small file may promise to unpack into a large one
KINDS = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
    "BoolStorage": "|b1",
}


def read_tensors(path: Path) -> dict[str, np.ndarray]:
    """The tensors in a file by name; raises if it holds anything else."""
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_large(archive, path)
            tensors = _load(archive, path)
    except FairshotError:
        raise
    except OSError as error:
        raise FairshotError(
            f"{path} cannot be read ({error.strerror or error}): give a file that torch saved"
        ) from error
    except Exception as error:  # a damaged archive or pickle fails in any way
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise FairshotError(f"{path} is no file of tensors that torch saved ({reason}): get it anew") from error
    return _only_tensors(tensors, path)


def _refuse_large(archive: zipfile.ZipFile, path: Path) -> None:
    size = sum(entry.file_size for entry in archive.infolist())
    if size > LARGEST:
        raise FairshotError(f"{path} unpacks into {size:,} bytes, and {LARGEST:,} are the most: give a smaller file")


def _load(archive: zipfile.ZipFile, path: Path) -> Any:
    lists = [name for name in archive.namelist() if name.count("/") == 1 and name.endswith("/data.pkl")]
    if len(lists) != 1:
        raise FairshotError(f"{path} holds {len(lists)} lists of tensors (data.pkl): give a file that torch saved")
    root = lists[0].removesuffix("data.pkl")
    with archive.open(lists[0]) as file:
        return _Reader(file, path, lambda key: archive.read(f"{root}data/{key}")).load()


class _Reader(pickle.Unpickler):
    """An unpickler that knows tables, tensors and their numbers, and nothing else."""

    def __init__(self, file: Any, path: Path, read: Callable[[str], bytes]) -> None:
        super().__init__(file)
        self.path, self.read = path, read

    def find_class(self, module: str, name: str) -> Any:
        """What stands for a word of the pickle; the object of that name is never looked up."""
        if (module, name) == ("collections", "OrderedDict"):
            return _Table
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _Tensor()
        if module == "torch" and name in KINDS:
            return KINDS[name]
        raise FairshotError(
            f"{self.path} asks for {module}.{name}, which is no tensor: nothing of it was run; give a file of tensors "
            "alone"
        )

    def persistent_load(self, pid: Any) -> np.ndarray:
        """The numbers of a tensor: all that one entry of the archive holds."""
        word, kind, key, _, count = pid
        if word != "storage" or kind not in KINDS.values() or not isinstance(key, str):
            raise ValueError("numbers of an unknown kind")
        numbers = np.frombuffer(self.read(key), dtype=np.dtype(kind))
        if len(numbers) != count:
            raise ValueError(f"{len(numbers)} numbers where {count} were announced")
        return numbers


class _Table(dict):
    """A table of tensors by name."""

    __slots__ = ()

    def __setstate__(self, state: object) -> None:
        """Leaves out the versions of layers that torch keeps beside a table."""


class _Tensor:
    """Makes a tensor of its numbers; it has nothing that a pickle could change."""

    __slots__ = ()

    def __call__(self, numbers: Any, offset: Any, shape: Any, strides: Any, *_: object) -> np.ndarray:
        """The tensor of that shape; raises where it would reach beyond its numbers, or repeat them."""
        if not isinstance(numbers, np.ndarray) or len(shape) != len(strides):
            raise ValueError("a tensor without numbers or shape")
        if any(type(value) is not int or value < 0 for value in (offset, *shape, *strides)):
            raise ValueError("a tensor of an impossible shape")
        reach = offset + sum((length - 1) * stride for length, stride in zip(shape, strides, strict=True))
        if math.prod(shape) > len(numbers) or (math.prod(shape) and reach >= len(numbers)):
            raise ValueError("a tensor that is larger than its numbers")
        steps = [stride * numbers.itemsize for stride in strides]
        return np.lib.stride_tricks.as_strided(numbers[offset:], shape, steps).copy()


def _only_tensors(tensors: Any, path: Path) -> dict[str, np.ndarray]:
    if not isinstance(tensors, dict):
        raise FairshotError(f"{path} holds a {type(tensors).__name__} and no table of tensors: give a state dictionary")
    for name, value in tensors.items():
        if not isinstance(name, str) or not isinstance(value, np.ndarray):
            raise FairshotError(
                f"{path} holds a {type(value).__name__} under {name!r}, which is no tensor: give a state dictionary"
            )
    return dict(tensors)
