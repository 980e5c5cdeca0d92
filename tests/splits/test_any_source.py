from collections.abc import Callable
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.any_source import load, split_at_random
from fairshot.splits.split import Split


def make(classes: int, parents: int | None = None) -> Source:
    """Two images per class; classes take turns between parents."""
    return Source.create(
        "toy",
        np.arange(2 * classes, dtype=np.float32)[:, None],
        np.tile(np.arange(classes), 2),
        class_names=tuple(f"c{number}" for number in range(classes)),
        parents=tuple(f"p{number % (parents or classes)}" for number in range(classes)),
    )


def class_ids(split: Split) -> list[list[int]]:
    return [part.classes.tolist() for part in (split.base, split.val, split.novel)]


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


@given(st.integers(3, 60), st.integers(0, 10_000))
def test_random_parts_are_disjoint_filled_and_cover_everything(classes: int, seed: int) -> None:
    split = load(f"random-{seed}", make(classes))
    ids = class_ids(split)
    assert sorted(chain(*ids)) == list(range(classes))
    assert all(ids)
    assert sum(len(part) for part in (split.base, split.val, split.novel)) == 2 * classes
    assert len(split.base_heldout) == 0
    assert abs(len(ids[0]) - 0.6 * classes) <= 1
    assert abs(len(ids[2]) - 0.2 * classes) <= 1


@given(st.integers(3, 20), st.integers(1, 5), st.integers(0, 10_000))
def test_parents_are_never_torn(parents: int, each: int, seed: int) -> None:
    split = load(f"parents-{seed}", make(parents * each, parents))
    groups = [set(part.parent_names) for part in (split.base, split.val, split.novel)]
    assert all(groups)
    assert sum(len(group) for group in groups) == len(set.union(*groups)) == parents
    assert sorted(chain(*class_ids(split))) == list(range(parents * each))


@pytest.mark.parametrize("rule", ["random", "parents"])
def test_a_split_is_the_same_again_and_another_for_another_seed(rule: str) -> None:
    source = make(40, 20)
    assert class_ids(load(rule, source)) == class_ids(load(f"{rule}-0", source))
    assert class_ids(load(f"{rule}-7", source)) == class_ids(load(f"{rule}-7", source))
    assert class_ids(load(f"{rule}-7", source)) != class_ids(load(f"{rule}-8", source))


@pytest.mark.parametrize("name", ["random", "random-7", "parents", "parents-12"])
def test_a_split_bears_the_name_it_was_asked_by(name: str) -> None:
    split = load(name, make(12, 4))
    assert split.name == f"toy/{name}"
    assert split.novel.name == f"toy/{name}/novel"


def test_a_golden_split_does_not_change() -> None:
    assert class_ids(load("random-3", make(10))) == [[4, 5, 6, 7, 8, 9], [0, 3], [1, 2]]


def test_every_class_becomes_novel_about_equally_often() -> None:
    source = make(10)
    novel = np.concatenate([split_at_random(source, seed=seed).novel.classes for seed in range(500)])
    assert (np.abs(np.bincount(novel, minlength=10) - 100) < 5 * np.sqrt(500 * 0.2 * 0.8)).all()


def test_ten_classes_are_six_two_and_two() -> None:
    assert [len(ids) for ids in class_ids(load("random", make(10)))] == [6, 2, 2]


def test_other_shares_may_be_asked_for() -> None:
    split = split_at_random(make(10), shares=(0.3, 0.5), name="mine")
    assert [len(ids) for ids in class_ids(split)] == [3, 5, 2]
    assert split.name == "toy/mine"


def test_a_part_of_a_source_is_split_into_its_own_classes() -> None:
    part = make(20).select_classes(np.arange(10, 20))
    assert sorted(chain(*class_ids(load("random", part)))) == list(range(10, 20))


@pytest.mark.parametrize("classes", [1, 2])
def test_too_few_classes_are_refused(classes: int) -> None:
    assert refusal(lambda: load("random", make(classes))) == (
        f"toy has {classes} classes: a split into base, val and novel needs at least 3"
    )


def test_too_few_parents_are_refused() -> None:
    assert refusal(lambda: load("parents", make(12, 2))) == (
        "toy has 2 parents: a split into base, val and novel needs at least 3"
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rondom", "did you mean 'random'?"),
        ("random-x", "did you mean 'random'?"),
        ("random--1", "did you mean 'random'?"),
        ("parent", "did you mean 'parents'?"),
        ("xyz", "there are: all-novel, by-ATTRIBUTE, parents, random"),
    ],
)
def test_an_unknown_rule_is_refused(name: str, hint: str) -> None:
    assert refusal(lambda: load(name, make(10))) == f"unknown split '{name}': {hint}"


def drawn_by(makers: int) -> Source:
    """Every maker drew each of four classes twice."""
    images = 8 * makers
    attributes = {"drawer": np.repeat(np.arange(makers), 8) * 3}
    return Source.create(
        "toy",
        np.arange(images, dtype=np.float32)[:, None],
        np.arange(images) % 4,
        class_names=tuple("abcd"),
        attributes=attributes,
    )


@given(st.integers(3, 30), st.integers(0, 5))
def test_makers_are_dealt_with_all_classes(makers: int, seed: int) -> None:
    split = load(f"by-drawer-{seed}", drawn_by(makers))
    parts = [split.base, split.val, split.novel]
    drawers = [set(part.attributes["drawer"].tolist()) for part in parts]
    assert sum(map(len, drawers)) == len(set.union(*drawers)) == makers
    assert all(part.classes.tolist() == [0, 1, 2, 3] for part in parts)
    assert split.apart == "drawer"


def test_makers_cannot_be_in_two_parts() -> None:
    source, nothing = drawn_by(4), np.zeros(32, dtype=bool)
    halves = [source.select(np.arange(32) % 2 == number) for number in range(2)]
    empty = source.select(nothing)
    parts = {"base": halves[0], "base_heldout": empty, "val": halves[1], "novel": empty}
    assert refusal(lambda: Split("mine", **parts, apart="drawer")) == (
        "mine: base and val share 4 of attribute drawer, such as 0"
    )


def test_only_attributes_that_are_there_set_images_apart() -> None:
    assert refusal(lambda: load("by-writer", drawn_by(4))).startswith("unknown attribute of toy 'writer'")
    assert refusal(lambda: load("by-drawer", drawn_by(4)).hold_out(1)) == (
        "toy/by-drawer sets each drawer apart: its novel part is held out already"
    )
