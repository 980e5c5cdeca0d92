import hashlib
from collections import Counter
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from fairshot.runtime.seeds import Stream, Streams, _mix, hash_sets

SEEDS = st.integers(0, 2**31)
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
PATHS = st.lists(st.integers(0, 2**31) | WORDS, min_size=1, max_size=5).map(tuple)


def head(*path: int | str) -> list[float]:
    return Stream(*path).uniform(4).tolist()


@given(PATHS)
def test_equal_paths_give_equal_streams(path: tuple[int | str, ...]) -> None:
    assert head(*path) == head(*path)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0,), (1,)),
        ((0, "episodes"), (0, "split")),
        ((0, "episodes", 0), (0, "episodes", 1)),
        ((0, "episodes", 1), (1, "episodes", 0)),
        (("a", "b"), ("b", "a")),
        (("ab",), ("a", "b")),
        ((5,), ("5",)),
    ],
)
def test_different_paths_give_different_streams(one: tuple[int | str, ...], other: tuple[int | str, ...]) -> None:
    assert head(*one) != head(*other)


@given(PATHS, PATHS)
def test_no_two_paths_share_a_stream(one: tuple[int | str, ...], other: tuple[int | str, ...]) -> None:
    assume(one != other)
    assert head(*one) != head(*other)


def test_a_trailing_zero_names_another_stream() -> None:
    assert head(7, "episodes") != head(7, "episodes", 0)


def test_a_seed_beyond_32_bits_is_not_taken_for_two_parts() -> None:
    assert head(2**32 + 5) != head(5, 1)


def test_a_stream_goes_on_instead_of_repeating_itself() -> None:
    stream = Stream(3)
    assert stream.uniform(4).tolist() + stream.uniform(4).tolist() == Stream(3).uniform(8).tolist()


def test_golden_numbers_do_not_change() -> None:
    """These stand in every published result: a change here changes every episode that was ever sampled."""
    golden = (0, "golden")
    assert Stream(*golden).uniform(3).tolist() == [0.847568891125543, 0.04602781387723731, 0.9891046063355904]
    assert Stream(*golden).integers(1000, 5).tolist() == [847, 46, 989, 838, 825]
    few = Stream(*golden).ordered_sample(np.array([10, 20, 5]), 4)
    assert few.tolist() == [[8, 0, 4, 7], [0, 16, 3, 18], [4, 2, 0, 1]]
    many = Stream(*golden).ordered_sample(np.array([40, 50]), 40)
    assert many[:, :8].tolist() == [[33, 39, 0, 14, 36, 4, 1, 9], [2, 42, 15, 7, 32, 27, 21, 37]]
    assert Stream(*golden).permutations(np.array([5, 3])).tolist() == [[1, 4, 3, 0, 2], [2, 0, 1, 4, 3]]


def test_uniform_numbers_are_the_top_53_bits_of_pcg64() -> None:
    entropy = int.from_bytes(hashlib.blake2b(b"[3]", digest_size=16).digest(), "little")
    raw = np.random.PCG64(np.random.SeedSequence(entropy)).random_raw(5)
    assert Stream(3).uniform(5).tolist() == [(int(value) >> 11) / 2**53 for value in raw]


def test_uniform_numbers_take_any_shape() -> None:
    assert Stream(0).uniform(2, 3, 4).shape == (2, 3, 4)
    assert Stream(0).uniform().shape == ()
    assert Stream(0).uniform(0, 5).shape == (0, 5)


def test_uniform_numbers_are_uniform() -> None:
    numbers = Stream(11, "uniform").uniform(20_000)
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert kstest(numbers, "uniform").pvalue > 0.001


def test_integers_are_uniform_below_their_bound() -> None:
    numbers = Stream(1, "integers").integers(7, 14_000)
    assert numbers.dtype == np.int64
    assert chisquare(np.bincount(numbers, minlength=7)).pvalue > 0.001


@given(SEEDS, st.lists(st.integers(1, 2**40), min_size=1, max_size=20))
def test_integers_stay_below_a_bound_of_their_own(seed: int, below: list[int]) -> None:
    numbers = Stream(seed).integers(np.array(below), len(below))
    assert (numbers >= 0).all()
    assert (numbers < np.array(below)).all()


@given(SEEDS, st.data())
def test_an_ordered_sample_has_distinct_values_below_its_rows_size(seed: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 80), label="count")
    sizes = np.array(data.draw(st.lists(st.integers(count, count + 300), min_size=1, max_size=12), label="sizes"))
    drawn = Stream(seed).ordered_sample(sizes, count)
    assert drawn.shape == (len(sizes), count)
    assert drawn.dtype == np.int64
    assert (drawn >= 0).all()
    assert (drawn < sizes[:, None]).all()
    assert all(len(set(row)) == count for row in drawn.tolist())


@pytest.mark.parametrize("count", [1, 2, 19, 20, 33, 60])
def test_an_ordered_sample_may_take_everything(count: int) -> None:
    drawn = Stream(5).ordered_sample(np.full(4, count), count)
    assert (np.sort(drawn, axis=1) == np.arange(count)).all()


@pytest.mark.parametrize("size", [34, 54, 55, 69, 200, 10_000])
def test_both_ways_of_sampling_keep_ragged_rows_apart(size: int) -> None:
    """Many of few are sorted, few of many are chased; the border lies somewhere among these sizes."""
    sizes = np.array([33, size, 34])
    drawn = Stream(8).ordered_sample(sizes, 33)
    assert (drawn < sizes[:, None]).all()
    assert all(len(set(row)) == 33 for row in drawn.tolist())


def test_an_ordered_sample_of_nothing_is_empty() -> None:
    assert Stream(0).ordered_sample(np.array([4, 4]), 0).shape == (2, 0)
    assert Stream(0).ordered_sample(np.array([], dtype=np.int64), 3).shape == (0, 3)


def test_every_ordered_outcome_is_equally_likely() -> None:
    drawn = Stream(0, "ordered outcomes").ordered_sample(np.full(12_000, 5), 3)
    seen = Counter(map(tuple, drawn.tolist()))
    assert set(seen) == set(permutations(range(5), 3))
    assert chisquare(list(seen.values())).pvalue > 0.001


def test_every_ordered_outcome_is_equally_likely_in_the_smaller_of_ragged_rows() -> None:
    sizes = np.tile([4, 9], 6000)
    drawn = Stream(0, "ragged outcomes").ordered_sample(sizes, 2)[sizes == 4]
    seen = Counter(map(tuple, drawn.tolist()))
    assert set(seen) == set(permutations(range(4), 2))
    assert chisquare(list(seen.values())).pvalue > 0.001


def test_the_sorting_path_puts_every_value_everywhere_equally_often() -> None:
    drawn = Stream(0, "sorted").ordered_sample(np.full(3000, 40), 36)
    for place in (0, 17, 35):
        assert chisquare(np.bincount(drawn[:, place], minlength=40)).pvalue > 0.001


def test_every_permutation_is_equally_likely() -> None:
    drawn = Stream(0, "permutations").permutations(np.tile([4, 6], 6000))[::2, :4]
    seen = Counter(map(tuple, drawn.tolist()))
    assert set(seen) == set(permutations(range(4)))
    assert chisquare(list(seen.values())).pvalue > 0.001


@given(SEEDS, st.lists(st.integers(0, 70), min_size=1, max_size=12))
def test_a_permutation_of_the_row_comes_first_and_the_rest_after(seed: int, sizes: list[int]) -> None:
    drawn = Stream(seed).permutations(np.array(sizes))
    assert drawn.shape == (len(sizes), max(sizes))
    for row, size in zip(drawn.tolist(), sizes, strict=True):
        assert sorted(row[:size]) == list(range(size))
        assert sorted(row[size:]) == list(range(size, max(sizes)))


@given(st.lists(st.integers(1, 300), min_size=1, max_size=400), st.integers(1, 60), SEEDS)
def test_the_first_of_a_permutation_are_the_same_as_of_all_of_it(sizes: list[int], first: int, seed: int) -> None:
    whole = Stream(seed).permutations(np.array(sizes))
    np.testing.assert_array_equal(Stream(seed).permutations(np.array(sizes), first=first), whole[:, :first])


def test_permutations_do_not_depend_on_how_many_keys_are_sorted_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = np.arange(1, 40)
    whole = Stream(3).permutations(sizes)
    monkeypatch.setattr("fairshot.runtime.seeds.SLAB", 100)
    np.testing.assert_array_equal(Stream(3).permutations(sizes), whole)


def test_streams_are_those_of_splitmix64() -> None:
    """The numbers of Vigna's splitmix64.c, and golden ones that stand in every published result of a clusterer."""
    streams = Streams(np.zeros(2, dtype=np.int64))
    streams._keys = np.array([0, 1234567], dtype=np.uint64)
    assert streams.words(3).tolist() == [
        [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F],
        [6457827717110365317, 3203168211198807973, 9817491932198370423],
    ]
    golden = Streams(np.array([0, -5]), 0, "golden")
    assert golden.uniform(2).tolist() == [
        [0.8855384173557961, 0.6288282186894377],
        [0.7584994090245912, 0.8674577513361271],
    ]
    assert golden.integers(1000).tolist() == [885, 758]
    assert hash_sets(np.array([[3, 1, -1], [0, 1, 2]]), nothing=-1).tolist() == [
        4751817157559875538,
        747005397754734604,
    ]


def test_a_row_draws_the_same_whatever_stands_beside_it_and_however_much_is_drawn() -> None:
    seeds = np.arange(-20, 20)
    whole = Streams(seeds, 3, "rows").uniform(9)
    np.testing.assert_array_equal(Streams(seeds[7:9], 3, "rows").uniform(9), whole[7:9])
    np.testing.assert_array_equal(Streams(seeds, 3, "rows").uniform(4), whole[:, :4])
    assert (Streams(seeds, 4, "rows").uniform(9) != whole).all()
    assert (Streams(seeds, 3, "other").uniform(9) != whole).all()


def test_streams_of_neighbouring_seeds_are_uniform_and_unrelated() -> None:
    drawn = Streams(np.arange(400), "even").uniform(50)
    assert 0 <= drawn.min() <= drawn.max() < 1
    assert kstest(drawn.ravel(), "uniform").pvalue > 0.001
    assert kstest(drawn[:, 0], "uniform").pvalue > 0.001
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 4 / np.sqrt(drawn.size)


@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=9), st.randoms())
def test_a_set_has_one_hash_in_any_order_and_with_any_padding(items: list[int], random: Random) -> None:
    other = [*items, -1, -1]
    random.shuffle(other)
    assert hash_sets(np.array([items]), nothing=-1) == hash_sets(np.array([other]), nothing=-1)
    assert hash_sets(np.array([items]), nothing=-1) != hash_sets(np.array([[*items[:-1], items[-1] + 1]]), nothing=-1)


def test_no_two_words_are_mixed_to_the_same() -> None:
    assert len(np.unique(_mix(np.arange(100_000, dtype=np.uint64)))) == 100_000
