"""Training with snapshots, a log and exact resume: killed at any moment, the same call ends with the same bytes.

A step depends on (seed, step), the weights and the optimiser's state alone. These are kept in one file that is either
complete or not there; what came after it is done again and gives the same.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from fairshot.learners.exemplars import exemplar_task
from fairshot.learners.fitted import Fitted, load_state, save_fitted
from fairshot.learners.seen import Seen, remember
from fairshot.learners.training.checkpoint import Epoch, State, claim, load_checkpoint, save_checkpoint, write_log
from fairshot.learners.training.lessons import Lessons
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record
from fairshot.learners.training.start import begin_with, draw_seed, join_parts, make_record, start_model
from fairshot.learners.training.subject import Subject, as_subject
from fairshot.learners.training.trainable import Lesson, Loss, Model, Trainable
from fairshot.learners.training.validation import val_accuracy, val_task
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.memory import keep_large_blocks
from fairshot.sources.source import Source
from fairshot.tasks.task import TaskDistribution

CHECKPOINT_SECONDS = 20.0  # an interrupted training loses at most this much
WEIGHTS, SNAPSHOTS = "weights.safetensors", "snapshots"


@dataclass(frozen=True)
class Moment:
    """How far a training is: for a progress bar."""

    step: int
    steps: int
    loss: float
    accuracy: float
    val_accuracy: float | None


@dataclass(frozen=True)
class Reports:
    """Functions that are called with news: after every step, after every epoch, and with notes worth a line."""

    step: Callable[[Moment], None] = lambda moment: None
    epoch: Callable[[Epoch], None] = lambda epoch: None
    note: Callable[[str], None] = lambda note: None


@dataclass(eq=False, kw_only=True)
class Training:
    """One training, from its first step to its last."""

    learner: Trainable
    base: Source
    val: Source | None
    record: Record
    model: Model
    seen: Seen
    out: Path | None
    reports: Reports
    task: TaskDistribution | None = None
    """What episodes are drawn from, where the plan names it."""

    def __post_init__(self) -> None:
        self.plan = self.record.plan
        self.lessons = Lessons(self.base, self.plan, self.record.seed, self.task)
        self.optimizer = _optimizer(self.plan, list(self.model.parameters()))
        self.state = State()
        self._snapshots: dict[int, dict[str, Tensor]] = {}

    def run(self) -> Fitted:
        """Trains to the end; returns the learner with the weights of the chosen snapshot."""
        self._refuse_impossible()
        keep_large_blocks()
        usual_threads = torch.get_num_threads()
        try:
            if self.out is not None:
                self._resume(self.out)
            self._train()
        finally:
            torch.set_num_threads(usual_threads)
        return self._chosen_snapshot()

    def _refuse_impossible(self) -> None:
        """Raises for lessons and val episodes that cannot be drawn, before anything is written."""
        for step in {0, min(self.plan.supervised, self.plan.steps - 1)}:
            self._lesson(step)
        if self.val is not None:
            self._val_task(self.val).sample(self.val, range(1), 0)

    def _resume(self, folder: Path) -> None:
        """Takes the folder, and what an interrupted training left there."""
        fingerprints = [part.fingerprint for part in (self.base, self.val) if part is not None]
        claimed = claim(folder, self.record, " ".join(fingerprints))
        torch.set_num_threads(claimed.threads)
        self.state = load_checkpoint(folder, self.model, self.optimizer)
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
            if self.out is not None and (ended or time.monotonic() - saved > CHECKPOINT_SECONDS):
                save_checkpoint(self.out, self.model, self.optimizer, self.state)
                saved = time.monotonic()

    @property
    def chosen(self) -> Epoch:
        """The epoch with the best val accuracy, the earliest of equals; without val the last."""
        if self.val is None:
            return self.state.log[-1]
        # Where labels come first, only what has seen episodes can be chosen.
        late = [epoch for epoch in self.state.log if epoch.step > self.plan.supervised] or self.state.log[-1:]
        return max(late, key=lambda epoch: epoch.val_accuracy or 0.0)

    @property
    def _ended(self) -> bool:
        """Whether all steps are done, or too many epochs in a row were no better."""
        if self.state.step >= self.plan.steps:
            return True
        patience, log = self.plan.patience, self.state.log
        return bool(patience and log and self.val is not None and log[-1].epoch - self.chosen.epoch >= patience)

    def _lesson(self, step: int) -> Lesson:
        kind = self.learner.lesson(self.plan, step)
        return self.lessons.episodes(step) if kind == "episodes" else self.lessons.labelled(step)

    def _step(self) -> None:
        """One step of the optimiser, counted and reported."""
        plan, state = self.plan, self.state
        lesson = self._lesson(state.step)
        for group in self.optimizer.param_groups:
            group["lr"] = plan.rate_at(state.step)
        self.model.train()
        with torch.random.fork_rng(devices=[]):  # dropout draws from the global generator
            torch.manual_seed(draw_seed(self.record.seed, "dropout", state.step))
            loss = self._loss(lesson)
            self.optimizer.zero_grad(set_to_none=True)
            loss.value.backward()  # type: ignore[no-untyped-call]
        if not torch.isfinite(loss.value):
            raise self._diverged(loss.value.item())
        if plan.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), plan.clip)
        self.optimizer.step()
        steps_in_epoch = state.step % plan.epoch + 1
        state.loss += (float(loss.value.detach()) - state.loss) / steps_in_epoch
        state.accuracy += (loss.accuracy - state.accuracy) / steps_in_epoch
        state.step += 1
        last_val = state.log[-1].val_accuracy if state.log else None
        self.reports.step(Moment(state.step, plan.steps, state.loss, state.accuracy, last_val))

    def _loss(self, lesson: Lesson) -> Loss:
        """The learner's loss; what goes wrong in somebody's own code is said in a line."""
        try:
            loss = self.learner.loss(self.model, lesson, self.plan)
        except torch.linalg.LinAlgError as error:  # type: ignore[attr-defined] # what a solver says of numbers beyond all bounds
            raise self._diverged("not a number") from error
        except FairshotError:
            raise
        except Exception as error:
            if not self.record.code:
                raise
            problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise FairshotError(f"{self._code} failed at step {self.state.step + 1} ({problem})") from error
        if not isinstance(loss, Loss):
            raise FairshotError(
                f"the loss of {self._code} is a {type(loss).__name__}: return fairshot.learners.Loss(value, accuracy)"
            )
        return loss

    @property
    def _code(self) -> str:
        """Somebody's own code in this training, for an error."""
        return " and ".join(self.record.code)

    def _diverged(self, loss: float | str) -> FairshotError:
        lower = f"lower the rate, such as --set rate={self.plan.rate / 10:g}"
        return FairshotError(f"the loss is {loss} at step {self.state.step + 1}: {lower}")

    def _end_epoch(self) -> None:
        """A snapshot, tried on val, and a line of the log."""
        state = self.state
        number, rate = -(-state.step // self.plan.epoch), self.plan.rate_at(state.step - 1)
        val = None if self.val is None else self._validate(self.val)
        seconds = round(state.seconds, 1)
        state.log.append(
            Epoch(
                epoch=number,
                step=state.step,
                loss=state.loss,
                accuracy=state.accuracy,
                val_accuracy=val,
                rate=rate,
                seconds=seconds,
            )
        )
        if self.out is None:
            self._snapshots[number] = {name: value.clone() for name, value in self.model.state_dict().items()}
        else:
            save_fitted(self._snapshot(number), self.model, replace(self.record, epoch=number), self.seen)
            write_log(self.out, state.log)
        self.reports.epoch(state.log[-1])
        state.loss = state.accuracy = 0.0

    def _val_task(self, val: Source) -> TaskDistribution:
        return val_task(Fitted(self.learner, self.model, self.record), val, self.task)

    def _validate(self, val: Source) -> float:
        """The accuracy on fixed episodes of the val part."""
        return val_accuracy(Fitted(self.learner, self.model.eval(), self.record), val, self._val_task(val))

    def _chosen_snapshot(self) -> Fitted:
        record = replace(self.record, epoch=self.chosen.epoch)
        if self.out is None:
            self.model.load_state_dict(self._snapshots[record.epoch])
        else:
            self.model.load_state_dict(load_state(self._snapshot(record.epoch)))
            save_fitted(self.out / WEIGHTS, self.model, record, self.seen)
        return Fitted(self.learner, self.model.eval().requires_grad_(False), record, self.seen, code=record.code)

    def _snapshot(self, number: int) -> Path:
        assert self.out is not None
        return self.out / SNAPSHOTS / f"epoch{number:04d}.safetensors"


def train(
    learner: Trainable | Subject,
    base: Source,
    val: Source | None = None,
    *,
    plan: Plan | str = "laptop",
    preset: str | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    reports: Reports | None = None,
    task: TaskDistribution | None = None,
) -> Fitted:
    """A trained copy of the learner; with `out`, it is kept there and goes on from there.

    `preset` is what the record calls the plan, and `task` what the plan calls its task.
    """
    subject = as_subject(learner)
    learner = subject.learner
    preset = preset or (plan if isinstance(plan, str) else "own")
    plan = learner.plan(plan) if isinstance(plan, str) else plan
    if bool(plan.task) != (task is not None):
        raise FairshotError(f"the plan's task is '{plan.task}': give that task with the plan, or leave out both")
    parts = [base]
    if val is not None and not len(val):
        val = None
    if plan.parts == "base+val" and val is not None:
        parts, val = [base, val], None
    shown = join_parts(parts)
    network = subject.architecture(plan.network)
    record = make_record(subject, network, plan, preset=preset, base=shown, seed=seed)
    if plan.exemplars:
        drawn = [*parts, *([val] if val is not None else [])]
        task = exemplar_task(drawn, plan.exemplars, way=plan.way, shot=plan.shot, query=plan.query, seed=seed)
    model = start_model(learner, network, record)
    seen = remember(*parts, val=val if plan.epochs > 1 else None)  # a single snapshot is not chosen
    if plan.begin:
        seen = begin_with(model, learner, network, record, seen)
    folder = None if out is None else Path(out)
    return Training(
        learner=learner,
        base=shown,
        val=val,
        record=record,
        model=model,
        seen=seen,
        out=folder,
        reports=reports or Reports(),
        task=task,
    ).run()


def _optimizer(plan: Plan, parameters: list[torch.nn.Parameter]) -> torch.optim.Optimizer:
    if plan.optimizer == "adam":
        return torch.optim.Adam(parameters, lr=plan.rate, weight_decay=plan.weight_decay)
    if plan.optimizer == "rmsprop":
        return torch.optim.RMSprop(parameters, lr=plan.rate, weight_decay=plan.weight_decay)
    return torch.optim.SGD(
        parameters, lr=plan.rate, momentum=plan.momentum, weight_decay=plan.weight_decay, nesterov=plan.nesterov
    )
