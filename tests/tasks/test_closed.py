"""Closed lists: every image once at most, as many episodes as there can be, the same whoever asks."""

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.closed import Closed, most_episodes, plan
from tests.conftest import make_vectors


def world(counts: list[int]) -> Source:
    labels = np.repeat(np.arange(len(counts)), counts)
    order = np.random.default_rng(0).permutation(len(labels))
    return from_arrays(np.zeros((len(labels), 1)), labels[order])


@cache
def _longest(portions: tuple[int, ...], way: int) -> int:
    """By trying everything."""
    there = [c for c, left in enumerate(portions) if left]
    tries = combinations(there, way)
    rests = {tuple(sorted(left - (c in chosen) for c, left in enumerate(portions))) for chosen in tries}
    return max((1 + _longest(rest, way) for rest in rests), default=0)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=5), st.integers(2, 3))
def test_there_are_as_many_episodes_as_there_can_be(portions: list[int], way: int) -> None:
    assert most_episodes(np.array(portions), way) == _longest(tuple(portions), way)


@given(st.lists(st.integers(0, 30), min_size=2, max_size=12), st.integers(2, 4), st.integers(0, 2**31))
def test_the_plan_takes_different_classes_and_each_portion_once(portions: list[int], way: int, seed: int) -> None:
    sizes = np.array(portions)
    assume((sizes > 0).sum() >= way)
    rows, turns = plan(sizes, way, Stream(seed))
    assert rows.shape == (most_episodes(sizes, way), way)
    assert all(len(set(row)) == way for row in rows.tolist())
    assert (turns < sizes[rows]).all()
    assert len(set(zip(rows.ravel().tolist(), turns.ravel().tolist(), strict=True))) == rows.size


@given(
    st.lists(st.integers(1, 40), min_size=4, max_size=10).filter(lambda counts: sum(n >= 5 for n in counts) >= 3),
    st.integers(0, 2**31),
    st.data(),
)
def test_no_image_comes_twice_and_portions_do_not_matter(counts: list[int], seed: int, data: st.DataObject) -> None:
    source, task = world(counts), Closed(way=3, shot=2, query=3)
    length = task.length(source)
    whole = task.sample(source, range(length), seed)
    used = np.concatenate([whole.support_ids.ravel(), whole.query_ids.ravel()])
    assert len(set(used)) == len(used) == length * 15
    for ids, labels in ((whole.support_ids, whole.support_labels), (whole.query_ids, whole.query_labels)):
        np.testing.assert_array_equal(source.class_ids[ids], np.take_along_axis(whole.class_ids, labels, 1))
    assert all(np.bincount(labels).tolist() == [3, 3, 3] for labels in whole.query_labels)
    left = np.bincount(source.class_ids, minlength=len(counts)) - np.bincount(
        source.class_ids[used], minlength=len(counts)
    )
    assert (left >= 5).sum() < 3
    start = data.draw(st.integers(0, length - 1))
    stop = data.draw(st.integers(start + 1, length))
    part = task.sample(source, range(start, stop), seed)
    for table, some in zip(whole.tables, part.tables, strict=True):
        np.testing.assert_array_equal(table[start:stop], some)


def test_balanced_classes_are_used_up_equally_and_meet_equally_often() -> None:
    task, source = Closed(way=2, shot=1, query=1), world([8] * 6)
    meetings = np.zeros((6, 6), dtype=int)
    for seed in range(300):
        classes = task.sample(source, range(12), seed).class_ids
        assert np.bincount(classes.ravel()).tolist() == [4] * 6
        np.add.at(meetings, tuple(np.sort(classes, axis=1).T), 1)
    # Meetings of one list depend on each other, so they vary less than free draws would: the test errs on the safe side.
    assert stats.chisquare(meetings[np.triu_indices(6, 1)]).pvalue > 0.001


def test_labels_queries_and_images_tell_nothing() -> None:
    task, source = Closed(way=2, shot=1, query=2), world([30, 6, 6, 6, 6])
    drawn = [task.sample(source, range(task.length(source)), seed) for seed in range(300)]
    first = np.concatenate([episodes.class_ids[:, 0] == 0 for episodes in drawn])
    second = np.concatenate([episodes.class_ids[:, 1] == 0 for episodes in drawn])
    assert stats.binomtest(int(first.sum()), int(first.sum() + second.sum())).pvalue > 0.001
    truth = np.concatenate([episodes.query_labels[:, 0] for episodes in drawn])
    assert stats.binomtest(int(truth.sum()), len(truth)).pvalue > 0.001
    shown = np.bincount(np.concatenate([episodes.support_ids.ravel() for episodes in drawn]), minlength=len(source))
    large = source.class_ids == 0
    assert stats.chisquare(shown[large]).pvalue > 0.001


def test_large_classes_are_drawn_more_often() -> None:
    task, source = Closed(way=2, shot=1, query=2), world([30, 6, 6, 6, 6])
    counts = np.bincount(task.sample(source, range(8), 0).class_ids.ravel())
    assert counts.tolist() == [8, 2, 2, 2, 2]


def test_its_interval_for_images_is_the_usual_one(tmp_path: Path) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "neighbours:k=1")}
    source = make_vectors(classes=20, images=30, spread=2.0)
    result = evaluate(source, learners, [Closed(way=5, shot=3, query=3)], episodes=1000, out=tmp_path)
    for row in result.rows:
        assert row.episodes == 20
        assert set(row.intervals) == {"episodes", "images"}
        assert row.intervals["episodes"] == row.intervals["images"] is not None
    (comparison,) = compare([tmp_path])
    assert set(comparison.differences) == {"episodes", "images"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Closed(way=1), "way is 1: it must be at least 2"),
        (lambda: Closed(query=0), "query is 0: it must be at least 1"),
        (
            lambda: Closed(way=3).length(world([16, 40, 15, 15])),
            "closed 3-way 1-shot 15-query needs 3 classes with 16 images, and 2 of the 4 classes of array have them: lower "
            "way, shot or query",
        ),
        (
            lambda: Closed(way=2, query=1).sample(world([4, 4]), range(3), 0),
            "closed 2-way 1-shot 1-query has 2 episodes, 3 were asked for",
        ),
    ],
)
def test_what_cannot_be_served_is_refused(make, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        make()
    assert str(caught.value) == message
