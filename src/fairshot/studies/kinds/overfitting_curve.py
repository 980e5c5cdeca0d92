"""Does a learner come to know its own drawings by heart? Every snapshot on trained drawings and on others."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from fairshot.evaluation.scorer import Scorer
from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.training.start import join_parts
from fairshot.metrics.accuracy import Accuracy
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import SnapshotRow
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.class_values import over_class_values
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
from fairshot.statistics.rise import rise
from fairshot.studies.kinds.snapshot_selection import name_logits, places, snapshots_in
from fairshot.studies.kinds.trained_table import TrainedStudy, Trainings
from fairshot.studies.study import Conditions
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.uniform import Uniform

TRAINED, HELD, UNSEEN = "trained drawings", "held-out drawings", "drawings of unseen characters"
MEASURES = ("loss", "accuracy")
BOUNDS = {"loss": (0.0, math.inf), "accuracy": (0.0, 1.0)}

Answers = Float[np.ndarray, "measure class"]
"""Loss and accuracy of each class that was asked for."""
MeanCurves = Mapping[tuple[str, str, str], Sequence[float]]
"""By course, kind of drawings and measure, the mean over classes at every snapshot."""
Curves = Mapping[str, Float[np.ndarray, "snapshot measure class"]]
"""On trained and on other drawings."""


@dataclass(frozen=True)
class Overfitting(TrainedStudy):
    """Every snapshot of every course on drawings that it was trained on, and on others.

    The others are held-out drawings of the same classes; of a course with a split of its own, whose classes are apart,
    they are drawings of its novel classes.
    """

    split: str
    """With held-out images of the base classes."""
    recipe: str
    shots: Mapping[str, int]
    """Support drawings a class in the episodes by which a course is judged; those without name all base classes."""
    way: int = 20
    published: Mapping[str, str] = field(default_factory=dict)
    """What the paper saw happen to the loss on drawings that were not trained on, by course."""

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every learner on both kinds of drawings."""
        return {(course, what) for course in self.courses for what in (TRAINED, self.tested_on(course))}

    def tested_on(self, course: str) -> str:
        """What a course is judged on beside what it was trained on."""
        return UNSEEN if self.courses[course].split else HELD

    @property
    def trainings(self) -> Trainings:
        """All courses on the same images; those under another recipe are kept elsewhere."""
        return Trainings(f"{self.name}-{self.recipe}", self.courses, self.split, self.recipe, self.seed)

    def run(self, conditions: Conditions) -> Result:
        """Curves, and whether those on held-out drawings rose."""
        short, trainings = self.short(conditions), self.trainings
        training = trainings.run(conditions, short=short)
        count = min(self.episodes, conditions.limit or self.episodes)
        curves: dict[str, Curves] = {}
        for course in self.courses:
            snapshots = snapshots_in(trainings.folder(course, conditions, short=short))
            split, tested = self._split_of(course), self.tested_on(course)
            found: dict[str, list[Answers]] = {TRAINED: [], tested: []}
            for done, path in enumerate(snapshots, 1):
                for what, answers in self._judge(find_learner(str(path)), course, split, count).items():
                    found[what].append(answers)
                conditions.progress(f"{course}: snapshots", done, len(snapshots), float(found[tested][-1][1].mean()))
            curves[course] = {what: np.stack(each) for what, each in found.items()}
        base = self._split_of("").base
        result = Result(
            seed=self.seed,
            source=SourceName(name=base.name, fingerprint=base.fingerprint, recipe=base.recipe.name),
            episodes_key=fingerprint(base.origin, self.way, dict(self.shots), count, self.seed),
            rows=[row for course, each in curves.items() for row in self._rows(course, each, count)],
            training=training,
        )
        return conditions.stamp(result)

    def _split_of(self, course: str) -> Split:
        """What a course is trained and judged on; of none, that of the table."""
        own = self.courses[course].split if course else ""
        return find_split(own or self.split, recipe=self.recipe)

    def _judge(self, learner: Classifier, course: str, split: Split, count: int) -> dict[str, Answers]:
        """By episodes where the course has shots, otherwise by the names of all base classes."""
        if self.tested_on(course) == UNSEEN:
            return self._judge_classes(learner, self.shots[course], split, count)
        asked, shot = int(split.base_heldout.members.counts.min()), self.shots.get(course, 0)
        own = split.base.select(places(split.base, self.seed) < shot + asked)
        if not shot:
            return {
                what: named(learner, part, split.base) for what, part in ((TRAINED, own), (HELD, split.base_heldout))
            }
        drawn = Uniform(way=self.way, shot=shot, query=asked).sample(own, range(count), self.seed)
        both = Scorer(Features(join_parts([own, split.base_heldout]), learner), learner, Accuracy())
        each = {TRAINED: drawn, HELD: ask_held_out(drawn, split.base_heldout)}
        return {what: answered(both, episodes) for what, episodes in each.items()}

    def _judge_classes(self, learner: Classifier, shot: int, split: Split, count: int) -> dict[str, Answers]:
        """By episodes of one query a class: of trained classes, and of classes that were not trained on."""
        task = Uniform(way=self.way, shot=shot, query=1)
        return {
            what: answered(
                Scorer(Features(part, learner), learner, Accuracy()), task.sample(part, range(count), self.seed)
            )
            for what, part in ((TRAINED, split.base), (UNSEEN, split.novel))
        }

    def _rows(self, course: str, curves: Curves, count: int) -> list[Row]:
        """One for each kind of drawings, measure and snapshot."""
        return [
            SnapshotRow(
                learner=course,
                task=what,
                part=what,
                metric=measure,
                value=float(values.mean()),
                episodes=count if course in self.shots else 1,
                episodes_key="",
                snapshot=number,
                intervals={"classes": over_class_values(values, bounds=BOUNDS[measure]).interval},
                per_query=False,
                higher_is_better=measure == "accuracy",
            )
            for what, curve in curves.items()
            for place, measure in enumerate(MEASURES)
            for number, values in enumerate(curve[:, place], 1)
        ]

    def tables(self, result: Result) -> list[Table]:
        """Whether the loss on held-out drawings rose, and all curves."""
        means: dict[tuple[str, str, str], list[float]] = {}
        for row in result.rows:
            means.setdefault((row.learner, row.task, row.metric), []).append(row.number)
        curves = [_curve_table(course, means, self.tested_on(course)) for course in self.courses]
        return [self._rise_table(means), *curves]

    def _rise_table(self, means: MeanCurves) -> Table:
        columns = plain_columns(
            *("learner", "lowest test loss", "at snapshot", "of", "at the end", "second half", "test loss"),
            *("published", "accuracy at the lowest", "accuracy at the end", "behind trained drawings"),
        )
        tested = " or ".join(dict.fromkeys(map(self.tested_on, self.courses)))
        note = (
            f"Cross-entropy and accuracy on {tested}, the mean over classes. Second half: what the loss gained "
            "along a straight line through the later half of the snapshots, with a 95% interval for other snapshots "
            "of the same training, as they differ by chance. Each learner was trained once: what another training "
            "would give is not in it."
        )
        rows = [self._rise_cells(course, means) for course in self.courses]
        return Table(title="rises", columns=columns, rows=rows, notes=[note])

    def _rise_cells(self, course: str, means: MeanCurves) -> list[Cell]:
        tested = self.tested_on(course)
        losses, right = np.array(means[course, tested, "loss"]), means[course, tested, "accuracy"]
        found, behind = rise(losses), means[course, TRAINED, "accuracy"][-1] - right[-1]
        low, high = found.gained.interval or (None, None)
        gained = Quantity(value=found.gained.value, low=low, high=high, population="snapshots", digits=3, signed=True)
        verdict = "rises" if found.sure else "does not rise"
        shares = [Quantity(value=value, unit="share") for value in (right[found.lowest], right[-1], behind)]
        lowest, last = (Quantity(value=value, digits=3) for value in (found.low, found.end))
        published = self.published.get(course)
        return [course, lowest, found.lowest + 1, len(losses), last, gained, verdict, published, *shares]


def ask_held_out(episodes: Episodes, held: Source) -> Episodes:
    """The same classes and supports, with a held-out image of the same class in place of each query."""
    classes = np.take_along_axis(episodes.class_ids, episodes.query_labels, axis=1)
    order = np.argsort(episodes.query_labels, axis=1, kind="stable")
    turn = np.empty_like(order)  # 0 for the first query of a class, 1 for the second ...
    each = order.shape[1] // episodes.class_ids.shape[1]
    np.put_along_axis(turn, order, np.arange(order.shape[1])[None] % each, axis=1)
    starts = held.members.starts[np.searchsorted(held.classes, classes)]
    return replace(episodes, query_ids=held.members.image_ids[starts + turn])


def named(learner: Classifier, part: Source, base: Source) -> Answers:
    """How the linear layer behind the network names the images of a part."""
    return by_class(name_logits(learner, part), np.searchsorted(base.classes, part.class_ids), part.class_ids)


def answered(answering: Scorer, episodes: Episodes) -> Answers:
    """How the queries of episodes are answered; every one shows all its classes."""
    answering.features.require(episodes)
    step = answering.step(episodes)
    portions = [episodes[start : start + step] for start in range(0, len(episodes), step)]
    logits = torch.cat([answering.judge(portion).logits for portion in portions]).flatten(0, 1)
    classes = np.take_along_axis(episodes.class_ids, episodes.query_labels, axis=1)
    return by_class(logits, episodes.query_labels.ravel(), classes.ravel())


def by_class(
    logits: Float[Tensor, "query way"], labels: Int[np.ndarray, " query"], class_ids: Int[np.ndarray, " query"]
) -> Answers:
    """Mean loss and accuracy of each class that was asked for, in order."""
    truth = torch.from_numpy(np.ascontiguousarray(labels))
    losses = cross_entropy(logits.double(), truth, reduction="none").numpy()
    right = (logits.argmax(1) == truth).numpy()
    rows = np.unique(class_ids, return_inverse=True)[1]
    return np.stack([np.bincount(rows, values) / np.bincount(rows) for values in (losses, right)])


def _curve_table(course: str, means: MeanCurves, tested: str) -> Table:
    kinds = [(measure, what) for measure in MEASURES for what in (TRAINED, tested)]
    curves = [means[course, what, measure] for measure, what in kinds]
    rows = [_curve_cells(number, values) for number, values in enumerate(zip(*curves, strict=True), 1)]
    columns = plain_columns("snapshot", *(f"{measure}, {what}" for measure, what in kinds))
    return Table(title=course, columns=columns, rows=rows)


def _curve_cells(number: int, values: Sequence[float]) -> list[Cell]:
    losses, right = values[:2], values[2:]
    shares = [Quantity(value=value, unit="share") for value in right]
    return [number, *(Quantity(value=value, digits=3) for value in losses), *shares]
