"""Parquet files: where the library is missing or a file is damaged, one line says so."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairshot.runtime.errors import FairshotError


def parquet_library() -> Any:
    """pyarrow's module for Parquet, which is loaded when it is needed."""
    return importlib.import_module("pyarrow.parquet")


@contextmanager
def readable_parquet(path: Path, instead: str = "") -> Iterator[None]:
    """Turns whatever goes wrong while a Parquet file is read into one line; `instead` is another way to go."""
    try:
        yield
    except FairshotError:
        raise
    except ImportError as error:
        raise FairshotError(
            f"reading {path} needs pyarrow, which is not installed: pip install 'fairshot[parquet]'{instead}"
        ) from error
    except Exception as error:  # whatever a damaged or lying file may raise
        problem = " ".join(str(error).split())
        raise FairshotError(f"cannot read {path} as Parquet ({problem}): save the table again") from error
