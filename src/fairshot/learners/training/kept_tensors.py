"""Tensors that are kept between commands: safetensors files with a checksum that is compared when they are read."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

CHECKSUM = "checksum"


def write_tensors(path: Path, tensors: Mapping[str, Tensor], name: str, content: Mapping[str, Any]) -> None:
    """Writes tensors and, under a name, what is to be said of them; equal content gives equal bytes.

    All of it stands under one name: safetensors writes several in any order.
    """
    sealed = {**content, CHECKSUM: _checksum(tensors, content)}
    with complete_file(path) as unfinished:
        save_file(dict(tensors), unfinished, {name: json.dumps(sealed, sort_keys=True)})


def read_tensors(path: Path, name: str, remedy: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors, and what the file says of them under a name; files of earlier versions have no checksum."""
    try:
        with safe_open(path, "pt") as file:
            content = dict(json.loads((file.metadata() or {}).get(name, "{}")))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 it is no mapping
    except Exception as error:  # a damaged file makes its reader raise anything
        raise FairshotError(f"{path} is gone or damaged: {remedy}") from error
    noted = content.pop(CHECKSUM, None)
    if noted is not None and noted != _checksum(tensors, content):
        raise FairshotError(f"{path} is damaged, its content does not have its checksum: {remedy}")
    return tensors, content


def _checksum(tensors: Mapping[str, Tensor], content: Mapping[str, Any]) -> str:
    digest = hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16)
    for name, value in sorted(tensors.items()):
        digest.update(repr((name, str(value.dtype), tuple(value.shape))).encode())
        digest.update(value.detach().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
