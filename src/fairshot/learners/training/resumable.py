"""Training with snapshots, a log and exact resume: killed at any moment, the same call ends with the same bytes.

A step depends on (seed, step), the weights and the optimisers' states alone. These are kept in one file that is either
complete or not there; what came after it is done again and gives the same.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

from fairshot.learners.fitted import load_state
from fairshot.learners.seen import Seen
from fairshot.learners.training.checkpoint import (
    Epoch,
    Optimizers,
    State,
    claim,
    load_checkpoint,
    save_checkpoint,
    write_log,
)
from fairshot.learners.training.group import Group
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record
from fairshot.learners.training.storable import Storable
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.memory import keep_large_blocks
from fairshot.sources.source import Source

CHECKPOINT_SECONDS = 20.0  # an interrupted training loses at most this much
WEIGHTS, SNAPSHOTS = "weights.safetensors", "snapshots"
VAL_LOSS = "val_loss"

ModelType = TypeVar("ModelType", bound=Storable)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Moment:
    """How far a training is: for a progress bar."""

    step: int
    steps: int
    loss: float
    accuracy: float | None
    val_accuracy: float | None
    terms: Mapping[str, float] = field(default_factory=dict)
    """What the loss of a generator is made of."""


@dataclass(frozen=True)
class Reports:
    """Functions that are called with news: after every step, after every epoch, and with notes worth a line."""

    step: Callable[[Moment], None] = lambda moment: None
    epoch: Callable[[Epoch], None] = lambda epoch: None
    note: Callable[[str], None] = lambda note: None


@dataclass(frozen=True)
class Measured:
    """What a step or a look at val gave: a classifier has an accuracy, a generator terms of its loss."""

    loss: float | None = None
    accuracy: float | None = None
    terms: Mapping[str, float] = field(default_factory=dict)


@dataclass(eq=False, kw_only=True)
class Resumable(ABC, Generic[ModelType, Result]):
    """One training, from its first step to its last; what a step does is left to the kinds of it."""

    base: Source
    val: Source | None
    record: Record
    model: ModelType
    seen: Seen
    out: Path | None
    reports: Reports

    group: Group = field(default_factory=Group)
    """The processes that train together; the first of them writes."""

    def __post_init__(self) -> None:
        self.optimizers: Optimizers = {}
        self.state = State()
        self._snapshots: dict[int, dict[str, Tensor]] = {}

    @property
    def plan(self) -> Plan:
        """How it is trained."""
        return self.record.plan

    @abstractmethod
    def refuse_impossible(self) -> None:
        """Raises for what cannot be trained, before anything is written."""

    @abstractmethod
    def advance(self, step: int, rate: float) -> Measured:
        """One step of all optimisers, whose rate is set; it depends on the seed, the step and the weights alone."""

    @abstractmethod
    def judge(self, val: Source) -> Measured:
        """How the model does on val as it is now."""

    @abstractmethod
    def choose(self, log: list[Epoch]) -> Epoch:
        """The best epoch by what val said."""

    @abstractmethod
    def save(self, path: Path, record: Record) -> None:
        """Writes a snapshot of the model."""

    @abstractmethod
    def finish(self, record: Record, weights: dict[str, Tensor]) -> Result:
        """What was trained, with the weights of the chosen snapshot."""

    def kept_weights(self) -> dict[str, Tensor]:
        """What a snapshot holds."""
        return self.model.storable()

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, counted from 0."""
        return self.plan.rate_at(step)

    def run(self) -> Result:
        """Trains to the end; returns what was trained with the weights of the chosen snapshot."""
        self.refuse_impossible()
        keep_large_blocks()
        usual_threads = torch.get_num_threads()
        try:
            if self.out is not None:
                self._resume(self.out)
            self._train()
        finally:
            torch.set_num_threads(usual_threads)
        return self._chosen_snapshot()

    def _resume(self, folder: Path) -> None:
        """Takes the folder, and what an interrupted training left there."""
        fingerprints = [part.fingerprint for part in (self.base, self.val) if part is not None]
        if not self.group.first:
            self.group.wait()  # the folder is taken by the first of them
        claimed = claim(folder, self.record, " ".join(fingerprints))
        if self.group.first:
            self.group.wait()
        torch.set_num_threads(claimed.threads)
        # Weights to begin with may have been moved since: the record keeps to one place, and its bytes do not change.
        self.record = replace(self.record, plan=replace(self.plan, begin=claimed.begin))
        self.state = load_checkpoint(folder, self.model, self.optimizers, self.plan.steps)
        self.group.wait()  # nobody goes on before all have read
        for note in [] if self._ended else claimed.notes:
            self.reports.note(note)

    def _train(self) -> None:
        """All steps that are left."""
        started, saved = time.monotonic() - self.state.seconds, time.monotonic()
        while not self._ended:
            self._step()
            self.state.seconds = time.monotonic() - started
            ended = self.state.step % self.plan.epoch == 0 or self.state.step == self.plan.steps
            if ended:
                self._end_epoch()
            if self.out is not None and self.group.first and (ended or time.monotonic() - saved > CHECKPOINT_SECONDS):
                save_checkpoint(self.out, self.model, self.optimizers, self.state)
                saved = time.monotonic()

    @property
    def chosen(self) -> Epoch:
        """The best epoch on val; without val the last."""
        return self.state.log[-1] if self.val is None else self.choose(self.state.log)

    @property
    def _ended(self) -> bool:
        """Whether all steps are done, or too many epochs in a row were no better."""
        if self.state.step >= self.plan.steps:
            return True
        patience, log = self.plan.patience, self.state.log
        return bool(patience and log and self.val is not None and log[-1].epoch - self.chosen.epoch >= patience)

    def _step(self) -> None:
        """One step, counted and reported."""
        plan, state = self.plan, self.state
        rate = self.rate_at(state.step)
        for optimizer in self.optimizers.values():
            for group in optimizer.param_groups:
                group["lr"] = rate
        measured = self.advance(state.step, rate)
        steps_in_epoch = state.step % plan.epoch + 1
        state.loss += ((measured.loss or 0.0) - state.loss) / steps_in_epoch
        if measured.accuracy is not None:
            state.accuracy += (measured.accuracy - state.accuracy) / steps_in_epoch
        for name, value in measured.terms.items():
            before = state.terms.get(name, 0.0)
            state.terms[name] = before + (value - before) / steps_in_epoch
        state.step += 1
        last_val = state.log[-1].val_accuracy if state.log else None
        accuracy = None if measured.accuracy is None else state.accuracy
        self.reports.step(Moment(state.step, plan.steps, state.loss, accuracy, last_val, terms=dict(state.terms)))

    def diverged(self, loss: float | str) -> FairshotError:
        """An error for a loss that is no number."""
        lower = f"lower the rate, such as rate={self.plan.rate / 10:g}"
        return FairshotError(f"the loss is {loss} at step {self.state.step + 1}: {lower}")

    def _end_epoch(self) -> None:
        """A snapshot, tried on val, and a line of the log."""
        state = self.state
        number, rate = -(-state.step // self.plan.epoch), self.rate_at(state.step - 1)
        val = Measured() if self.val is None else self.judge(self.val)
        state.log.append(
            Epoch(
                epoch=number,
                step=state.step,
                loss=state.loss,
                accuracy=None if state.terms else state.accuracy,
                val_accuracy=val.accuracy,
                rate=rate,
                seconds=round(state.seconds, 1),
                terms=state.terms | {f"val_{name}": value for name, value in val.terms.items()},
            )
        )
        if self.out is None:
            self._snapshots[number] = {name: value.clone() for name, value in self.kept_weights().items()}
        elif self.group.first:
            self.save(self._snapshot(number), replace(self.record, epoch=number))
            write_log(self.out, state.log)
        self.reports.epoch(state.log[-1])
        state.loss, state.accuracy, state.terms = 0.0, 0.0, {}

    def _chosen_snapshot(self) -> Result:
        record = replace(self.record, epoch=self.chosen.epoch)
        if self.out is None:
            return self.finish(record, self._snapshots[record.epoch])
        self.group.wait()
        finished = self.finish(record, load_state(self._snapshot(record.epoch)))
        if self.group.first:
            self.save(self.out / WEIGHTS, record)
        return finished

    def _snapshot(self, number: int) -> Path:
        assert self.out is not None
        return self.out / SNAPSHOTS / f"epoch{number:04d}.safetensors"


def limit_gradients(model: nn.Module, plan: Plan) -> None:
    """Gradients are cut off or shortened, where the plan says so."""
    if plan.clamp:
        torch.nn.utils.clip_grad_value_(model.parameters(), plan.clamp)
    if plan.clip:
        torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
