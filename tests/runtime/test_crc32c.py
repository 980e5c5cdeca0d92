import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.crc32c import SEGMENT, crc32c, masked_crc32c


def plain(text: bytes) -> int:
    """Bit by bit, as the definition says."""
    register = 0xFFFFFFFF
    for byte in text:
        register ^= byte
        for _ in range(8):
            register = (register >> 1) ^ (0x82F63B78 if register & 1 else 0)
    return register ^ 0xFFFFFFFF


@pytest.mark.parametrize(
    ("text", "expected"),
    [(b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43), (bytes(range(32)), 0x46DD794E)],
)
def test_published_values(text: bytes, expected: int) -> None:
    """The check value of the polynomial, and the test vectors of RFC 3720."""
    assert crc32c([text]).tolist() == [expected]


@given(st.lists(st.binary(min_size=4, max_size=3 * SEGMENT + 5), max_size=4))
def test_many_at_once_are_as_one_by_one(texts: list[bytes]) -> None:
    assert crc32c(texts).tolist() == [plain(text) for text in texts]


def test_the_mask_is_that_of_tfrecords() -> None:
    # The length and checksum at the beginning of a record of 24 bytes, as TensorFlow writes it.
    assert masked_crc32c([(24).to_bytes(8, "little")]).dtype == np.uint32
    rotated = (plain(b"abcd") >> 15 | plain(b"abcd") << 17) & 0xFFFFFFFF
    assert masked_crc32c([b"abcd"]).tolist() == [(rotated + 0xA282EAD8) & 0xFFFFFFFF]
