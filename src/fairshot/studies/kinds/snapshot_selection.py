"""Which snapshot of a training is the best, and does any rule that cannot see novel classes find it?"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

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
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import ChoiceLoss, ChoiceResult, SnapshotRow
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
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.folds import support_folds
from fairshot.tasks.task import ClassTask

BASE, VAL, NOVEL, FOLDS = "BaseGen", "ValGen", "NovelGen", "support cross-validation"
PARTS = {BASE: "base_heldout", VAL: "val", NOVEL: "novel"}
REFERENCE, VAL_IMAGES, TEST_IMAGES = "IC", "val images", "test images"

Curve = Float[np.ndarray, "snapshot unit"]
"""What each snapshot scored in each episode, or whether it named each image."""
Means = Float[np.ndarray, " snapshot"]


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
        """Curves, how well they predict the novel one, and what choosing by them loses."""
        short, trainings = self.short(conditions), self.trainings
        training = trainings.run(conditions, short=short)
        count = min(self.episodes, conditions.limit or self.episodes)
        rows, curves = list[Row](), dict[tuple[str, str], dict[str, Curve]]()
        for own in self.benchmarks:
            split = find_split(own.split, recipe=own.recipe)
            for name, course in own.courses.items():
                folder = trainings.folder(course, conditions, short=short)
                what = f"{own.label}, {name}"
                curves[own.label, name] = _curves(
                    snapshots_in(folder), own, split, count=count, seed=self.seed, conditions=conditions, what=what
                )
            if own.classifier:
                folder = trainings.folder(own.classifier, conditions, short=short)
                curves[own.label, REFERENCE] = _reference(snapshots_in(folder), split, self.seed)
        for (label, name), each in curves.items():
            rows += [row for quantity, curve in each.items() for row in _rows(name, label, quantity, curve)]
        label = " and ".join(own.split for own in self.benchmarks)
        prints = [find_split(own.split).base.origin for own in self.benchmarks]
        source = SourceName(name=label, fingerprint=fingerprint(prints), recipe="that of each split")
        result = ChoiceResult(
            seed=self.seed,
            source=source,
            rows=rows,
            episodes_key=fingerprint(prints, count),
            losses=_losses(curves),
            training=training,
        )
        return conditions.stamp(result)

    def tables(self, result: Result) -> list[Table]:
        """The curves, how well one predicts another, and what choosing by them loses."""
        curves = _mean_curves(result.rows)
        shown = [_curve_table(f"{label}, {name}", means) for (label, name), means in curves.items()]
        losses = result.losses if isinstance(result, ChoiceResult) else []
        return [*shown, _agreement_table(curves), _loss_table(losses)]


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
    snapshots: Sequence[Path],
    own: Benchmark,
    split: Split,
    *,
    count: int,
    seed: int,
    conditions: Conditions,
    what: str,
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


def _rows(learner: str, benchmark: str, quantity: str, curve: Curve) -> list[SnapshotRow]:
    """One for each snapshot."""
    return [
        SnapshotRow(
            learner=learner,
            task=f"{benchmark}, {quantity}",
            part=quantity,
            metric="accuracy",
            episodes=len(values),
            episodes_key="",
            value=float(values.mean()),
            snapshot=number,
            benchmark=benchmark,
            intervals={"episodes": over_episodes(values).interval},
        )
        for number, values in enumerate(curve, 1)
    ]


def _mean_curves(rows: Sequence[Row]) -> dict[tuple[str, str], dict[str, Means]]:
    """By benchmark and learner, for each part the means of all snapshots in order."""
    curves: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in rows:
        if isinstance(row, SnapshotRow):
            curves.setdefault((row.benchmark, row.learner), {}).setdefault(row.part, []).append(row.number)
    return {key: {part: np.array(means) for part, means in parts.items()} for key, parts in curves.items()}


def _curve_table(title: str, curves: Mapping[str, Means]) -> Table:
    means = [curve.tolist() for curve in curves.values()]
    rows: list[list[Cell]] = [
        [number, *(Quantity(value=value, unit="share") for value in values)]
        for number, values in enumerate(zip(*means, strict=True), 1)
    ]
    return Table(title=title, columns=plain_columns("snapshot", *curves), rows=rows)


def _rules_and_truth(parts: Collection[str]) -> tuple[list[str], str]:
    """What may be looked at, and what it should predict."""
    return ([VAL_IMAGES], TEST_IMAGES) if TEST_IMAGES in parts else ([BASE, VAL, FOLDS], NOVEL)


def _agreement_table(curves: Mapping[tuple[str, str], Mapping[str, Means]]) -> Table:
    """Kendall's tau over all snapshots and over the later half."""
    rows = list[list[Cell]]()
    for (label, name), means in curves.items():
        rules, truth = _rules_and_truth(means)
        for rule in rules:
            late = slice(len(means[rule]) // 2, None)
            pairs = kendall(means[rule], means[truth]), kendall(means[rule][late], means[truth][late])
            rows.append([label, name, f"{rule} for {truth}", *(cell for tau in pairs for cell in _tau(tau))])
    columns = plain_columns(
        *("benchmark", "learner", "one ranking for another", "tau, all snapshots", "tied", "of pairs"),
        *("tau, later half", "tied", "of pairs"),
    )
    note = "Kendall's tau-a; pairs of snapshots that are tied count for neither side."
    return Table(title="agreement", columns=columns, rows=rows, notes=[note])


def _tau(agreement: Kendall) -> list[Cell]:
    why = "" if agreement.pairs else "fewer than two snapshots"
    return [Quantity(value=agreement.tau, why=why), agreement.ties, agreement.pairs]


def _losses(curves: Mapping[tuple[str, str], Mapping[str, Curve]]) -> list[ChoiceLoss]:
    """What each rule of choice costs."""
    found = []
    for (label, name), scores in curves.items():
        rules, truth = _rules_and_truth(scores)
        valued = {"last": np.arange(len(scores[truth]), dtype=np.float64)}
        valued |= {rule: scores[rule].mean(axis=1) for rule in rules}
        for rule, loss in losses(valued, scores[truth]).items():
            snapshots = {"chosen": str(loss.chosen + 1), "best": str(loss.best + 1)}
            fields = {"choice": label, "learner": name, "rule": rule, "plain": loss.plain, "crossed": loss.crossed}
            found.append(ChoiceLoss.model_validate(fields | snapshots))
    return found


def _loss_table(found: Sequence[ChoiceLoss]) -> Table:
    rows: list[list[Cell]] = [
        [loss.choice, loss.learner, loss.rule, int(loss.chosen), int(loss.best), *lost_points(loss)] for loss in found
    ]
    columns = plain_columns(
        "benchmark", "learner", "rule", "takes snapshot", "the best is", "loses", "loses, cross-fitted"
    )
    note = (
        "Points of accuracy. The best snapshot owes some of its lead to luck in the episodes that it is found on; "
        "cross-fitted, it is found on one half of them and judged on the other."
    )
    return Table(title="losses", columns=columns, rows=rows, notes=[note])


def lost_points(loss: ChoiceLoss) -> list[Cell]:
    """What a choice loses against the best, plainly and cross-fitted."""
    return [Quantity(value=value, unit="points", digits=2, signed=False) for value in (loss.plain, loss.crossed)]
