"""Where weights come from."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairshot.learners.plan import Plan
from fairshot.runtime.errors import FairshotError

FORMAT = 1  # raised when files of weights change their meaning
LONGEST_HEADER = 1 << 24  # bytes; a file that announces more is no file of weights


@dataclass(frozen=True)
class Record:
    """Where weights come from: enough to use them, and to train them again."""

    learner: str
    settings: dict[str, Any]
    plan: Plan
    preset: str
    """The name of the plan, with what was changed in it."""
    source: str
    """What was trained on."""
    recipe: str
    shape: tuple[int, int]
    """Channels, and pixels in width and height."""
    classes: int
    seed: int
    epoch: int = 0
    """Which snapshot this is."""

    @property
    def about(self) -> str:
        """One line for a listing."""
        return f"{self.learner} on {self.source} (recipe {self.recipe}, {self.plan.network}, preset {self.preset})"


def read_record(path: Path) -> tuple[Record, dict[str, Any]]:
    """What a file of weights says of itself, and of what was seen; the weights are not read, nor torch needed."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > LONGEST_HEADER:
                raise ValueError(length)
            told = json.loads(json.loads(file.read(length))["__metadata__"]["fairshot"])
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise FairshotError(f"{path} holds no weights of fairshot: make them with 'fairshot train'") from error
    if told["format"] != FORMAT:
        raise FairshotError(f"{path} has weights of format {told['format']}, this fairshot reads {FORMAT}: train anew")
    record, plan = dict(told["record"]), dict(told["record"]["plan"])
    plan["factors"] = tuple(tuple(pair) for pair in plan["factors"])
    return Record(**{**record, "plan": Plan(**plan), "shape": tuple(record["shape"])}), told["seen"]
