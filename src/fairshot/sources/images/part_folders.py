"""Folders named train, val or test above the class folders: parts of a data set, and no parents of classes."""

from collections.abc import Sequence
from pathlib import Path

from fairshot.runtime.errors import FairshotError

STAGES = ("train", "training", "val", "valid", "validation", "test", "testing")


def without_stages(root: Path, labels: Sequence[str]) -> tuple[list[str], str]:
    """The labels of images without the stage before them, and a note on it; empty if there are no stages.

    Stages with different classes are a split of classes, and every class is read as one of the whole. Stages with the
    same classes are a split of images: read as parents, each class would be there twice.
    """
    stages = sorted({label.rpartition("/")[0] for label in labels})
    if len(stages) < 2 or any(stage.casefold() not in STAGES for stage in stages):
        return list(labels), ""
    names = _and([f"{stage}/" for stage in stages])
    below = {stage: {label.rpartition("/")[2] for label in labels if label.startswith(f"{stage}/")} for stage in stages}
    classes = set().union(*below.values())
    shared = sorted(name for name in classes if sum(name in own for own in below.values()) > 1)
    if shared:
        example = max(stages, key=lambda stage: stage.casefold().startswith("train"))
        raise FairshotError(
            f"{root} holds {names}, and {len(shared)} of {len(classes)} classes are in more than one of them, such as "
            f"'{shared[0]}': that is a split of images, not of classes; give one of them, such as {root / example}"
        )
    note = (
        f"{names} hold different classes: they were read as the {len(classes)} classes of one source, without parents"
    )
    return [label.rpartition("/")[2] for label in labels], note


def doubled_classes(labels: Sequence[str], contents: Sequence[object]) -> tuple[str, ...]:
    """A note for every set of classes that hold the same images under several names."""
    held: dict[str, set[object]] = {}
    for label, content in zip(labels, contents, strict=True):
        held.setdefault(label, set()).add(content)
    names: dict[frozenset[object], list[str]] = {}
    for label in sorted(held):
        names.setdefault(frozenset(held[label]), []).append(label)
    return tuple(
        f"the classes {_and([repr(name) for name in own])} hold the same images: they are one class under "
        f"{len(own)} names"
        for own in names.values()
        if len(own) > 1
    )


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]])
