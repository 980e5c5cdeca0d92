"""The verb `train`: a learner's network on the base part of a split, kept in a folder from which it can go on."""

import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

from fairshot.checks.checklist import usual_task
from fairshot.evaluation.generator_course import GeneratorCourse, find_generator_plan, refuse_changes
from fairshot.generators.training.sampler import TrainedGenerator
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.learners.fitted import Fitted
from fairshot.learners.networks.network import Architecture
from fairshot.learners.training.checkpoint import Epoch
from fairshot.learners.training.group import SIZE
from fairshot.learners.training.loop import Reports
from fairshot.learners.training.loop import train as train_on
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.subject import Subject
from fairshot.learners.training.trainable import Trainable
from fairshot.runtime.errors import FairshotError, kind_of, unknown
from fairshot.runtime.grammar.learner import join_learner
from fairshot.runtime.grammar.name import is_own_code
from fairshot.runtime.grammar.settings import Setting, parse_settings, type_settings
from fairshot.sources.source import Source
from fairshot.specs.data import find_split, read_data, several, source_and_split
from fairshot.specs.generators import find_trainable_generator
from fairshot.specs.tasks import find_task
from fairshot.specs.trainables import as_network_code, as_trainable
from fairshot.splits.split import Split
from fairshot.splits.union import join_splits

UNSEEN = ("novel", "base_heldout", "val")  # parts that a training does not learn from, the best to judge on first
USUAL_WAY, USUAL_QUERY = 5, 15  # of an evaluation that says nothing else

Changes = str | Mapping[str, Any]


@dataclass(frozen=True)
class LearnerCourse:
    """A training that has been looked up and not yet begun: what is trained, how, and on what."""

    subject: Subject
    plan: Plan
    preset: str
    """What the record calls the plan."""
    split: Split

    def run(self, *, seed: int = 0, out: Path | str | None = None, reports: Reports | None = None) -> Fitted:
        """Trains; with `out`, the same call goes on where it was interrupted."""
        plan = self.plan
        shape = {"way": plan.way, "shot": plan.shot, "query": plan.query}
        task = find_task(plan.task, shape) if plan.task else None
        return train_on(
            self.subject,
            self.split.base,
            self.split.val,
            plan=plan,
            preset=self.preset,
            seed=seed,
            out=out,
            reports=reports,
            task=task,
        )

    def command(self, fitted: Fitted | TrainedGenerator, split: str, out: Path) -> str:
        """The command that judges what was trained, in episodes that the split has and the learner can serve."""
        assert isinstance(fitted, Fitted)
        parts = [name for name in UNSEEN if len(getattr(self.split, name))]
        if self.plan.parts == "base+val" and "val" in parts:
            parts.remove("val")
        if not parts:
            return ""
        if pieces := several(split):
            where = ["+".join(f"{piece}/{parts[0]}" for piece in pieces)]
            return shlex.join(
                ["fairshot", "evaluate", *where, "--learner", spec_of(fitted, out), "--task", "by-source"]
            )
        source, name = source_and_split(split)
        where = [f"{source}/{name}/{parts[0]}"]
        if read_data(source).stands_alone or "/" in name:
            where = [source, "--split", name, *(["--part", parts[0]] if parts[0] != "novel" else [])]
        shape = _fitting_shape(fitted, self.split.part(parts[0]))
        return shlex.join(["fairshot", "evaluate", *where, "--learner", spec_of(fitted, out), *shape])


def train(
    learner: Any,
    split: Any,
    *,
    preset: str | Plan = "laptop",
    changes: Changes = "",
    recipe: str | int | None = None,
    skip_bad: bool = False,
    seed: int = 0,
    out: Path | str | None = None,
    reports: Reports | None = None,
) -> Fitted | TrainedGenerator:
    """A learner with a network that was trained on the base part of a split; what it returns can be evaluated.

    `learner` is a spec (`prototypes`, `siamese@mine.py:Net`, `mine.py:Mine`), a Trainable, or a torch module, its class
    or a function that makes it, which gets prototypes for a head; or a generator (`vae_stn:beta=2`), which can be
    scored. `split` is a Split or its spec; a folder, arrays or
    a Source without one are split at random. `preset` names a plan of the learner, or is a Plan; `changes` are made in
    it: `"steps=2000,rate=0.01"` or `{"steps": 2000, "network": Net}`.

    With `out` the training is kept in that folder: the same call goes on where it was interrupted, and gives what is
    there when it is finished.
    """
    course = find_course(learner, split, preset=preset, changes=changes, recipe=recipe, skip_bad=skip_bad)
    refuse_processes(course, 1)
    return course.run(seed=seed, out=out, reports=reports)


def find_course(
    learner: Any,
    split: Any,
    *,
    preset: str | Plan = "laptop",
    changes: Changes = "",
    recipe: str | int | None = None,
    skip_bad: bool = False,
) -> LearnerCourse | GeneratorCourse:
    """Everything that a training needs, from words or objects."""
    generator = find_trainable_generator(learner, preset if isinstance(preset, str) else "")
    if generator is not None:
        where = partial(find_training_split, split, skip_bad=skip_bad)
        named = isinstance(split, str | Path)
        return _generator_course(*generator, where, preset, changes=as_mapping(changes), recipe=recipe, named=named)
    subject = as_trainable(learner)
    network, others = _split_network(changes)
    plan, called = find_plan(subject.learner, preset, others)
    if network is not None:
        if subject.network is not None:
            raise FairshotError(
                f"two networks were given, {subject.network.name} with the learner and {network} as a change: leave "
                "one out"
            )
        subject = replace(subject, network=_as_network(network))
    return LearnerCourse(subject, plan, called, find_training_split(split, recipe, plan.recipe, skip_bad=skip_bad))


def refuse_processes(course: LearnerCourse | GeneratorCourse, processes: int) -> None:
    """Raises where several processes would train a generator: each would train its own."""
    if (processes > 1 or SIZE in os.environ) and isinstance(course, GeneratorCourse):
        raise FairshotError("a generator is trained by one process: leave out processes")


def _generator_course(
    generator: TrainableGenerator,
    name: str,
    find_data: Callable[..., Split],
    preset: str | Plan,
    *,
    changes: dict[str, Any],
    recipe: str | int | None,
    named: bool,
) -> GeneratorCourse:
    """The training of a generator; data that was `named` can be read again under another recipe."""
    refuse_changes(changes, name)
    plan, called = find_generator_plan(generator, preset, changes)
    return GeneratorCourse(
        generator, name, plan, called, find_data(recipe, plan.recipe), other_split=find_data if named else None
    )


def find_plan(learner: Trainable, preset: str | Plan, changes: Changes = "") -> tuple[Plan, str]:
    """A preset with changes such as `steps=2000,rate=0.01`, and what the record calls it."""
    plan, name = (preset, "own") if isinstance(preset, Plan) else (learner.plan(preset), preset)
    changed = {key: value for key, value in as_mapping(changes).items() if getattr(plan, key) != value}
    listed = ", ".join(f"{key}={_shown(key, value)}" for key, value in changed.items())
    return replace(plan, **changed), f"{name} with {listed}" if listed else name


def _shown(key: str, value: Any) -> Any:
    """A change as the record has it; where weights to begin with lie is nobody's business elsewhere."""
    return Path(value).name if key == "begin" else value


def as_mapping(changes: Changes) -> dict[str, Any]:
    """Changes of a plan by name, with values of the right type."""
    hints = get_type_hints(Plan)
    if isinstance(changes, str):
        return parse_settings(changes, {name: hint for name, hint in hints.items() if name != "factors"}, "a plan")
    typed = dict(changes)
    for name, value in changes.items():
        if name not in hints:
            raise unknown("setting of a plan", str(name), hints)
        if isinstance(value, str) and name not in ("network", "factors"):
            typed |= type_settings((Setting(name, value),), hints, "a plan")
    return typed


def _split_network(changes: Changes) -> tuple[Any, Changes]:
    """The network of somebody's own among changes, if there is one, and the other changes."""
    named = as_mapping(changes)
    network = named.get("network")
    if network is None or (isinstance(network, str) and not is_own_code(network)):
        return None, named
    return network, {name: value for name, value in named.items() if name != "network"}


def _as_network(network: Any) -> Architecture:
    architecture = as_network_code(network)
    if architecture is None:
        raise FairshotError(f"network is {kind_of(network)}: give a name, path.py:NAME, or a torch module of your own")
    return architecture


def find_training_split(
    what: Any, recipe: str | int | None = None, plan_recipe: str | int | None = None, *, skip_bad: bool = False
) -> Split:
    """A Split, or its spec `SOURCE/SPLIT`; what has no split (a folder, arrays, a Source) is split at random."""
    if pieces := several(what):
        return join_splits([find_training_split(piece, recipe, plan_recipe) for piece in pieces])
    if isinstance(what, Path):
        what = f"folder:{what}" if what.is_dir() else f"array:{what}"
    if isinstance(what, str):
        try:
            asked = source_and_split(what)
        except FairshotError as error:
            raise FairshotError(
                f"cannot train on '{what}': write SOURCE/SPLIT, such as omniglot/lake, or folder:PATH"
            ) from error
        return find_split(*asked, recipe=recipe or plan_recipe, skip_bad=skip_bad)
    return find_split(what, recipe=recipe, skip_bad=skip_bad)


def spec_of(fitted: Fitted, out: Path) -> str:
    """What names a trained learner on a command line: its folder, behind the code of somebody's own that it needs."""
    record = fitted.record
    head, network = (name if name in record.code else None for name in (record.learner, record.plan.network))
    return join_learner(head, network, str(out))


def _fitting_shape(fitted: Fitted, part: Source) -> list[str]:
    """Way and query, where the usual ones are not to be had from a part or the learner cannot serve them."""
    asked = {"way": fitted.record.plan.way} if fitted.unable(USUAL_WAY) else {}
    way, query = asked.get("way", USUAL_WAY), USUAL_QUERY
    with suppress(FairshotError):
        task = usual_task(part, asked)
        way, query = getattr(task, "way", way), getattr(task, "query", query)
    words = ["--way", str(way)] if way != USUAL_WAY else []
    return words + (["--query", str(query)] if query != USUAL_QUERY else [])


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
            values = {
                "loss": epoch.loss,
                "accuracy": epoch.accuracy,
                "val accuracy": epoch.val_accuracy,
                **epoch.terms,
                "rate": epoch.rate,
            }
            for name, value in values.items():
                if value is not None:
                    board.add_scalar(name, value, epoch.step)

    return write
