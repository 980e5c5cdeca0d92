"""Tensors that are kept between commands: safetensors files with a checksum that is compared when they are read."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

CHECKSUM = "checksum"


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, str]) -> None:
    """Writes the file, or leaves what was there; equal content gives equal bytes."""
    with complete_file(path) as unfinished:
        save_file(dict(tensors), unfinished, {**about, CHECKSUM: _checksum(tensors, about)})


def read_tensors(path: Path, remedy: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors by name, and what the file says about them; files of earlier versions have no checksum."""
    try:
        with safe_open(path, "pt") as file:
            about = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 it is no mapping
    except Exception as error:  # a damaged file makes its reader raise anything
        raise FairshotError(f"{path} is gone or damaged: {remedy}") from error
    noted = about.pop(CHECKSUM, None)
    if noted is not None and noted != _checksum(tensors, about):
        raise FairshotError(f"{path} is damaged, its content does not have its checksum: {remedy}")
    return tensors, about


def _checksum(tensors: Mapping[str, Tensor], about: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(repr(sorted(about.items())).encode(), digest_size=16)
    for name, value in sorted(tensors.items()):
        digest.update(repr((name, str(value.dtype), tuple(value.shape))).encode())
        digest.update(value.detach().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
