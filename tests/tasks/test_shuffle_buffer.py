"""Episodes through shuffle buffers: the descriptions of true sampling, and images as the released reader gives them."""

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.array import from_arrays
from fairshot.tasks.episodes import PAD
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.shuffle_buffer import ClassReader, ShuffleBuffer

SOURCE = from_arrays(np.zeros((300, 1)), np.repeat(np.arange(10), 30))


@pytest.mark.parametrize("buffer", [0, 7, 1000])
def test_descriptions_are_those_of_sampling_and_images_are_different(buffer: int) -> None:
    sampled, read = (
        MetaDataset().sample(SOURCE, range(40), 0),
        ShuffleBuffer(buffer=buffer).sample(SOURCE, range(40), 0),
    )
    np.testing.assert_array_equal(sampled.class_ids, read.class_ids)
    np.testing.assert_array_equal(sampled.support_labels, read.support_labels)
    for number in range(40):
        shown, asked = (table[number][table[number] != PAD] for table in (read.support_ids, read.query_ids))
        assert len(set(shown) | set(asked)) == len(shown) + len(asked)
        labels = read.support_labels[number][: len(shown)]
        np.testing.assert_array_equal(read.class_ids[number][labels], SOURCE.class_ids[shown])


def test_a_pass_shows_every_image_once_and_never_too_early() -> None:
    for buffer in (0, 1, 5, 29, 30, 1000):
        reader = ClassReader(np.arange(30), buffer, Stream(0, buffer))
        for _ in range(20):
            taken = reader.take(30)
            assert sorted(taken) == list(range(30))
            assert (taken - np.arange(30) < max(min(buffer, 30), 1)).all()
            if buffer < 2:
                assert taken.tolist() == list(range(30))


def test_what_is_left_of_a_pass_is_thrown_away() -> None:
    reader = ClassReader(np.arange(10), 0, Stream(0))
    assert [reader.take(4).tolist() for _ in range(3)] == [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 3]]


def test_a_full_buffer_is_a_fair_shuffle() -> None:
    reader = ClassReader(np.arange(4), 1000, Stream(3))
    first = np.bincount([reader.take(4)[0] for _ in range(4000)], minlength=4)
    assert (np.abs(first - 1000) < 5 * np.sqrt(4000 * 3 / 16)).all()


def test_groups_are_refused() -> None:
    with pytest.raises(FairshotError, match="a shuffle buffer knows no groups: let disjoint be none"):
        ShuffleBuffer(disjoint="group")
