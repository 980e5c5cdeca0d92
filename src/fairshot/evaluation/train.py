"""The verb `train`: a learner's network on the base part of a split, kept in a folder from which it can go on."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_type_hints

from fairshot.learners.fitted import Fitted
from fairshot.learners.training.checkpoint import Epoch
from fairshot.learners.training.loop import Reports
from fairshot.learners.training.loop import train as train_on
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Trainable
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import find_split
from fairshot.specs.grammar import parse_settings
from fairshot.specs.learners import find_learner
from fairshot.specs.registry import names
from fairshot.specs.tasks import find_task
from fairshot.splits.split import Split

WHOLE, RANDOM = ("folder", "array"), "random"  # sources that no split is named with, and the one they get
USUAL_WAY = 5  # of an evaluation that says nothing else


def find_trainable(spec: str) -> Trainable:
    """A learner that can be trained, by name."""
    learner = find_learner(spec)
    if isinstance(learner, Trainable):
        return learner
    others = [name for name in names("learners") if isinstance(find_learner(name), Trainable)]
    raise FairshotError(f"{spec} has nothing to train: choose among {', '.join(others)}")


def find_plan(learner: Trainable, preset: str, changes: str = "") -> tuple[Plan, str]:
    """A preset with changes such as `steps=2000,rate=0.01`, and what the record calls it."""
    hints = {name: hint for name, hint in get_type_hints(Plan).items() if name != "factors"}
    changed = parse_settings(changes, hints, "a plan")
    plan = learner.plan(preset)
    changed = {name: value for name, value in changed.items() if getattr(plan, name) != value}
    told = ", ".join(f"{name}={value}" for name, value in changed.items())
    return replace(plan, **changed), f"{preset} with {told}" if told else preset


def find_training_split(what: str, recipe: str | None = None) -> Split:
    """`SOURCE/SPLIT`; a folder without a split is split at random."""
    if what.partition(":")[0] in WHOLE:
        source, split = what, RANDOM
    else:
        source, _, split = what.partition("/")
        if not split or "/" in split:
            raise FairshotError(f"cannot train on '{what}': write SOURCE/SPLIT, such as omniglot/lake, or folder:PATH")
    return find_split(source, split, recipe=recipe)


def train(
    learner: str,
    split: str,
    *,
    preset: str = "laptop",
    changes: str = "",
    recipe: str | None = None,
    seed: int = 0,
    out: Path | None = None,
    reports: Reports | None = None,
) -> Fitted:
    """Trains by name; the same call goes on where it was interrupted."""
    trainable = find_trainable(learner)
    plan, called = find_plan(trainable, preset, changes)
    found = find_training_split(split, recipe or plan.recipe)
    own = {"way": plan.way, "shot": plan.shot, "query": plan.query}
    return train_on(
        trainable, found.base, found.val, plan=plan, preset=called, seed=seed, out=out, reports=reports,
        task=find_task(plan.task, own) if plan.task else None,
    )  # fmt: skip


def judging(fitted: Fitted, split: str, out: Path) -> str:
    """The command that judges what was trained on that split, in classes it can serve."""
    whole = split.partition(":")[0] in WHOLE
    words = ["fairshot", "evaluate", *([split, "--split", RANDOM] if whole else [f"{split}/novel"])]
    way = ["--way", str(fitted.record.plan.way)] if fitted.unable(USUAL_WAY) else []
    return shlex.join([*words, "--learner", str(out), *way])


def tensorboard(folder: Path) -> Callable[[Epoch], None]:
    """Writes every epoch to TensorBoard's files in the folder, where tensorboard is installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise FairshotError(
            "--tensorboard needs the package tensorboard: install it with pip install 'fairshot[tensorboard]'"
        ) from error

    def write(epoch: Epoch) -> None:
        # Opened anew for each epoch, so that nothing is lost when the training is killed.
        with SummaryWriter(str(folder / "tensorboard")) as board:
            told = {
                "loss": epoch.loss,
                "accuracy": epoch.accuracy,
                "val accuracy": epoch.val_accuracy,
                "rate": epoch.rate,
            }
            for name, value in told.items():
                if value is not None:
                    board.add_scalar(name, value, epoch.step)

    return write
