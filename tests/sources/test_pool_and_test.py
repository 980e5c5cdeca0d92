from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import as_source, from_arrays
from fairshot.sources.pool_and_test import join_pool_and_test, split_marks, split_officially
from fairshot.sources.recipe import find_recipe
from fairshot.sources.source import Source
from fairshot.specs.data import find_source
from tests.sources import layouts

PARTS = ("val", "train", "test")


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


def test_owners_say_which_images_are_for_testing(data_folder: Path) -> None:
    """The official archives hold lists: two kinds of each, train and test in turn."""
    numbers = {"008.Rhinoceros_Auklet": (1, 2), "014.Indigo_Bunting": (3, 4)}
    images = [f"{k} {name}/{name[4:]}_{take:04d}.jpg" for name, ks in numbers.items() for take, k in enumerate(ks)]
    lists = {"images.txt": "\n".join(images), "train_test_split.txt": "1 1\n2 0\n3 0\n4 1\n"}
    birds = layouts.birds() | {f"CUB_200_2011/{name}": text.encode() for name, text in lists.items()}
    layouts.lay_out(birds, data_folder / "cu_birds" / "CUB_200_2011.tgz")
    layouts.lay_out(layouts.aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b.tar.gz")
    kinds = {part: f"banded/banded_{take:04d}.jpg\nwaffled/waffled_{take:04d}.jpg" for take, part in enumerate(PARTS)}
    textures = layouts.class_folders("dtd/images", ("banded", "waffled"), count=3)
    textures |= {f"dtd/labels/{part}1.txt": text.encode() for part, text in kinds.items()}
    layouts.lay_out(textures, data_folder / "dtd" / "dtd-r1.0.1.tar.gz")
    for name, pool, test, left in (
        ("cu_birds", [0, 3], [1, 2], 0),
        ("aircraft", [0, 1], [2, 3], 0),
        ("dtd", [1, 4], [2, 5], 2),
    ):
        both = split_officially(find_source(name, find_recipe("16")))
        assert (both.pool.image_ids.tolist(), both.test.image_ids.tolist()) == (pool, test)
        assert both.notes == (f"{left} images of neither training nor test left out",) * bool(left)


def test_flowers_are_split_by_the_file_beside_and_without_it_one_line_says_what_to_do(data_folder: Path) -> None:
    layouts.flowers(data_folder)
    with pytest.raises(FairshotError, match="vgg_flower does not say which images are for testing: give them as test"):
        split_officially(find_source("vgg_flower", find_recipe("16")))
    setid = {"trnid": np.array([[1, 3]]), "valid": np.array([[9]]), "tstid": np.array([[2]])}
    savemat(data_folder / "vgg_flower" / "setid.mat", setid)
    marks = find_source("vgg_flower", find_recipe("16")).attributes["official_test"]
    assert marks.tolist() == [0, 1, 0]
