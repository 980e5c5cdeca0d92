"""Which snapshot of a training is the best, and does any rule that cannot see novel classes find it?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import linear

from fairshot.evaluation.scorer import Scorer
from fairshot.learners.features import BATCH, Features
from fairshot.learners.fitted import Fitted
from fairshot.learners.learner import Classifier
from fairshot.learners.training.label_loss import Supervised
from fairshot.metrics.accuracy import Accuracy
from fairshot.results.schema import Facts, Result, Row, SourceName
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.selection import Kendall, kendall, losses
from fairshot.studies.kinds.trained_table import TrainedStudy
from fairshot.studies.study import Conditions
from fairshot.tasks.folds import support_folds
from fairshot.tasks.task import ClassTask

BASE, VAL, NOVEL, FOLDS = "BaseGen", "ValGen", "NovelGen", "support cross-validation"
PARTS = {BASE: "base_heldout", VAL: "val", NOVEL: "novel"}
REFERENCE, VAL_IMAGES, TEST_IMAGES = "IC", "val images", "test images"

Curve = Float[np.ndarray, "snapshot unit"]
"""What each snapshot scored in each episode, or whether it named each image."""


@dataclass(frozen=True)
class Benchmark:
    """A split with held-out images of base classes."""

    label: str
    split: str
    task: ClassTask
    courses: Mapping[str, str]
    """By learner."""
    classifier: str = ""
    """The course whose names of base classes are judged as those of an ordinary classifier."""
    images: int = 1 << 20
    """Of each class, in every part, at most."""
    recipe: str | None = None


@dataclass(frozen=True)
class Snapshots(TrainedStudy):
    """Every snapshot of every course on held-out images, on val and on novel classes."""

    benchmarks: tuple[Benchmark, ...]

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner on every part of every benchmark, and the ordinary classifiers."""
        found = {
            (name, f"{own.label}, {quantity}")
            for own in self.benchmarks
            for name in own.courses
            for quantity in (*PARTS, FOLDS)
        }
        return found | {
            (REFERENCE, f"{own.label}, {what}")
            for own in self.benchmarks
            if own.classifier
            for what in (VAL_IMAGES, TEST_IMAGES)
        }

    def run(self, conditions: Conditions) -> Result:
        """Curves, how well they foretell the novel one, and what choosing by them loses."""
        short, trainings = self.short(conditions), self.trainings
        training = trainings.run(conditions, short=short)
        count = min(self.episodes, conditions.limit or self.episodes)
        rows, curves = list[Row](), dict[tuple[str, str], dict[str, Curve]]()
        for own in self.benchmarks:
            split = find_split(*own.split.split("/"), recipe=own.recipe)
            for name, course in own.courses.items():
                folder = trainings.folder(course, conditions, short=short)
                what = f"{own.label}, {name}"
                curves[own.label, name] = _curves(snapshots_in(folder), own, split, count, self.seed, conditions, what)
            if own.classifier:
                folder = trainings.folder(own.classifier, conditions, short=short)
                curves[own.label, REFERENCE] = _reference(snapshots_in(folder), split, self.seed)
        for (label, name), each in curves.items():
            rows += [row for quantity, curve in each.items() for row in _rows(name, f"{label}, {quantity}", curve)]
        label = " and ".join(own.split for own in self.benchmarks)
        prints = [find_split(*own.split.split("/")).base.origin for own in self.benchmarks]
        source = SourceName(name=label, fingerprint=fingerprint(prints), recipe="that of each split")
        facts = [*(_shown(label, name, each) for (label, name), each in curves.items()), _agreement(curves)]
        facts.append(_lost(curves))
        result = Result(seed=self.seed, source=source, rows=rows, episodes_key=fingerprint(prints, count), facts=facts)
        return conditions.stamp(result.model_copy(update={"training": training}))


def snapshots_in(folder: Path) -> list[Path]:
    """The snapshots of a training, the earliest first."""
    return sorted((folder / "snapshots").glob("epoch*.safetensors"))


def places(part: Source, seed: int) -> Int[np.ndarray, " image"]:
    """For each image its place in a random order of its class."""
    order = np.lexsort((Stream(seed, "places").uniform(len(part)), part.class_ids))
    found = np.empty(len(part), dtype=np.int64)
    found[order] = np.arange(len(part)) - np.repeat(part.members.starts, part.members.counts)
    return found


def _curves(
    snapshots: Sequence[Path], own: Benchmark, split: Split, count: int, seed: int, conditions: Conditions, what: str
) -> dict[str, Curve]:
    """The scores of all snapshots in the same episodes, and in those that supports of novel classes make."""
    parts = parts_of(split, own.images, seed)
    found: dict[str, list[np.ndarray]] = {quantity: [] for quantity in (*PARTS, FOLDS)}
    for done, path in enumerate(snapshots, 1):
        for quantity, values in scores_of(find_learner(str(path)), own.task, parts, count, seed):
            found[quantity].append(values)
        conditions.progress(f"{what}: snapshots", done, len(snapshots), float(found[NOVEL][-1].mean()))
    return {quantity: np.stack(values) for quantity, values in found.items()}


def parts_of(split: Split, images: int, seed: int) -> dict[str, Source]:
    """What is judged, with at most so many images of each class."""
    whole = {quantity: split.part(part) for quantity, part in PARTS.items()}
    return {quantity: part.select(places(part, seed) < images) for quantity, part in whole.items()}


def scores_of(
    learner: Classifier, task: ClassTask, parts: Mapping[str, Source], count: int, seed: int
) -> Iterator[tuple[str, Float[np.ndarray, " episode"]]]:
    """In the episodes of each part, and by cross-validation on the supports of novel ones."""
    for quantity, part in parts.items():
        answering = Scorer(Features(part, learner), learner, Accuracy())
        episodes = task.sample(part, range(count), seed)
        answering.features.require(episodes)
        yield quantity, answering(episodes).values
        if quantity == NOVEL:
            folds = answering(support_folds(episodes)).values
            yield FOLDS, folds.reshape(task.shot, count).mean(axis=0)


def _reference(snapshots: Sequence[Path], split: Split, seed: int) -> dict[str, Curve]:
    """Ordinary classification: images of the base classes that were held out, one half to choose on."""
    held, found = split.part("base_heldout"), list[np.ndarray]()
    half = places(held, seed) % 2
    for path in snapshots:
        found.append(named_rightly(find_learner(str(path)), held, split.base))
    right = np.stack(found)
    return {VAL_IMAGES: right[:, half == 0], TEST_IMAGES: right[:, half == 1]}


def named_rightly(learner: Classifier, part: Source, base: Source) -> Float[np.ndarray, " image"]:
    """For each image 1 if the linear layer that was learned with the network names its class."""
    answers = name_logits(learner, part).argmax(1).numpy()
    return (answers == np.searchsorted(base.classes, part.class_ids)).astype(np.float64)


def name_logits(learner: Classifier, part: Source) -> Float[Tensor, "image class"]:
    """What the linear layer that was learned with the network says of every base class."""
    if not isinstance(learner, Fitted) or not isinstance(learner.head, Supervised):
        raise FairshotError("only a learner that was trained on the labels of base classes can name them")
    features, head = Features(part, learner), learner.model.learned
    portions = np.array_split(np.arange(len(part)), -(-len(part) // BATCH))
    with torch.inference_mode():
        each = [linear(torch.from_numpy(features.embed(rows)), head["weight"], head["bias"]) for rows in portions]
        return torch.cat(each)


def _rows(learner: str, task: str, curve: Curve) -> list[Row]:
    """One for each snapshot."""
    part, metric = task.rpartition(", ")[2], "accuracy"
    return [
        Row.model_validate(
            {
                "learner": learner, "task": task, "part": part, "metric": metric, "episodes": len(values),
                "episodes_key": "", "value": float(values.mean()), "snapshot": number,
                "intervals": {"episodes": over_episodes(values).interval},
            }
        )
        for number, values in enumerate(curve, 1)
    ]  # fmt: skip


def _shown(label: str, name: str, curves: Mapping[str, Curve]) -> Facts:
    columns = ["snapshot", *curves]
    means = [curve.mean(axis=1) for curve in curves.values()]
    rows = [[str(n), *(f"{100 * mean[n - 1]:.1f}" for mean in means)] for n in range(1, len(means[0]) + 1)]
    return Facts(title=f"{label}, {name}", columns=columns, rows=rows)


def _foretelling(curves: Mapping[str, Curve]) -> tuple[list[str], str]:
    """What may be looked at, and what it should foretell."""
    return ([VAL_IMAGES], TEST_IMAGES) if TEST_IMAGES in curves else ([BASE, VAL, FOLDS], NOVEL)


def _agreement(curves: Mapping[tuple[str, str], Mapping[str, Curve]]) -> Facts:
    """Kendall's tau over all snapshots and over the later half."""
    rows = []
    for (label, name), each in curves.items():
        seen, truth = _foretelling(each)
        for quantity in seen:
            first, second = each[quantity].mean(axis=1), each[truth].mean(axis=1)
            late = slice(len(first) // 2, None)
            both = kendall(first, second), kendall(first[late], second[late])
            rows.append([label, name, f"{quantity} for {truth}", *map(_tau, both)])
    columns = ["benchmark", "learner", "one ranking for another", "tau, all snapshots", "tau, later half"]
    note = "Kendall's tau-a; in brackets the pairs of snapshots that are tied, which count for neither side."
    return Facts(title="agreement", columns=columns, rows=rows, note=note)


def _tau(found: Kendall) -> str:
    return "none" if found.tau is None else f"{found.tau:.2f} ({found.ties} of {found.pairs} tied)"


def _lost(curves: Mapping[tuple[str, str], Mapping[str, Curve]]) -> Facts:
    """What each rule of choice costs, in points of accuracy."""
    rows = []
    for (label, name), each in curves.items():
        seen, truth = _foretelling(each)
        rules = {"last": np.arange(len(each[truth]), dtype=np.float64)}
        rules |= {quantity: each[quantity].mean(axis=1) for quantity in seen}
        for rule, loss in losses(rules, each[truth]).items():
            chosen: list[Any] = [loss.chosen + 1, loss.best + 1]
            points = [f"{100 * value:.2f}" for value in (loss.plain, loss.crossed)]
            rows.append([label, name, rule, *map(str, chosen), *points])
    columns = ["benchmark", "learner", "rule", "takes snapshot", "the best is", "loses", "loses, cross-fitted"]
    note = (
        "Points of accuracy. The best snapshot owes some of its lead to luck in the episodes that it is found on; "
        "cross-fitted, it is found on one half of them and judged on the other."
    )
    return Facts(title="losses", columns=columns, rows=rows, note=note)
