"""What a training leaves behind: its setting, its log, and a checkpoint from which it goes on with the same bytes."""

import csv
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import fairshot
from fairshot.learners.training.kept_tensors import read_tensors, write_tensors
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record, find_weights
from fairshot.learners.training.storable import Storable
from fairshot.runtime.download import sha256
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file

Optimizers = Mapping[str, torch.optim.Optimizer]
CHECKPOINT, LOG, SETTING = "checkpoint.safetensors", "log.csv", "training.json"
MOST_THREADS = 1 << 12  # more than any machine has cores
BEGUN = "begun_with"  # the hash of the weights that a training began with


@dataclass(frozen=True, kw_only=True)
class Epoch:
    """What the log says of one epoch."""

    epoch: int
    step: int
    loss: float
    accuracy: float | None = None
    val_accuracy: float | None = None
    rate: float
    seconds: float
    terms: Mapping[str, float] = field(default_factory=dict)
    """What the loss of a generator is made of, and its loss on val."""

    def as_row(self) -> dict[str, Any]:
        """One line of the log; a generator has terms where a classifier has accuracies."""
        row = {name: value for name, value in asdict(self).items() if name != "terms"}
        if not self.terms:
            return row
        return (
            {name: row[name] for name in ("epoch", "step", "loss")}
            | dict(self.terms)
            | {name: row[name] for name in ("rate", "seconds")}
        )


@dataclass
class State:
    """How far a training is, beside model and optimisers; loss, terms and accuracy are means over the epoch so far."""

    step: int = 0
    loss: float = 0.0
    accuracy: float = 0.0
    seconds: float = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    log: list[Epoch] = field(default_factory=list)


@dataclass(frozen=True)
class Claim:
    """A folder that is this training's: sums of floats depend on threads and versions, so it tells of both."""

    threads: int
    """The number that the training began with, and keeps."""
    torch: str
    """The version that it began with."""
    begin: str
    """Where the weights lay that it began with."""

    @property
    def notes(self) -> list[str]:
        """What somebody who goes on with the training should know."""
        if self.torch == torch.__version__:
            return []
        change = f"the training began with torch {self.torch} and goes on with {torch.__version__}"
        return [f"{change}: the same bytes as without an interruption are not promised"]


def claim(folder: Path, record: Record, data: str) -> Claim:
    """Takes the folder for this training, or raises if it holds another one; versions may differ."""
    wanted = json.loads(json.dumps({"record": record.as_dict(), "data": data}))
    if record.plan.begin:
        wanted[BEGUN] = sha256(find_weights(record.plan.begin, record.learner))
    path = folder / SETTING
    if not path.exists():
        taken = Claim(torch.get_num_threads(), torch.__version__, record.plan.begin)
        versions = {"threads": taken.threads, "torch": taken.torch, "fairshot": fairshot.__version__}
        setting = {**wanted, **versions}
        with complete_file(path) as unfinished:
            unfinished.write_text(json.dumps(setting, indent=1) + "\n")
        return taken
    try:
        kept = json.loads(path.read_text())
        # Folders from before versions were kept tell nothing of them.
        threads, version = int(kept.pop("threads")), str(kept.pop("torch", torch.__version__))
        kept.pop("fairshot", None)
        # What plans could not say when it began, it did not do: defaults of later fields mean that.
        usual = json.loads(json.dumps(asdict(Plan())))
        kept["record"]["plan"] = usual | kept["record"]["plan"]
        taken = Claim(threads, version, str(kept["record"]["plan"]["begin"]))
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(threads)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FairshotError(f"{path} cannot be read: remove {folder} or choose another folder") from error
    wanted["record"]["plan"] = usual | wanted["record"]["plan"]
    _overlook_place(kept, wanted)
    _refuse_difference(folder, kept, wanted)
    return taken


def _overlook_place(kept: dict[str, Any], wanted: dict[str, Any]) -> None:
    """The same weights to begin with may lie elsewhere by now; folders from before these were noted go by the place."""
    if BEGUN not in kept:
        wanted.pop(BEGUN, None)
    elif kept[BEGUN] == wanted.get(BEGUN):
        kept["record"]["plan"]["begin"] = wanted["record"]["plan"]["begin"]


def _refuse_difference(folder: Path, kept: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raises if a folder holds a training with another setting, or with another version of somebody's own code."""
    hashes, new_hashes = (setting["record"].get("code", {}) for setting in (kept, wanted))
    changed = [name for name, digest in new_hashes.items() if hashes.get(name, digest) != digest]
    if changed:
        raise FairshotError(
            f"{folder} holds a training with another version of {changed[0]}: restore that, choose another folder, or "
            "remove the folder"
        )
    difference = _difference(kept, wanted)
    if difference:
        raise FairshotError(f"{folder} holds a training with another {difference}: choose another folder, or remove it")


def _difference(kept: Any, wanted: Any) -> str | None:
    """The first thing in which two settings differ."""
    if kept == wanted:
        return None
    if isinstance(kept, dict) and isinstance(wanted, dict):
        for name in wanted:
            if name not in kept or kept[name] != wanted[name]:
                inner = _difference(kept.get(name), wanted[name])
                return (
                    inner
                    if isinstance(wanted[name], dict) and inner
                    else f"{name} ({kept.get(name)}, not {wanted[name]})"
                )
    return "setting"


def save_checkpoint(folder: Path, model: Storable, optimizers: Optimizers, state: State) -> None:
    """All that the next step depends on, in one file that is complete or as it was before."""
    tensors = {f"model.{name}": value for name, value in model.storable().items()}
    for prefix, optimizer in optimizers.items():
        for number, values in optimizer.state_dict()["state"].items():
            kept = {name: value.contiguous() for name, value in values.items() if value is not None}
            tensors |= {f"{prefix}.{number}.{name}": value for name, value in kept.items()}
    write_tensors(folder / CHECKPOINT, tensors, "state", asdict(state))


def load_checkpoint(folder: Path, model: Storable, optimizers: Optimizers, steps: int) -> State:
    """Model and optimisers as they were, and how far the training is; the beginning if there is no checkpoint."""
    if not (folder / CHECKPOINT).exists():
        return State()
    remedy = "remove it to train from the beginning"
    tensors, fields = read_tensors(folder / CHECKPOINT, "state", remedy)
    try:
        state = _read_state(fields, steps)
        _restore(tensors, model, optimizers)
        return state
    except (LookupError, ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise FairshotError(f"{folder / CHECKPOINT} is of another training: {remedy}") from error


def _read_state(fields: dict[str, Any], steps: int) -> State:
    """How far a training of so many steps is."""
    state = State(**{**fields, "log": [Epoch(**row) for row in fields["log"]]})
    if not isinstance(state.step, int) or not 0 <= state.step <= steps or not isinstance(state.terms, dict):
        raise TypeError(state)
    state.loss, state.accuracy, state.seconds = float(state.loss), float(state.accuracy), float(state.seconds)
    return state


def _restore(tensors: dict[str, Tensor], model: Storable, optimizers: Optimizers) -> None:
    """Puts every tensor in its place; one of another kind finds none."""
    weights = {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
    model.load_state_dict(weights)
    for prefix, optimizer in optimizers.items():
        whole = optimizer.state_dict()
        whole["state"] = {}
        parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
        for name in sorted(name for name in tensors if name.startswith(f"{prefix}.")):
            _, number, key = name.split(".")
            whole["state"].setdefault(int(number), {})[key] = _laid_out_like(parameters[int(number)], tensors[name])
        optimizer.load_state_dict(whole)


def _laid_out_like(parameter: Tensor, value: Tensor) -> Tensor:
    """What an optimiser knows of a parameter, in the same order in memory: sums depend on it in their last digits."""
    return torch.empty_like(parameter, requires_grad=False).copy_(value) if value.shape == parameter.shape else value


def write_log(folder: Path, log: list[Epoch]) -> None:
    """As a table that anything can read."""
    with complete_file(folder / LOG) as unfinished, unfinished.open("w", newline="") as file:
        rows = [epoch.as_row() for epoch in log]
        columns = dict.fromkeys(name for row in rows for name in row)  # epochs may have losses of their own
        writer = csv.DictWriter(file, list(columns))
        writer.writeheader()
        writer.writerows(rows)


def read_log(folder: Path) -> list[Epoch]:
    """What was written, or nothing."""
    if not (folder / LOG).exists():
        return []
    try:
        with (folder / LOG).open(newline="") as file:
            return [_epoch(row) for row in csv.DictReader(file)]
    except (OSError, ValueError, LookupError, TypeError, csv.Error) as error:
        raise FairshotError(f"{folder / LOG} is not a log of a training: remove {folder} to train anew") from error


def _epoch(row: dict[str, str]) -> Epoch:
    numbers = {name: float(value) for name, value in row.items() if value}
    known = ("epoch", "step", "loss", "accuracy", "val_accuracy", "rate", "seconds")
    return Epoch(
        epoch=int(row["epoch"]),
        step=int(row["step"]),
        loss=numbers["loss"],
        accuracy=numbers.get("accuracy"),
        val_accuracy=numbers.get("val_accuracy"),
        rate=numbers["rate"],
        seconds=numbers["seconds"],
        terms={name: value for name, value in numbers.items() if name not in known},
    )
