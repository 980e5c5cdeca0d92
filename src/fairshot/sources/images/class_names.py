"""The names of classes that a data set only numbers, in a file beside its source."""

from pathlib import Path


def read_names(file: Path) -> tuple[str, ...]:
    """Names with commas between them, in order; lines that begin with # are comments."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return tuple(filter(None, map(str.strip, " ".join(lines).split(","))))
