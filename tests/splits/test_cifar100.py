import json

import numpy as np
import pytest

from fairshot.sources.source import Source
from fairshot.splits.cifar100 import SPLITS, load
from tests.conftest import data_file


@pytest.fixture
def stand_in() -> Source:
    """CIFAR-100's classes and superclasses with one pixel each."""
    parent_of = json.loads(data_file("cifar100/fine_to_coarse.json").read_text())
    return Source.create(
        "cifar100",
        np.zeros((100, 3, 1, 1), dtype=np.uint8),
        np.arange(100),
        class_names=tuple(sorted(parent_of)),
        parents=tuple(parent_of[name] for name in sorted(parent_of)),
    )


def names(part: Source) -> set[str]:
    return {part.class_names[number] for number in part.classes}


@pytest.mark.parametrize(("name", "sizes"), [("cifar-fs", [64, 16, 20]), ("fc100", [60, 20, 20])])
def test_the_published_splits_have_their_published_sizes(stand_in: Source, name: str, sizes: list[int]) -> None:
    split = load(name, stand_in)
    assert [len(part.classes) for part in (split.base, split.val, split.novel)] == sizes
    assert len(split.base_heldout) == 0
    assert split.name == f"cifar100/{name}"


def test_no_split_is_left_out_here() -> None:
    assert sorted(SPLITS) == ["cifar-fs", "cifar-fs-mod", "fc100", "fc100-mod", "flips", "flips-few"]


@pytest.mark.parametrize(("name", "base"), [("cifar-fs", 64), ("fc100", 60)])
def test_a_sixth_of_the_images_of_base_classes_is_held_out(stand_in: Source, name: str, base: int) -> None:
    whole = Source.create(
        "cifar100",
        np.zeros((60_000, 3, 1, 1), dtype=np.uint8),
        np.repeat(np.arange(100), 600),
        class_names=stand_in.class_names,
        parents=stand_in.parents,
    )
    split, usual = load(f"{name}-mod", whole), load(name, whole)
    assert (len(split.base), len(split.base_heldout)) == (500 * base, 100 * base)
    assert (split.base.classes == split.base_heldout.classes).all()
    assert (split.novel.image_ids == usual.novel.image_ids).all()
    assert split.base_heldout.name == f"cifar100/{name}-mod/base_heldout"


def test_many_classes_are_left_to_draw_novel_parts_from(stand_in: Source) -> None:
    whole = Source.create(
        "cifar100",
        np.zeros((60_000, 3, 1, 1), dtype=np.uint8),
        np.repeat(np.arange(100), 600),
        class_names=stand_in.class_names,
        parents=stand_in.parents,
    )
    split, few = load("flips", whole), load("flips-few", whole)
    assert (len(split.base), len(split.base_heldout), len(split.val), len(split.novel)) == (
        30 * 400,
        30 * 200,
        0,
        70 * 600,
    )
    assert len(few.base.classes) == 10
    assert set(few.base.classes) < set(split.base.classes)
    assert (few.novel.image_ids == split.novel.image_ids).all()


@pytest.mark.parametrize(("part", "file"), [("base", "train"), ("val", "val"), ("novel", "test")])
def test_cifar_fs_is_what_other_tools_ship(stand_in: Source, part: str, file: str) -> None:
    shipped = json.loads(data_file(f"standard_splits/cifar-fs_{file}.json").read_text())
    found = getattr(load("cifar-fs", stand_in), part)
    assert {(found.parents[number], found.class_names[number]) for number in found.classes} == set(map(tuple, shipped))


@pytest.mark.parametrize(("part", "file"), [("base", "train"), ("val", "val"), ("novel", "test")])
def test_fc100_is_what_other_tools_ship(stand_in: Source, part: str, file: str) -> None:
    shipped = json.loads(data_file(f"standard_splits/fc100_{file}.json").read_text())
    assert set(getattr(load("fc100", stand_in), part).parent_names) == set(shipped)


def test_fc100_keeps_superclasses_whole_and_cifar_fs_does_not(stand_in: Source) -> None:
    whole, cut = load("fc100", stand_in), load("cifar-fs", stand_in)
    assert set(whole.base.parent_names).isdisjoint(whole.novel.parent_names)
    assert set(cut.base.parent_names) & set(cut.novel.parent_names)
    assert {"whale", "poppy", "rocket"} <= names(cut.novel)
