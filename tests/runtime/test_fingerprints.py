import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fairshot.runtime import fingerprints as module
from fairshot.runtime.fingerprints import fingerprint

ARRAYS = hnp.arrays(st.sampled_from([np.uint8, np.int64, np.float32]), hnp.array_shapes(max_dims=3, max_side=4))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


def test_golden_fingerprints_do_not_change() -> None:
    assert fingerprint(np.arange(6, dtype="<i8").reshape(2, 3)) == "6b866b49ce5c957ceb7221057063a670"
    assert fingerprint("word", 1, [1, "x"], {"b": 1, "a": None}) == "3ecc858a0f3de016b02dad51b6750679"
    assert fingerprint() == "cae66941d9efbd404e4d88758ea67670"  # blake2b of nothing


def test_a_fingerprint_is_32_hexadecimal_digits() -> None:
    assert len(fingerprint("x")) == 32
    assert set(fingerprint("x")) <= set("0123456789abcdef")


@given(ARRAYS)
def test_where_and_how_an_array_lies_does_not_matter(array: np.ndarray) -> None:
    expected = fingerprint(array)
    assert fingerprint(np.asfortranarray(array)) == expected
    assert fingerprint(np.repeat(array, 2, axis=0)[::2]) == expected
    frozen = array.copy()
    frozen.flags.writeable = False
    assert fingerprint(frozen) == expected


@given(ARRAYS, ARRAYS)
def test_different_arrays_have_different_fingerprints(one: np.ndarray, other: np.ndarray) -> None:
    assume((one.dtype, one.shape, one.tobytes()) != (other.dtype, other.shape, other.tobytes()))
    assert fingerprint(one) != fingerprint(other)


@given(JSON, JSON)
def test_different_values_have_different_fingerprints(one: object, other: object) -> None:
    assume(repr(one) != repr(other))
    assert fingerprint(one) != fingerprint(other)


def test_shape_and_type_belong_to_the_content() -> None:
    zeros = [
        np.zeros(6, np.uint8),
        np.zeros((2, 3), np.uint8),
        np.zeros((3, 2), np.uint8),
        np.zeros(6, np.int8),
        np.zeros((0, 6)),
        np.zeros((6, 0)),
    ]
    assert len({fingerprint(array) for array in zeros}) == len(zeros)


def test_the_borders_between_things_belong_to_the_content() -> None:
    several = [("ab", "c"), ("a", "bc"), ("abc",), (["ab", "c"],), (np.zeros(2), np.zeros(1)), (np.zeros(3),)]
    assert len({fingerprint(*things) for things in several}) == len(several)


def test_the_order_of_keys_does_not_matter() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})


def test_slabs_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    array = np.random.default_rng(0).integers(0, 255, (100, 3, 7), dtype=np.uint8)
    whole = fingerprint(array)
    for slab in (1, 64, 1000):
        monkeypatch.setattr(module, "SLAB", slab)
        assert fingerprint(array) == whole


def test_arrays_of_words_and_single_numbers_have_fingerprints() -> None:
    assert fingerprint(np.array(["a", "b"])) != fingerprint(np.array(["a", "c"]))
    assert fingerprint(np.array(3)) != fingerprint(np.array(4))
