import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import as_source, from_arrays
from fairshot.sources.pool_and_test import join_pool_and_test, split_marks, split_officially
from fairshot.sources.source import Source


def make(labels: list[str], seed: int = 0, **more: object) -> Source:
    X = np.random.default_rng(seed).normal(size=(len(labels), 4)).astype(np.float32)
    return from_arrays(X, np.array(labels), name=f"part{seed}", **more)  # type: ignore[arg-type]


def test_two_sources_become_one_by_the_names_of_their_classes() -> None:
    pool, test = make(["a", "b", "c", "c"]), make(["c", "a", "b"], seed=1)
    both = join_pool_and_test(pool, test)
    assert both.name == "part0 and part1"
    assert [both.pool.class_names[c] for c in both.pool.class_ids] == ["a", "b", "c", "c"]
    assert [both.test.class_names[c] for c in both.test.class_ids] == ["c", "a", "b"]
    np.testing.assert_array_equal(both.test.read(np.arange(3)), test.read(np.arange(3)))
    assert set(both.pool.image_ids).isdisjoint(both.test.image_ids)
    assert both.notes == ()


def test_classes_on_one_side_and_copies_are_told() -> None:
    pool = make(["a", "b", "c"])
    X = np.concatenate([np.asarray(pool.store)[:1], np.zeros((2, 4), np.float32)])
    both = join_pool_and_test(pool, from_arrays(X, np.array(["a", "b", "d"])))
    assert both.notes == (
        "2 classes with images on one side only left out",
        "1 test image exactly as in the pool: such answers are too easy",
    )
    with pytest.raises(FairshotError, match="have 1 class in common: give test images whose classes have the same"):
        join_pool_and_test(pool, make(["a", "x"], seed=1))
    with pytest.raises(FairshotError, match="an item of part0 is 4 and one of array 3: prepare both in the same way"):
        join_pool_and_test(pool, from_arrays(np.ones((2, 3)), np.array(["a", "b"])))


def test_a_column_split_says_what_is_for_testing_and_groups_stay_on_one_side() -> None:
    split = ["train", "Train", "test", "train", "test", "val", "train", "training"]
    table = {
        "X": np.random.default_rng(0).normal(size=(8, 2)),
        "y": list("abaabbbb"),
        "groups": [1, 2, 3, 2, 3, 9, 3, 4],
        "attribute.split": np.array(split),
    }
    both = split_officially(as_source(table))
    assert both.pool.image_ids.tolist() == [0, 1, 3, 7]
    assert both.test.image_ids.tolist() == [2, 4]
    assert "1 pool image of groups that are in the test left out" in both.notes
    assert "1 image of neither training nor test left out" in both.notes


def test_a_source_that_does_not_say_is_refused() -> None:
    with pytest.raises(FairshotError, match="part0 does not say which images are for testing: give them as test, or"):
        split_officially(make(["a", "b"]))


def test_words_and_numbers_mark_the_test() -> None:
    assert split_marks(np.array([0, 1, 1])).tolist() == [0, 1, 1]  # type: ignore[union-attr]
    assert split_marks(np.array(["north", "south"])) is None
