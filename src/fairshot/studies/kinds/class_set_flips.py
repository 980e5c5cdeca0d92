"""How often would a comparison turn round on other novel classes? Novel parts are drawn from many classes to tell."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.evaluation.evaluate import evaluate
from fairshot.evaluation.scorer import Scorer, one_thread
from fairshot.learners.features import Features
from fairshot.metrics.accuracy import Accuracy
from fairshot.results.schema import Result, Row, SourceName
from fairshot.results.study_rows import FlipRow
from fairshot.runtime.backends.backend import Progress, ordered_map
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
from fairshot.statistics.forecast import Between, flip_chance
from fairshot.studies.kinds.snapshot_selection import named_rightly, places, snapshots_in
from fairshot.studies.kinds.trained_table import Course, Trainings
from fairshot.studies.study import Conditions, Study
from fairshot.tables.table import Cell, Quantity, Table, plain_columns
from fairshot.tasks.task import ClassTask

GAPS = {"0.5": 0.005, "1": 0.01}
"""How far apart a pair should be, by what labels call it."""
TOO_MUCH = 0.005  # an improvement is exaggerated when it seems larger than it is by more than this
PREDICTED = (
    "from the spread between classes, and between pairs of them, that one comparison on all of them finds, if the true "
    "gap is known; for parts of these classes, and for other classes."
)
PREDICTED_FIRST = (  # by the first version of the statistics
    "from the spread between classes that one comparison on all of them finds, corrected for the share of classes that "
    "is drawn; for other classes, without that correction."
)
TRUTH = 5  # times as many tasks as a novel part gets tell who is better on all classes


@dataclass(frozen=True)
class Rivals:
    """Two learners, any late snapshots of which are compared; and the classes that novel parts are drawn from."""

    label: str
    split: str
    task: ClassTask
    courses: Mapping[str, str]
    """Two learners with their courses."""
    sizes: tuple[int, ...]
    """Novel classes."""
    images: int = 1 << 20
    """Of each class, at most."""
    classes: int = 1 << 20
    """That novel parts are drawn from, at most; which of the novel ones they are is drawn once."""
    recipe: str | None = None


@dataclass(frozen=True)
class Classifiers:
    """The reference: snapshots of an ordinary classifier, compared on drawn test images of the same classes."""

    label: str
    split: str
    course: str
    images: int = 100
    """Test images of each class."""
    recipe: str | None = None


@dataclass(frozen=True)
class Turns(Study):
    """Pairs with a known gap on all classes, judged on many drawn novel parts; both answer the same tasks."""

    view: ClassVar[str] = "facts"

    name: str
    courses: Mapping[str, Course]
    rivals: tuple[Rivals, ...]
    reference: Classifiers
    sets: int = 100
    tasks: int = 20_000
    late: int = 8
    """Snapshots of each learner that pairs are made of."""
    seed: int = 0

    @property
    def size(self) -> tuple[int, str]:
        """Novel parts."""
        return self.sets, "novel parts"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every gap and number of classes."""
        found = {
            (" and ".join(own.courses), _task(own.label, gap, f"{size} classes"))
            for own in self.rivals
            for gap in GAPS
            for size in own.sizes
        }
        own = self.reference
        return found | {("IC", _task(own.label, gap, f"{own.images} images a class")) for gap in GAPS}

    @property
    def preset(self) -> str:
        """Of all courses."""
        return Trainings(self.name, self.courses).preset

    def tables(self, result: Result) -> list[Table]:
        """One table of all pairs."""
        return [flip_table(result)]

    def run(self, conditions: Conditions) -> Result:
        """Flips and exaggerations, beside what the spread between classes predicts."""
        short = conditions.limit is not None and conditions.limit < self.sets
        trainings = Trainings(self.name, self.courses, seed=self.seed)
        training = trainings.run(conditions, short=short)
        sets = min(self.sets, conditions.limit or self.sets)
        tasks = 100 if short else self.tasks
        rows, prints = list[Row](), list[str]()
        for own in self.rivals:
            split = find_split(own.split, recipe=own.recipe)
            paths = {
                name: snapshots_in(trainings.folder(course, conditions, short=short))[-self.late :]
                for name, course in own.courses.items()
            }
            rows += _Judging(
                own, split=split, tasks=tasks, sets=sets, seed=self.seed, progress=conditions.progress
            ).rows(paths)
            prints.append(split.novel.origin)
        folder = trainings.folder(self.reference.course, conditions, short=short)
        rows += _reference_rows(self.reference, snapshots_in(folder), sets, self.seed)
        source = SourceName(
            name=" and ".join(dict.fromkeys(own.split for own in self.rivals)),
            fingerprint=fingerprint(prints),
            recipe="that of each split",
        )
        result = Result(seed=self.seed, source=source, rows=rows, episodes_key=fingerprint(prints, sets, tasks))
        return conditions.stamp(result.model_copy(update={"training": training}))


def _task(label: str, gap: str, size: str) -> str:
    return f"{label}, a gap of {gap}, {size}"


@dataclass(frozen=True, kw_only=True)
class _Judging:
    """One set of rivals."""

    own: Rivals = field(kw_only=False)
    split: Split
    tasks: int
    sets: int
    seed: int
    progress: Progress

    def rows(self, paths: Mapping[str, Sequence[Path]]) -> list[FlipRow]:
        """For each gap the pair that comes nearest, on novel parts of every size."""
        whole = self.split.part("novel")
        order = Stream(self.seed, "all classes").permutations(np.array([len(whole.classes)]))[0]
        some = np.isin(whole.class_ids, whole.classes[order[: self.own.classes]])
        part = whole.select(some & (places(whole, self.seed) < self.own.images), name=whole.name)
        answering = {str(path): self._embedded(part, path) for each in paths.values() for path in each}
        drawn = [self.own.task.sample(part, range(n, n + self.tasks), self.seed) for n in self._starts()]
        truth = {
            path: float(np.mean([answers(episodes).values.mean() for episodes in drawn]))
            for path, answers in answering.items()
        }
        first, second = ([(name, str(path)) for path in each] for name, each in paths.items())
        found = []
        for gap, asked_gap in GAPS.items():
            pairs = [(a, b) if truth[a[1]] >= truth[b[1]] else (b, a) for a in first for b in second]
            better, worse = min(pairs, key=lambda pair: abs(truth[pair[0][1]] - truth[pair[1][1]] - asked_gap))
            true = truth[better[1]] - truth[worse[1]]
            both = answering[better[1]], answering[worse[1]]
            between = self._between(part, better[1], worse[1])
            told = {
                "better": f"{better[0]}, {Path(better[1]).stem}",
                "worse": f"{worse[0]}, {Path(worse[1]).stem}",
                "asked_gap": asked_gap,
                "gap": true,
                "accuracy": truth[better[1]],
                "base_classes": len(self.split.base.classes),
                "all_classes": len(part.classes),
                "tasks": self.tasks,
            }
            for size in self.own.sizes:
                started = time.monotonic()
                differences = self._differences(part, both, size, gap)
                told |= {"novel_classes": size, "seconds": round(time.monotonic() - started, 1)}
                label = _task(self.own.label, gap, f"{size} classes")
                spreads = None if between is None else _spreads(between, size)
                told |= {"learner": " and ".join(paths), "task": label, "part": self.own.label}
                found.append(_row(differences, spreads, told))
        return found

    def _starts(self) -> range:
        return range(0, TRUTH * self.tasks, self.tasks)

    def _embedded(self, part: Source, path: Path) -> Scorer:
        learner = find_learner(str(path))
        answering = Scorer(Features(part, learner), learner, Accuracy())
        answering.features.require_images(part.image_ids)
        self.progress(f"{self.own.label}: embedding {path.stem}", 1, 1, 0.0)
        return answering

    def _between(self, part: Source, better: str, worse: str) -> Between | None:
        """How the difference varies between sets of classes, as `compare` finds it."""
        learners = {"better": better, "worse": worse}
        evaluation = evaluate(part, learners, self.own.task, episodes=self.tasks, seed=self.seed)
        return evaluation.compare()[0].differences["classes"].between

    def _differences(self, part: Source, both: tuple[Scorer, Scorer], size: int, gap: str) -> Float[np.ndarray, " set"]:
        """What each drawn novel part says of the pair."""
        found = list[float]()
        with one_thread():
            judge = partial(_difference, part, both, self.own.task, size=size, tasks=self.tasks, seed=self.seed)
            for value in ordered_map(judge, range(self.sets), count=self.sets, backend="threads"):
                found.append(value)
                label = _task(self.own.label, gap, f"{size} classes")
                self.progress(label, len(found), self.sets, float(np.mean(np.array(found) < 0)))
        return np.array(found)


def _difference(
    part: Source, both: tuple[Scorer, Scorer], task: ClassTask, number: int, *, size: int, tasks: int, seed: int
) -> float:
    """Better minus worse on tasks of a drawn novel part."""
    stream = Stream(seed, "novel part", size, number)
    classes = part.classes[stream.ordered_sample(np.array([len(part.classes)]), size)[0]]
    episodes = task.sample(part.select_classes(classes), range(tasks), seed + number)
    better, worse = (answering(episodes).values.mean() for answering in both)
    return float(better - worse)


def _reference_rows(own: Classifiers, paths: Sequence[Path], sets: int, seed: int) -> list[FlipRow]:
    """The same for images of the same classes."""
    split = find_split(own.split, recipe=own.recipe)
    held = split.part("base_heldout")
    right = np.stack([named_rightly(find_learner(str(path)), held, split.base) for path in paths])
    means, found = right.mean(axis=1), []
    for gap, asked_gap in GAPS.items():
        pairs = [(a, b) for a in range(len(means)) for b in range(len(means)) if means[a] >= means[b] and a != b]
        better, worse = min(pairs or [(0, 0)], key=lambda pair: abs(means[pair[0]] - means[pair[1]] - asked_gap))
        each, true = right[better] - right[worse], float(means[better] - means[worse])
        differences = [each[places(held, seed + 1 + number) < own.images].mean() for number in range(sets)]
        within = [each[held.class_ids == label].var(ddof=1) for label in held.classes]
        spread = float(np.mean(within)) / (own.images * len(held.classes))
        told = {
            "better": f"SB, {paths[better].stem}",
            "worse": f"SB, {paths[worse].stem}",
            "asked_gap": asked_gap,
            "gap": true,
            "accuracy": float(means[better]),
            "base_classes": len(held.classes),
            "all_classes": len(held.classes),
            "images": own.images,
            "seconds": None,
        }
        left = 1 - own.images / int(held.members.counts.min())
        label = _task(own.label, gap, f"{own.images} images a class")
        told |= {"learner": "IC", "task": label, "part": own.label}
        found.append(_row(np.array(differences), (left * spread, spread), told))
    return found


def _spreads(between: Between, size: int) -> tuple[float, float]:
    """The variance between sets of so many of these classes, and between sets of so many others.

    Sets of these classes have in common what all of these differ by from others.
    """
    return between.at(size) - between.at(between.units), between.at(size)


def _row(
    differences: Float[np.ndarray, " set"], spreads: tuple[float, float] | None, fields: Mapping[str, Any]
) -> FlipRow:
    """The share of drawn parts that say the contrary; `spreads` are as `_spreads` gives them."""
    gap, flips = fields["gap"], int((differences < 0).sum())
    ends = stats.binomtest(flips, len(differences)).proportion_ci(0.95, "wilson")
    near, elsewhere = (None, None) if spreads is None else (flip_chance(gap, variance) for variance in spreads)
    counted = {
        "metric": "flips",
        "episodes": len(differences),
        "episodes_key": "",
        "value": flips / len(differences),
        "intervals": {"sets": (float(ends.low), float(ends.high))},
        "exaggerated": float((differences > gap + TOO_MUCH).mean()),
        "deviation": float(differences.std(ddof=1)) if len(differences) > 1 else None,
        "predicted": near,
        "predicted_elsewhere": elsewhere,
    }
    return FlipRow.model_validate({**fields, **counted})


def flip_table(result: Result) -> Table:
    """How often drawn parts said the contrary, beside what the spread between classes predicts."""
    columns = plain_columns(
        *("pair", "base classes", "all classes", "true gap", "drawn novel part", "flips", "predicted"),
        *("exaggerated by over 0.5", "predicted for other classes"),
    )
    rows = [_flip_cells(row) for row in result.rows if isinstance(row, FlipRow)]
    how = PREDICTED if result.statistics > 1 else PREDICTED_FIRST
    return Table(title="flips", columns=columns, rows=rows, notes=[f"In % of drawn novel parts. Predicted: {how}"])


def _flip_cells(row: FlipRow) -> list[Cell]:
    low, high = row.intervals["sets"] or (None, None)
    drawn = f"{row.images} images a class" if row.novel_classes is None else f"{row.novel_classes} classes"
    flips = Quantity(value=row.value, unit="share", low=low, high=high, population="sets", digits=0)
    exaggerated = Quantity(value=row.exaggerated, unit="share", digits=0)
    predicted, elsewhere = (
        Quantity(value=value, unit="share", digits=0, why="" if value is not None else "too few classes for a spread")
        for value in (row.predicted, row.predicted_elsewhere)
    )
    gap = Quantity(value=row.gap, unit="points", digits=2, signed=False)
    pair = f"{row.part}: {row.better} over {row.worse}"
    return [pair, row.base_classes, row.all_classes, gap, drawn, flips, predicted, exaggerated, elsewhere]
