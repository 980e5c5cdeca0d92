import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.example import parse_example
from tests.sources.records import example, field, varint


def test_bytes_and_numbers_are_read_by_name() -> None:
    assert parse_example(example(image=b"abc", label=300)) == {"image": [b"abc"], "label": [300]}


@given(st.binary(max_size=300), st.integers(-(2**63), 2**63 - 1))
def test_any_bytes_and_any_number_come_back(image: bytes, label: int) -> None:
    assert parse_example(example(image=image, label=label)) == {"image": [image], "label": [label]}


def test_numbers_may_be_packed_or_not_and_floats_are_left_out() -> None:
    unpacked = varint(1 << 3) + varint(7) + varint(1 << 3) + varint(8)
    floats = field(1, b"\x00\x00\x80\x3f")
    features = {"some": field(3, unpacked), "none": field(2, floats), "empty": b""}
    table = b"".join(field(1, field(1, name.encode()) + field(2, value)) for name, value in features.items())
    assert parse_example(field(1, table)) == {"some": [7, 8], "none": [], "empty": []}


@pytest.mark.parametrize("data", [b"\x0a", b"\x0a\xff\xff", b"\x0a\x05abc", b"\xff" * 12, b"\x0f\x01"])
def test_what_is_no_example_is_refused(data: bytes) -> None:
    with pytest.raises(FairshotError, match=r"^a record is no tf\.train\.Example: make the records again$"):
        parse_example(data)
