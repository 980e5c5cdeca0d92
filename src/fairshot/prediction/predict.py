"""The verb `predict`: labels for a person's own images, each with a confidence that was tried out on the support."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool

from fairshot.learners.features import Features
from fairshot.learners.learner import Classifier
from fairshot.learners.seen import Seen
from fairshot.prediction.folder_truth import with_truth
from fairshot.prediction.predictions import Prediction, Predictions, expected_share
from fairshot.prediction.preparation import Invert, prepare
from fairshot.prediction.support_trials import (
    HeldOut,
    classify_batch,
    episode_of,
    hold_out,
    leave_classes_out,
)
from fairshot.prediction.temperature import Logits, confidences, fit_temperature
from fairshot.prediction.unknown_classes import Strangers, can_tell, sureness, tell_strangers
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import expand
from fairshot.sources.array import as_array
from fairshot.sources.images.pictures import Labelled, Pictures, Preparing, as_source, open_images, open_support
from fairshot.sources.source import Source
from fairshot.specs.data import as_part
from fairshot.specs.encoders import put_encoders, sight_notes
from fairshot.specs.learners import one_learner

LEAST_ANSWERS = 10  # to support images, for a temperature to mean anything
PORTION = 1024  # images embedded at a time, and at least so many answered
PAIRS = 1 << 26  # support images times images answered at a time: learners may compare all with all, 256 MB
PORTION_NUMBERS = 1 << 24  # after embedding, in all images of a portion

Images = Any  # files, folders, .npz files, or whatever NumPy takes for an array
Support = Any  # a folder, an .npz file, arrays (X, y), or a Source


def predict(
    images: Images,
    support: Support,
    learner: Any = "prototypes",
    *,
    recipe: str | int | None = None,
    encoder: Any = None,
    invert: Invert = "auto",
    unknown: float | None = None,
    least: float | None = None,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Predictions:
    """A label for every image, learned from a support set.

    `images` are files, folders, .npz files with X, or an array; `support` is a folder with a folder for each class, an
    .npz file with X and y, arrays (X, y) or a Source; `learner` and `encoder` are specs or objects. `unknown` is the
    share of images of known classes that may be called unknown by mistake; below the confidence `least` all are.
    """
    _refuse_nonsense(unknown, least)
    name, classifier = one_learner(put_encoders(learner, encoder, _photos(support), recipe))
    given, asked = _open_support(support), _open_images(images)
    _refuse_mismatch(given, asked, classifier)
    prepared = prepare(given, asked, classifier, recipe=recipe, invert=invert)
    source = given.prepared(prepared.support)
    features = Features(source, classifier)
    features.require_images(source.image_ids)
    held = hold_out(features, classifier)
    temperature = fit_temperature(held.logits, held.labels) if _enough(held) else 1.0
    strangers, more = _strangers(features, classifier, held, temperature, share=unknown, least=least)
    met = _Met(classifier.seen)
    answers = _answers(features, classifier, asked, prepared.images, met=met, progress=progress)
    rows = _rows(answers, given, asked, _Judging(temperature, strangers, least))
    if not rows:
        raise _nothing_readable(asked)
    read, (told, scored) = {row.file for row in rows}, with_truth(rows, given.class_names)
    return Predictions(
        rows=told,
        scored=scored,
        learner=name,
        support=given.name,
        classes=given.class_names,
        shots=tuple(np.bincount(given.labels).tolist()),
        recipe=prepared.images.recipe.name if source.has_images else None,
        expected=expected_share(held.correct),
        temperature=temperature if _enough(held) else None,
        strangers=strangers,
        least=least,
        skipped=tuple(file for file in asked.names if file not in read),
        notes=(*prepared.notes, *more, *_notes(given, features, held, name), *met.notes(source, len(rows))),
    )


def _photos(support: Support) -> Path | None:
    """The folder of a support, where it is one."""
    return expand(support) if isinstance(support, str | Path) else None


def _open_support(support: Support) -> Labelled:
    """A support set from files, arrays or a Source."""
    return open_support(support if isinstance(support, str | Path | Source) else as_part(support)[0])


def _open_images(images: Images) -> Pictures:
    """Images from files, or from anything that NumPy takes for an array."""
    if isinstance(images, str | Path | np.ndarray):
        return open_images(images)
    if isinstance(images, tuple) and len(images) == 2 and all(isinstance(part, np.ndarray) for part in images):
        raise FairshotError("two arrays are to be labelled: give the images alone, without labels")
    paths = isinstance(images, Sequence) and all(isinstance(path, str | Path) for path in images)
    return open_images(images if paths else as_array(images, "what is to be labelled"))


def _refuse_nonsense(unknown: float | None, least: float | None) -> None:
    if unknown is not None and not 0 < unknown < 1:
        raise FairshotError(
            f"unknown={unknown:g} is no share: give the share of images of known classes that may be called unknown "
            "by mistake, such as 0.05"
        )
    if least is not None and not 0 < least <= 1:
        raise FairshotError(f"least={least:g} is no confidence: give one above 0 and at most 1, such as 0.5")


def _refuse_mismatch(given: Labelled, asked: Pictures, learner: Classifier) -> None:
    if len(given.class_names) < 2:
        raise FairshotError(
            f"{given.name} has a single class, '{given.class_names[0]}': give at least two classes to choose from"
        )
    refusal = learner.unable(len(given.class_names))
    if refusal:
        raise FairshotError(refusal)
    if not len(asked.names):
        raise FairshotError("there are no images to label: give files or folders of images")
    found = next((shape for shape in asked.shapes if shape is not None), None)
    if found is None:
        raise _nothing_readable(asked)
    own = given.pictures.shapes[0]
    assert own is not None, "support images that cannot be read have raised"
    if len(found) != len(own):
        kinds = {1: "feature vectors", 3: "images"}
        raise FairshotError(
            f"{given.name} holds {kinds[len(own)]}, and what is to be labelled are {kinds[len(found)]}: give both "
            "as images, or both as .npz files of the same features"
        )
    if len(own) == 1 and own != found:
        raise FairshotError(
            f"{given.name} holds vectors of {own[0]} features, and those to be labelled have {found[0]}: make both "
            "with the same encoder"
        )


def _nothing_readable(asked: Pictures) -> FairshotError:
    return FairshotError(
        f"none of {len(asked.names):,} files could be read as an image, the first is {asked.names[0]}: give files that "
        "Pillow reads, such as .png or .jpg"
    )


def _strangers(
    features: Features,
    learner: Classifier,
    held: HeldOut,
    temperature: float,
    *,
    share: float | None,
    least: float | None,
) -> tuple[Strangers | None, list[str]]:
    if share is None:
        return None, []
    if least is not None and not can_tell(len(held.labels), share):
        told = f"too few support images have others of their class for unknown={share:g}"
        return None, [f"{told}, so only what has less confidence than {least:g} counts as unknown"]
    trial = leave_classes_out(features, learner, held.turn) if can_tell(len(held.labels), share) else None
    return tell_strangers(held.logits, trial, temperature, share), []


@dataclass(frozen=True, eq=False)
class _Answer:
    """Images that could be read, and what the learner says of them."""

    numbers: Sequence[int]
    logits: Logits


@dataclass
class _Met:
    """How many of the images to be labelled a learner was trained on, counted as they are read."""

    seen: Seen | None
    count: int = 0

    def look(self, images: Source) -> int:
        """How many of these it was trained on; vectors are nobody's training."""
        return 0 if self.seen is None or not images.has_images else self.seen.overlap(images)[0]

    def notes(self, support: Source, labelled: int) -> list[str]:
        """What was tried out on images of the training tells little of others."""
        notes, known = [], self.look(support)
        if known:
            told = f"the learner was trained on {known:,} of {len(support):,} support images"
            notes.append(f"{told}, so what to expect is too rosy")
        if self.count:
            told = f"the learner was trained on {self.count:,} of the {labelled:,} images that were labelled"
            notes.append(f"{told}, so it fares better on them than on others")
        return notes


@dataclass(frozen=True)
class _Judging:
    """What is made of logits."""

    temperature: float
    strangers: Strangers | None
    least: float | None

    def unknown(self, logits: Logits) -> Bool[np.ndarray, " query"]:
        """Which images are too uncertain to be of a known class."""
        found = confidences(logits, self.temperature).max(axis=1) < (self.least or 0.0)
        if self.strangers is not None:
            found |= sureness(logits, self.strangers.sureness, self.temperature) < self.strangers.threshold
        return found


def _answers(
    features: Features,
    learner: Classifier,
    asked: Pictures,
    preparing: Preparing,
    *,
    met: _Met,
    progress: Progress,
) -> Iterator[_Answer]:
    """Portion by portion; a transductive learner sees all images at once, since they matter for each other."""
    source = features.source
    everything, first = np.ones(len(source), dtype=bool), np.arange(len(source)) == 0
    batch = features.batch(episode_of(source, support=everything, asked=first))  # its query is exchanged for others
    embedded = _counted(_embedded(features, asked, preparing, met), len(asked.names), progress)
    portions = _gathered(embedded, most_answered(len(source)))
    for numbers, vectors in [_together(list(portions))] if learner.transductive else portions:
        if not len(numbers):
            continue
        query = torch.from_numpy(vectors)[None]
        mask = torch.ones(query.shape[:2], dtype=torch.bool)
        logits = classify_batch(learner, replace(batch, query=query, query_mask=mask))
        yield _Answer(numbers, logits)


Embedded = tuple[list[int], np.ndarray]


def _embedded(features: Features, asked: Pictures, preparing: Preparing, met: _Met) -> Iterator[Embedded]:
    """The images that can be read, as the learner sees them."""
    step, shapes = max(1, min(PORTION, PORTION_NUMBERS // features.width)), asked.shapes
    for start in range(0, len(shapes), step):
        numbers = [at for at in range(start, min(start + step, len(shapes))) if shapes[at] is not None]
        read = [(at, row) for at, row in zip(numbers, asked.read(numbers, preparing), strict=True) if row is not None]
        if read:
            nobody = np.zeros(len(read), dtype=np.int64)
            source = as_source("the images", [row for _, row in read], nobody, ("unknown",), preparing)
            met.count += met.look(source)
            yield [at for at, _ in read], features.embed_others(source)


def most_answered(support: int) -> int:
    """How many images are answered at a time: as many as the support has, since it is looked at anew every time."""
    return max(PORTION, min(support, PAIRS // support))


def _counted(portions: Iterator[Embedded], whole: int, progress: Progress) -> Iterator[Embedded]:
    """The same portions, told of as they come."""
    done = 0
    for portion in portions:
        yield portion
        done += len(portion[0])
        progress("labelling", done, whole, np.nan)


def _gathered(portions: Iterator[Embedded], most: int) -> Iterator[Embedded]:
    """Portions put together, for as long as they hold no more images than that."""
    waiting: list[Embedded] = []
    for portion in portions:
        if waiting and sum(len(numbers) for numbers, _ in waiting) + len(portion[0]) > most:
            yield _together(waiting)
            waiting = []
        waiting.append(portion)
    if waiting:
        yield _together(waiting)


def _together(portions: list[Embedded]) -> Embedded:
    if not portions:
        return [], np.zeros((0, 1), dtype=np.float32)
    numbers, vectors = zip(*portions, strict=True)
    return [at for part in numbers for at in part], np.concatenate(vectors)


def _rows(answers: Iterator[_Answer], given: Labelled, asked: Pictures, judging: _Judging) -> list[Prediction]:
    copies = asked.twins(given.pictures)
    rows = []
    for answer in answers:
        likely = confidences(answer.logits, judging.temperature)
        best = np.argsort(-likely, axis=1, kind="stable")[:, :2]
        strange = judging.unknown(answer.logits).tolist()
        for at, (first, second), found, odd in zip(answer.numbers, best.tolist(), likely, strange, strict=True):
            names = given.class_names[first], given.class_names[second]
            copy = given.pictures.names[copies[at]] if at in copies else None
            confidence, runner_up = float(found[first]), float(found[second])
            rows.append(
                Prediction(asked.names[at], names[0], confidence, names[1], runner_up, unknown=odd, copy_of=copy)
            )
    return rows


def _enough(held: HeldOut) -> bool:
    """Whether confidence can be calibrated."""
    return len(held.labels) >= LEAST_ANSWERS


def _notes(given: Labelled, features: Features, held: HeldOut, name: str) -> list[str]:
    learner = features.learner
    assert isinstance(learner, Classifier)
    notes = sight_notes({name: learner}, features.source)
    if not _enough(held):
        told = f"{len(held.labels)} support images have others of their class, and {LEAST_ANSWERS} are needed to try it"
        notes.append(f"the confidence is not calibrated but the learner's own softmax, which may be far off: {told}")
    if learner.transductive:
        notes.append("the learner looks at all images together: with other images beside it, one may get another label")
    inside = len(given.labels) - len({other for other in given.pictures.twins(given.pictures).values()})
    if inside:
        notes.append(
            f"{inside} of {len(given.labels)} support images are copies of others, so what to expect is too rosy"
        )
    return notes
