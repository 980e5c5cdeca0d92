"""Files of torch are read as numbers alone: what else they hold is refused, and never runs."""

import contextlib
import io
import os
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.tensor_file import KINDS, read_tensors


class Call:
    """A pickle that calls a function when it is read."""

    def __init__(self, function: Callable[..., Any], *arguments: object) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return self.function, self.arguments


def archive(path: Path, pickled: bytes, entries: dict[str, bytes] | None = None) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("archive/data.pkl", pickled)
        for key, data in (entries or {}).items():
            file.writestr(f"archive/data/{key}", data)
    return path


def tensor(rebuilt: tuple[object, ...], kind: str = "FloatStorage", count: int = 4) -> bytes:
    """The pickle of a table with one tensor whose numbers are in the entry 0."""

    class Storage:
        pass

    class Pickler(pickle._Pickler):
        def persistent_id(self, given: object) -> object:
            return ("storage", getattr(torch, kind), "0", "cpu", count) if isinstance(given, Storage) else None

    written = io.BytesIO()
    Pickler(written, 2).dump({"a": Call(torch._utils._rebuild_tensor_v2, Storage(), *rebuilt)})
    return written.getvalue()


def refusal(path: Path) -> str:
    with pytest.raises(FairshotError) as refused:
        read_tensors(path)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("kind", ["float32", "float64", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"])
def test_tensors_are_those_that_torch_saved(tmp_path: Path, kind: str) -> None:
    table = torch.arange(24).reshape(2, 3, 4)
    saved = OrderedDict(
        whole=table, turned=table.permute(2, 0, 1), part=table[1, 1:], number=torch.tensor(7), empty=torch.zeros(0, 3)
    )
    saved = OrderedDict((name, value.to(getattr(torch, kind))) for name, value in saved.items())
    saved._metadata = {"": {"version": 1}}
    torch.save(saved, tmp_path / "a.model")
    found = read_tensors(tmp_path / "a.model")
    assert list(found) == list(saved)
    for name, value in saved.items():
        assert found[name].dtype == value.numpy().dtype
        np.testing.assert_array_equal(found[name], value.numpy())


@pytest.mark.parametrize(
    ("function", "word"), [(os.system, "posix.system"), (eval, "builtins.eval"), (getattr, "builtins.getattr")]
)
def test_what_would_run_is_refused(tmp_path: Path, function: Callable[..., Any], word: str) -> None:
    trace = tmp_path / "trace"
    if function is eval:
        call = Call(eval, f"open({str(trace)!r}, 'w')")
    else:
        call = Call(function, f"touch {trace}") if function is os.system else Call(getattr, {}, "clear")
    path = archive(tmp_path / "bad.model", pickle.dumps({"a": call}))
    word = word.replace("posix", os.system.__module__)
    assert refusal(path) == (
        f"{path} asks for {word}, which is no tensor: nothing of it was run; give a file of tensors alone"
    )
    assert not trace.exists()


def test_what_torch_itself_would_run_is_refused(tmp_path: Path) -> None:
    torch.save({"a": torch.nn.Linear(2, 2)}, tmp_path / "model.pt")
    assert "asks for torch.nn.modules.linear.Linear, which is no tensor" in refusal(tmp_path / "model.pt")


@pytest.mark.parametrize(
    "pickled",
    [
        # BUILD with a state for the function that makes tensors: its attributes would change for the next reader.
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n}X\x0b\x00\x00\x00__defaults__)sb.",
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\nN}X\x0b\x00\x00\x00__defaults__)s\x86b.",
        b"\x80\x02ctorch\nFloatStorage\n}X\x01\x00\x00\x00aK\x01sb.",
        b"\x80\x02ctorch\nFloatStorage\n)R.",
        b"\x80\x02X\x01\x00\x00\x000Q.",
        b"\x80\x02",
        b"no pickle",
        b"",
    ],
)
def test_a_pickle_that_does_something_else_fails(tmp_path: Path, pickled: bytes) -> None:
    path = archive(tmp_path / "bad.model", pickled)
    assert refusal(path).startswith(f"{path} is no file of tensors that torch saved (")


@pytest.mark.parametrize(
    "rebuilt",
    [
        (0, (5,), (1,)),  # one number more than there are
        (1, (4,), (1,)),
        (-1, (2,), (1,)),
        (0, (2,), (-1,)),
        (0, (1_000_000, 1_000_000), (0, 0)),  # the same number, again and again
        (0, (2, 2), (1,)),
        (0, (2.0,), (1,)),
    ],
)
def test_a_tensor_keeps_to_its_numbers(tmp_path: Path, rebuilt: tuple[object, ...]) -> None:
    path = archive(tmp_path / "bad.model", tensor((*rebuilt, False, {})), {"0": bytes(16)})
    assert "a tensor" in refusal(path)


def test_numbers_must_be_as_many_as_announced(tmp_path: Path) -> None:
    good = archive(tmp_path / "good.model", tensor((0, (2, 2), (2, 1), False, {})), {"0": bytes(16)})
    assert read_tensors(good)["a"].shape == (2, 2)
    path = archive(tmp_path / "short.model", tensor((0, (2, 2), (2, 1), False, {})), {"0": bytes(12)})
    assert "3 numbers where 4 were announced" in refusal(path)
    path = archive(tmp_path / "none.model", tensor((0, (2, 2), (2, 1), False, {})))
    assert "There is no item named 'archive/data/0'" in refusal(path)


def test_tables_of_other_things_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.model", pickle.dumps({"epoch": 3}))
    assert refusal(path) == f"{path} holds a int under 'epoch', which is no tensor: give a state dictionary"
    path = archive(tmp_path / "b.model", pickle.dumps([1]))
    assert refusal(path) == f"{path} holds a list and no table of tensors: give a state dictionary"


def test_what_is_no_archive_of_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.model"
    assert refusal(path) == f"{path} cannot be read (No such file or directory): give a file that torch saved"
    path.write_bytes(pickle.dumps(Call(os.system, "true")))
    assert (
        refusal(path)
        == f"{path} is no file of tensors that torch saved (BadZipFile: File is not a zip file): get it anew"
    )
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.txt", "")
    assert refusal(path) == f"{path} holds 0 lists of tensors (data.pkl): give a file that torch saved"
    archive(path, b"", {"0": bytes(100)})
    monkeypatch.setattr("fairshot.scoring.tensor_file.LARGEST", 99)
    assert refusal(path) == f"{path} unpacks into 100 bytes, and 99 are the most: give a smaller file"


@given(st.binary(max_size=60))
def test_no_bytes_get_through(tmp_path_factory: pytest.TempPathFactory, pickled: bytes) -> None:
    path = archive(tmp_path_factory.mktemp("any") / "a.model", b"\x80\x02" + pickled)
    with contextlib.suppress(FairshotError):
        assert all(isinstance(value, np.ndarray) for value in read_tensors(path).values())
    assert KINDS["FloatStorage"] == "<f4"
