"""Glyphs with three labels: every drawing thrice, and no label shared across parts."""

import re
from collections import Counter

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources import meanings
from fairshot.sources.glyphs import glyphs
from fairshot.sources.source import Source
from fairshot.specs.data import find_source, find_split
from fairshot.splits.meanings import SPLITS
from fairshot.tasks.within_parent import WithinParent

SMALL = "meanings:alphabets=30,characters=4"


@pytest.fixture(scope="module")
def source() -> Source:
    return find_source(SMALL)


def test_every_drawing_is_there_once_with_each_meaning(source: Source) -> None:
    drawings = len(glyphs.load(alphabets=30, characters=4))
    images = source.store.reshape(3, drawings, -1)
    assert (images[0] == images[1]).all()
    assert (images[0] == images[2]).all()
    meaning = source.class_attributes["meaning"][source.class_ids]
    assert Counter(meaning.tolist()) == {0: drawings, 1: drawings, 2: drawings}


def test_labels_are_what_was_drawn_who_drew_it_and_where_it_comes_from(source: Source) -> None:
    world = glyphs.load(alphabets=30, characters=4)
    names = np.array(source.class_names)[source.class_ids].reshape(3, -1)
    for own, wanted in zip(
        names,
        (
            world.class_ids,
            world.attributes["drawer"],
            np.unique(world.parents, return_inverse=True)[1][world.class_ids],
        ),
        strict=True,
    ):
        last = np.unique([name.split("/")[0] + name.split("/")[-1] for name in own], return_inverse=True)[1]
        for value in np.unique(last):
            assert len(np.unique(wanted[last == value])) == 1  # a class holds one character, drawer or alphabet only


@pytest.mark.parametrize("name", SPLITS)
def test_parts_share_no_alphabet_and_every_meaning_has_as_many_parents(name: str) -> None:
    split = find_split(SMALL, name)
    kinds = [
        Counter(parent.split()[0] for parent in part.parent_names) for part in (split.base, split.val, split.novel)
    ]
    assert kinds == [dict.fromkeys(kinds[0], 10)] * 3
    assert len(kinds[0]) == len(SPLITS[name].meanings)
    base, val, novel = (
        {int(number) for name in own for number in re.findall(r"alphabet(\d+)|from (\d+)", name)[0] if number}
        for own in (split.base.parent_names, split.val.parent_names, split.novel.parent_names)
    )
    assert (base, val, novel) == (set(range(10)), set(range(10, 20)), set(range(20, 30)))


def test_five_alphabets_meet_in_each_circle(source: Source) -> None:
    split = find_split(SMALL, "alphabet")
    circles = Counter(split.novel.parents[c] for c in split.novel.classes)
    assert set(circles.values()) == {5}
    episodes = WithinParent(way=5, shot=2, query=2).sample(split.novel, range(4), 0)
    assert (episodes.ways == 5).all()


def test_alphabets_come_in_tens_and_three_blocks_are_needed() -> None:
    with pytest.raises(FairshotError, match="alphabets=12: they come in tens"):
        meanings.load(alphabets=12)
    with pytest.raises(FairshotError, match="has 20 alphabets"):
        find_split("meanings:alphabets=20,characters=2", "switched")


def test_a_random_split_would_part_the_labels_of_a_drawing() -> None:
    with pytest.raises(FairshotError, match="has no split 'random': every drawing is there with several labels"):
        find_split(SMALL, "random")
