"""Training with snapshots, a log and exact resume: killed at any moment, the same call ends with the same bytes.

A step depends on (seed, step), the weights and the optimiser's state alone. These are kept in one file that is either
complete or not there; what came after it is done again and gives the same.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from fairshot.learners.exemplars import FromExemplars, exemplar_task
from fairshot.learners.features import Features
from fairshot.learners.fitted import Fitted, load_fitted, load_state, save_fitted
from fairshot.learners.networks.network import make_network
from fairshot.learners.seen import Seen, remember, remember_both
from fairshot.learners.training.checkpoint import Epoch, State, claim, load_checkpoint, save_checkpoint, write_log
from fairshot.learners.training.lessons import Lessons
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record, find_weights, read_record
from fairshot.learners.training.trainable import Lesson, Model, Trainable
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.memory import keep_large_blocks
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

CHECKPOINT_SECONDS = 20.0  # an interrupted training loses at most this much
WEIGHTS, SNAPSHOTS = "weights.safetensors", "snapshots"
VAL_PORTION = 50  # episodes of val answered at a time


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
    """Who is told: of every step, of every epoch, and of what is worth a line."""

    step: Callable[[Moment], None] = lambda moment: None
    epoch: Callable[[Epoch], None] = lambda epoch: None
    note: Callable[[str], None] = lambda note: None


@dataclass(eq=False)
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
        self._kept: dict[int, dict[str, Tensor]] = {}

    def run(self) -> Fitted:
        """Trains to the end and gives the learner with the weights of the chosen snapshot."""
        # What cannot be shown or tried is refused before anything is written.
        for step in {0, min(self.plan.supervised, self.plan.steps - 1)}:
            self._lesson(step)
        if self.val is not None:
            self._val_task(self.val).sample(self.val, range(1), 0)
        keep_large_blocks()
        usual = torch.get_num_threads()
        try:
            if self.out is not None:
                data = [part.fingerprint for part in (self.base, self.val) if part is not None]
                claimed = claim(self.out, self.record, " ".join(data))
                torch.set_num_threads(claimed.threads)
                self.state = load_checkpoint(self.out, self.model, self.optimizer)
                for note in [] if self._ended else claimed.notes:
                    self.reports.note(note)
            self._train()
        finally:
            torch.set_num_threads(usual)
        return self._chosen_snapshot()

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
        """After all steps, or when patience is."""
        if self.state.step >= self.plan.steps:
            return True
        patience, log = self.plan.patience, self.state.log
        return bool(patience and log and self.val is not None and log[-1].epoch - self.chosen.epoch >= patience)

    def _lesson(self, step: int) -> Lesson:
        kind = self.learner.lesson(self.plan, step)
        return self.lessons.episodes(step) if kind == "episodes" else self.lessons.labelled(step)

    def _step(self) -> None:
        step, plan, state = self.state.step, self.plan, self.state
        lesson = self._lesson(step)
        for group in self.optimizer.param_groups:
            group["lr"] = plan.rate_at(step)
        self.model.train()
        with torch.random.fork_rng(devices=[]):  # dropout draws from the global generator
            torch.manual_seed(_seed(self.record.seed, "dropout", step))
            try:
                loss = self.learner.loss(self.model, lesson, plan)
            except torch.linalg.LinAlgError as error:  # type: ignore[attr-defined] # what a solver says of numbers beyond all bounds
                raise self._diverged("not a number") from error
            self.optimizer.zero_grad(set_to_none=True)
            loss.value.backward()  # type: ignore[no-untyped-call]
        if not torch.isfinite(loss.value):
            raise self._diverged(loss.value.item())
        if plan.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), plan.clip)
        self.optimizer.step()
        done = step % plan.epoch + 1
        state.loss += (float(loss.value.detach()) - state.loss) / done
        state.accuracy += (loss.accuracy - state.accuracy) / done
        state.step = step + 1
        val = state.log[-1].val_accuracy if state.log else None
        self.reports.step(Moment(state.step, plan.steps, state.loss, state.accuracy, val))

    def _diverged(self, loss: float | str) -> FairshotError:
        lower = f"lower the rate, such as --set rate={self.plan.rate / 10:g}"
        return FairshotError(f"the loss is {loss} at step {self.state.step + 1}: {lower}")

    def _end_epoch(self) -> None:
        state = self.state
        number, rate = -(-state.step // self.plan.epoch), self.plan.rate_at(state.step - 1)
        accuracy = None if self.val is None else self._validate(self.val)
        state.log.append(Epoch(number, state.step, state.loss, state.accuracy, accuracy, rate, round(state.seconds, 1)))
        if self.out is None:
            self._kept[number] = {name: value.clone() for name, value in self.model.state_dict().items()}
        else:
            save_fitted(self._snapshot(number), self.model, replace(self.record, epoch=number), self.seen)
            write_log(self.out, state.log)
        self.reports.epoch(state.log[-1])
        state.loss = state.accuracy = 0.0

    def _val_task(self, val: Source) -> TaskDistribution:
        if isinstance(self.task, FromExemplars):
            return replace(self.task, way=min(self.plan.val_way, len(val.classes)), query=1)
        if self.task is not None:
            return self.task
        most = int(np.bincount(val.parent_ids).max()) if self.plan.within else len(val.classes)
        way = min(self.plan.val_way, most)
        unable = Fitted(self.learner, self.model, self.record).unable(way)
        kind = WithinParent if self.plan.within else Uniform
        return kind(way=self.plan.way if unable else way, shot=self.plan.val_shot, query=1, disjoint=None)

    def _validate(self, val: Source) -> float:
        """The accuracy on fixed episodes of the val part."""
        plan, task = self.plan, self._val_task(val)
        fitted = Fitted(self.learner, self.model.eval(), self.record)
        features = Features(val, fitted)
        right = []
        for start in range(0, plan.val_episodes, VAL_PORTION):
            episodes = task.sample(val, range(start, min(start + VAL_PORTION, plan.val_episodes)), 0)
            features.require(episodes)
            with torch.inference_mode():
                answers = fitted.classify(features.batch(episodes)).argmax(2).numpy()
            right.append((answers == episodes.query_labels).ravel())
        return float(np.concatenate(right).mean())

    def _chosen_snapshot(self) -> Fitted:
        record = replace(self.record, epoch=self.chosen.epoch)
        if self.out is None:
            self.model.load_state_dict(self._kept[record.epoch])
        else:
            self.model.load_state_dict(load_state(self._snapshot(record.epoch)))
            save_fitted(self.out / WEIGHTS, self.model, record, self.seen)
        return Fitted(self.learner, self.model.eval().requires_grad_(False), record, self.seen)

    def _snapshot(self, number: int) -> Path:
        assert self.out is not None
        return self.out / SNAPSHOTS / f"epoch{number:04d}.safetensors"


def train(
    learner: Trainable,
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
    preset = preset or (plan if isinstance(plan, str) else "own")
    plan = learner.plan(plan) if isinstance(plan, str) else plan
    if bool(plan.task) != (task is not None):
        raise FairshotError(f"the plan's task is '{plan.task}': give that task with the plan, or leave out both")
    if not base.has_images:
        raise FairshotError(f"{base.name} holds feature vectors, and a network is trained on images")
    parts = [base]
    if val is not None and not len(val):
        val = None
    if plan.parts == "base+val" and val is not None:
        parts, val = [base, val], None
    if plan.exemplars:
        drawn = [*parts, *([val] if val is not None else [])]
        task = exemplar_task(drawn, plan.exemplars, way=plan.way, shot=plan.shot, query=plan.query, seed=seed)
    shown = parts[0] if len(parts) == 1 else join_parts(parts)
    record = _record(learner, plan, preset, shown, seed)
    folder = None if out is None else Path(out)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_seed(seed, "weights", 0))
        network = make_network(plan.network, record.shape)
        model = Model(network, learner.start(network.width, record.classes), plan.statistics)
    seen = remember(*parts, val=val if plan.epochs > 1 else None)  # a single snapshot is not chosen
    if plan.begin:
        seen = _begin(model, learner, record, seen)
    return Training(learner, shown, val, record, model, seen, folder, reports or Reports(), task).run()


def _begin(model: Model, learner: Trainable, record: Record, seen: Seen) -> Seen:
    """Gives the network the weights that the plan names, and says what was seen by both trainings."""
    path = find_weights(record.plan.begin, record.learner)
    found = read_record(path)[0]
    own, other = (f"{each.plan.network} for {'x'.join(map(str, each.shape))}" for each in (record, found))
    if own != other:
        raise FairshotError(
            f"the training has a network {own} and would begin with one {other}: change network or recipe"
        )
    fitted = load_fitted(path, make_network(found.plan.network, found.shape), learner, own=False)
    model.network.load_state_dict(fitted.model.network.state_dict())
    return seen if fitted.seen is None else remember_both(fitted.seen, seen)


def _record(learner: Trainable, plan: Plan, preset: str, base: Source, seed: int) -> Record:
    colours, height, width = base.recipe.scale(base.read(slice(0, 1))).shape[1:]
    if height != width:
        raise FairshotError(f"{base.name} has images of {width} x {height}: networks want squares, say --recipe 84")
    name = type(learner).__module__.rpartition(".")[2]
    settings = dict(learner.settings)
    return Record(name, settings, plan, preset, base.name, base.recipe.name, (colours, height), len(base.classes), seed)


def join_parts(parts: list[Source]) -> Source:
    """Parts of one source as one part."""
    first = parts[0]
    name = " and ".join(part.name for part in parts)
    order = np.argsort(np.concatenate([part.image_ids for part in parts]))
    attributes = {key: np.concatenate([part.attributes[key] for part in parts])[order] for key in first.attributes}
    return replace(
        first,
        name=name,
        image_ids=np.concatenate([part.image_ids for part in parts])[order],
        class_ids=np.concatenate([part.class_ids for part in parts])[order],
        attributes=attributes,
    )


def _optimizer(plan: Plan, parameters: list[torch.nn.Parameter]) -> torch.optim.Optimizer:
    if plan.optimizer == "adam":
        return torch.optim.Adam(parameters, lr=plan.rate, weight_decay=plan.weight_decay)
    if plan.optimizer == "rmsprop":
        return torch.optim.RMSprop(parameters, lr=plan.rate, weight_decay=plan.weight_decay)
    return torch.optim.SGD(
        parameters, lr=plan.rate, momentum=plan.momentum, weight_decay=plan.weight_decay, nesterov=plan.nesterov
    )


def _seed(seed: int, what: str, step: int) -> int:
    return int(Stream(seed, what, step).integers(1 << 48, 1)[0])
