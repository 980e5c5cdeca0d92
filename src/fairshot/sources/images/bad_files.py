"""Files that look like images and cannot be read: all of them are named at once."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from fairshot.runtime.errors import FairshotError

SHOWN = 10  # files that are named with the reason

Value = TypeVar("Value")


class BadImage(FairshotError):
    """One file that cannot be read, with the reason in a few words."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class BadFiles(FairshotError):
    """The files below a folder that cannot be read, each with what was raised for it."""

    def __init__(self, root: Path, errors: Mapping[Any, BadImage], *, files: int, advice: str = "") -> None:
        self.root, self.errors, self.files = root, errors, files
        single = len(errors) == 1
        message = str(next(iter(errors.values()))) if single else f"{self.list()}: mend or remove them"
        super().__init__(message + advice.format("it" if single else "them"))

    def list(self) -> str:
        """How many there are, and the first ones with their reasons."""
        shown = [f"{file.relative_to(self.root)} ({error.reason})" for file, error in self.errors.items()]
        rest = f" and {len(shown) - SHOWN:,} more" if len(shown) > SHOWN else ""
        return f"{len(shown):,} of {self.files:,} files in {self.root} cannot be read: {', '.join(shown[:SHOWN])}{rest}"


def read_all(
    read: Callable[[Any], Value], files: Iterable[Any], errors: dict[Any, BadImage]
) -> Iterable[tuple[Any, Value]]:
    """What can be read of every file; those that cannot are added to the errors."""
    for file in files:
        try:
            value = read(file)
        except BadImage as error:
            errors[file] = error
            continue
        yield file, value
