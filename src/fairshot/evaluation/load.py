"""The verb `load`: reads back what was saved."""

from pathlib import Path
from typing import Any

from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import read_result
from fairshot.runtime.errors import FairshotError


def load(path: Path | str) -> Any:
    """An evaluation out of the folder it was saved to, or the result of a study out of its JSON file."""
    path = Path(path)
    if path.is_dir():
        return Evaluation.load(path)
    if not path.exists():
        raise FairshotError(f"there is nothing at {path}: give a folder that evaluate saved to, or a JSON file")
    return read_result(path)
