"""Training a learner on episodes or labels: killed at any moment, the same call ends with the same bytes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fairshot.learners.exemplars import exemplar_task
from fairshot.learners.fitted import Fitted, save_fitted
from fairshot.learners.seen import remember
from fairshot.learners.training.checkpoint import Epoch
from fairshot.learners.training.group import joined_group, refuse_shared
from fairshot.learners.training.lessons import Lessons
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record
from fairshot.learners.training.resumable import (
    Measured,
    Moment,
    Reports,
    Resumable,
    limit_gradients,
)
from fairshot.learners.training.start import begin_with, draw_seed, join_parts, make_record, start_model
from fairshot.learners.training.subject import Subject, as_subject
from fairshot.learners.training.trainable import Lesson, Loss, Model, Trainable
from fairshot.learners.training.validation import val_accuracy, val_task
from fairshot.runtime.errors import FairshotError, kind_of
from fairshot.sources.source import Source
from fairshot.tasks.task import TaskDistribution

__all__ = ["Moment", "Reports", "Training", "train"]


@dataclass(eq=False, kw_only=True)
class Training(Resumable[Model, Fitted]):
    """One training of a learner, from its first step to its last."""

    learner: Trainable
    task: TaskDistribution | None = None
    """What episodes are drawn from, where the plan names it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lessons = Lessons(self.base, self.plan, self.record.seed, self.task)
        self.optimizers = {"optimizer": make_optimizer(self.plan, list(self.model.parameters()))}

    def refuse_impossible(self) -> None:
        """Raises for lessons and val episodes that cannot be drawn."""
        for step in {0, min(self.plan.supervised, self.plan.steps - 1)}:
            self._lesson(step)
        if self.val is not None:
            self._val_task(self.val).sample(self.val, range(1), 0)

    def choose(self, log: list[Epoch]) -> Epoch:
        """The epoch with the best val accuracy, the earliest of equals."""
        # Where labels come first, only what has seen episodes can be chosen.
        late = [epoch for epoch in log if epoch.step > self.plan.supervised] or log[-1:]
        return max(late, key=lambda epoch: epoch.val_accuracy or 0.0)

    def _lesson(self, step: int) -> Lesson:
        kind = self.learner.lesson(self.plan, step)
        return self.lessons.episodes(step) if kind == "episodes" else self.lessons.labelled(step)

    def advance(self, step: int, rate: float) -> Measured:
        """One step of the optimiser."""
        lesson = self._lesson(step)
        self.model.train()
        optimizer = self.optimizers["optimizer"]
        with torch.random.fork_rng(devices=[]):  # dropout draws from the global generator
            torch.manual_seed(draw_seed(self.record.seed, "dropout", step))
            with self.group.step(self.model):
                loss = self._loss(lesson)
            optimizer.zero_grad(set_to_none=True)
            loss.value.backward()  # type: ignore[no-untyped-call]
        if not torch.isfinite(loss.value):
            raise self.diverged(loss.value.item())
        limit_gradients(self.model, self.plan)
        optimizer.step()
        return Measured(float(loss.value.detach()), accuracy=loss.accuracy)

    def _loss(self, lesson: Lesson) -> Loss:
        """The learner's loss; what goes wrong in somebody's own code is said in a line."""
        try:
            loss = self.learner.loss(self.model, lesson, self.plan)
        except torch.linalg.LinAlgError as error:  # type: ignore[attr-defined] # what a solver says of numbers beyond all bounds
            raise self.diverged("not a number") from error
        except FairshotError:
            raise
        except Exception as error:
            if not self.record.code:
                raise
            problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise FairshotError(f"{self._code} failed at step {self.state.step + 1} ({problem})") from error
        if not isinstance(loss, Loss):
            raise FairshotError(
                f"the loss of {self._code} is {kind_of(loss)}: return fairshot.learners.Loss(value, accuracy)"
            )
        return loss

    @property
    def _code(self) -> str:
        """Somebody's own code in this training, for an error."""
        return " and ".join(self.record.code)

    def judge(self, val: Source) -> Measured:
        """The accuracy on val."""
        return Measured(accuracy=self._validate(val))

    def _val_task(self, val: Source) -> TaskDistribution:
        return val_task(Fitted(self.learner, self.model, self.record), val, self.task)

    def _validate(self, val: Source) -> float:
        """The accuracy on fixed episodes of the val part."""
        return val_accuracy(Fitted(self.learner, self.model.eval(), self.record), val, self._val_task(val))

    def save(self, path: Path, record: Record) -> None:
        """Model, record and what was seen."""
        save_fitted(path, self.model, record, self.seen)

    def finish(self, record: Record, weights: dict[str, Tensor]) -> Fitted:
        """The learner with the weights of the chosen snapshot."""
        self.model.load_state_dict(weights)
        return Fitted(self.learner, self.model.eval().requires_grad_(False), record, self.seen, code=record.code)


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

    `preset` is what the record calls the plan, and `task` what the plan calls its task. Where torchrun started several
    processes, they train one model together.
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
    about: dict[str, Any] = {"learner": learner, "base": shown, "val": val, "record": record, "model": model}
    about |= {"seen": seen, "out": None if out is None else Path(out), "reports": reports or Reports(), "task": task}
    with joined_group() as group:
        if group.size > 1:
            refuse_shared(learner, model, plan)
        return Training(**about, group=group).run()


def make_optimizer(plan: Plan, parameters: list[torch.nn.Parameter], *, fused: bool = False) -> torch.optim.Optimizer:
    """The optimiser that a plan names; Adam in one pass over the weights, with other last digits, if it is fused."""
    if plan.optimizer == "adam":
        return torch.optim.Adam(parameters, lr=plan.rate, weight_decay=plan.weight_decay, fused=fused)
    if plan.optimizer == "rmsprop":
        return torch.optim.RMSprop(parameters, lr=plan.rate, weight_decay=plan.weight_decay)
    return torch.optim.SGD(
        parameters, lr=plan.rate, momentum=plan.momentum, weight_decay=plan.weight_decay, nesterov=plan.nesterov
    )
