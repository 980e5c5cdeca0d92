"""Tables that are kept between commands: .npz files, of which every entry has a checksum that is compared when read."""

import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

Kinds = Mapping[str, tuple[str, int]]
"""For each table the kinds of numbers it may hold, as NumPy abbreviates them, and how many axes it has."""


def pack_tables(tables: Mapping[str, np.ndarray]) -> bytes:
    """The content of such a file; equal tables give equal bytes."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **tables)
    return content.getvalue()


def write_tables(path: Path, tables: Mapping[str, np.ndarray]) -> None:
    """Writes the file, or leaves what was there."""
    with complete_file(path) as unfinished:
        unfinished.write_bytes(pack_tables(tables))


def read_tables(path: Path, kinds: Kinds, content: bytes | None = None) -> dict[str, np.ndarray]:
    """All tables of a file, or of what is the content of one, of which those named must be of their kind."""
    try:
        if content is None and not os.path.isfile(path):
            raise FileNotFoundError
        with (
            open(path, "rb") if content is None else io.BytesIO(content) as file,
            np.load(file, allow_pickle=False) as saved,
        ):
            tables = {name: saved[name] for name in saved.files}
        for name, (kind, axes) in kinds.items():
            if tables[name].dtype.kind not in kind or tables[name].ndim != axes:
                raise ValueError(name)
    except Exception as error:  # a damaged file makes its reader raise anything
        raise unreadable_tables(path) from error
    return tables


def unreadable_tables(path: Path) -> FairshotError:
    """The error for a file that holds something else, or less."""
    return FairshotError(f"{path} is gone, damaged or of another kind: remove it, and the same command makes it anew")
