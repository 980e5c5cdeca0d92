"""Where weights come from: the record that every file of them holds."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError, unknown

FORMAT = 1  # raised when files of weights change their meaning
SUFFIX, NAME = ".safetensors", "fairshot"
WEIGHTS = Path(__file__).parents[1] / "weights"
LATER = ("clamp", "plateau")  # settings of plans that came when records had hashes already
LONGEST_HEADER = 1 << 24  # bytes; a file that announces more is no file of weights


@dataclass(frozen=True, kw_only=True)
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
    code: dict[str, str] = field(default_factory=dict)
    """The hash of learner and network, by name, where they are somebody's own code; weights never bring code along."""

    def as_dict(self) -> dict[str, Any]:
        """All fields for a file; own code and later settings of a plan only where there are some, as in older files."""
        fields = {name: value for name, value in asdict(self).items() if name != "code" or value}
        fields["plan"] = {name: value for name, value in fields["plan"].items() if name not in LATER or value}
        return fields

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
            content = json.loads(json.loads(file.read(length))["__metadata__"][NAME])
    except (OSError, KeyError, ValueError, TypeError, RecursionError) as error:
        raise FairshotError(f"{path} holds no weights of fairshot: make them with 'fairshot train'") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FairshotError(f"{path} has weights of another format than this fairshot reads: train anew")
    try:
        record, plan = dict(content["record"]), dict(content["record"]["plan"])
        plan["factors"] = tuple(tuple(pair) for pair in plan["factors"])
        return Record(**{**record, "plan": Plan(**plan), "shape": tuple(record["shape"])}), content["seen"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FairshotError(f"{path} has a record that this fairshot cannot read ({error}): train anew") from error


def is_trained(spec: str) -> bool:
    """Whether this names a run's folder or a file of weights."""
    path = Path(spec)
    return path.suffix == SUFFIX or ((path / "training.json").is_file())


def shipped_weights() -> dict[str, Path]:
    """Weights that come with the package, by name: `prototypes@omniglot-lake`."""
    return {path.stem: path for path in sorted(WEIGHTS.glob(f"*{SUFFIX}"))}


def find_weights(name: str, head: str = "") -> Path:
    """The file of weights: a run folder's, a snapshot, or shipped ones (`omniglot-lake` for the head, or in full)."""
    path, shipped = Path(name), shipped_weights()
    if path.suffix == SUFFIX and path.is_file():
        return path
    if (path / "training.json").is_file():
        if (path / "weights.safetensors").is_file():
            return path / "weights.safetensors"
        raise FairshotError(
            f"the training in {path} is not finished: the same 'fairshot train' command goes on with it"
        )
    for full in (name, f"{head}@{name}"):
        if full in shipped:
            return shipped[full]
    if path.suffix == SUFFIX or "/" in name:
        raise FairshotError(
            f"there are no weights {name}: give a folder that 'fairshot train' made, or a snapshot in it"
        )
    raise unknown("weights", name if "@" in name else f"{head}@{name}", shipped)
