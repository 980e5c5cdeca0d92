import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.tasks.support_draws import draw_supports, draws_from_rows


def make_pool(*counts: int) -> Source:
    labels = np.repeat(np.arange(len(counts)), counts)
    return from_arrays(np.random.default_rng(0).normal(size=(len(labels), 3)), labels)


def test_every_draw_has_so_many_different_images_of_every_class() -> None:
    pool = make_pool(5, 9, 7)
    drawn = draw_supports(pool, 4, 50)
    assert drawn.image_ids.shape == (50, 3, 4)
    assert (pool.class_ids[drawn.image_ids] == np.arange(3)[:, None]).all()
    assert all(len(set(row)) == 4 for draw in drawn.image_ids.tolist() for row in draw)
    assert len({tuple(draw.ravel()) for draw in drawn.image_ids}) == 50


def test_a_draw_depends_on_seed_and_number_alone_and_more_shots_contain_fewer() -> None:
    pool = make_pool(8, 8)
    many = draw_supports(pool, 5, 20)
    assert (draw_supports(pool, 2, 7).image_ids == many.image_ids[:7, :, :2]).all()
    assert (many.first(2).image_ids == many.image_ids[:, :, :2]).all()
    assert many.key == draw_supports(pool, 5, 20).key != draw_supports(pool, 5, 20, seed=1).key


def test_draws_are_the_same_for_ever() -> None:
    drawn = draw_supports(make_pool(6, 6), 3, 2).image_ids.tolist()
    assert drawn == GOLDEN


GOLDEN = [[[2, 4, 5], [11, 6, 9]], [[0, 3, 4], [6, 7, 8]]]


def test_every_image_is_drawn_equally_often() -> None:
    times = np.bincount(draw_supports(make_pool(5, 5), 2, 2000).image_ids.ravel())
    assert abs(times - 800).max() < 5 * np.sqrt(2000 * 0.4 * 0.6)


def test_a_class_with_too_few_images_is_named() -> None:
    with pytest.raises(FairshotError) as error:
        draw_supports(make_pool(3, 9, 2), 4, 1)
    assert str(error.value) == (
        "4 shots were asked for, and class '2' has 2 images in the pool, and 1 other class too few: ask for 2 shots at "
        "most, or leave out small classes with skip_small"
    )


def test_other_peoples_draws_must_fit() -> None:
    pool = make_pool(3, 3)
    drawn = draws_from_rows(pool, [[4, 0], [2, 3]], "theirs.json")
    assert drawn.image_ids.tolist() == [[[0], [4]], [[2], [3]]]
    for rows, message in (
        ([[0, 1]], "draw 0 of t has 2 images of class '0' where others have 1: give every class as many in every draw"),
        ([[0, 9]], "draw 0 of t names row 9 and the pool has 6 rows, from 0 on"),
        ([[0, 0, 3, 4]], "draw 0 of t names a row twice: a draw has every image once"),
    ):
        with pytest.raises(FairshotError) as error:
            draws_from_rows(pool, rows, "t")
        assert str(error.value) == message
