"""Messages of type tf.train.Example, read from their bytes: features by name, each a list of bytes or of numbers."""

from collections.abc import Iterator

from fairshot.runtime.errors import FairshotError

Features = dict[str, list[bytes] | list[int]]
VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5  # how the value of a field is written
BYTES_LIST, INT64_LIST = 1, 3  # the kinds of a feature; floats, which are 2, are left out


def parse_example(data: bytes) -> Features:
    """The features with bytes and whole numbers; what is no such message raises."""
    try:
        return dict(_feature(entry) for table in _texts(data, 1) for entry in _texts(table, 1))
    except (IndexError, ValueError) as error:
        raise FairshotError("a record is no tf.train.Example: make the records again") from error


def _feature(entry: bytes) -> tuple[str, list[bytes] | list[int]]:
    (name,), (value,) = _texts(entry, 1), _texts(entry, 2)
    for number, _, content in _fields(value):
        if number == BYTES_LIST and isinstance(content, bytes):
            return name.decode(), _texts(content, 1)
        if number == INT64_LIST and isinstance(content, bytes):
            return name.decode(), list(_numbers(content))
    return name.decode(), list[int]()


def _texts(message: bytes, wanted: int) -> list[bytes]:
    """The fields of a message that are bytes and have this number."""
    return [content for number, _, content in _fields(message) if number == wanted and isinstance(content, bytes)]


def _numbers(message: bytes) -> Iterator[int]:
    """Whole numbers, packed into one field or each in its own."""
    for number, _, content in _fields(message):
        if number == 1 and isinstance(content, int):
            yield _signed(content)
        elif number == 1 and isinstance(content, bytes):
            place = 0
            while place < len(content):
                value, place = _varint(content, place)
                yield _signed(value)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _fields(message: bytes) -> Iterator[tuple[int, int, bytes | int]]:
    """The number, the form and the value of every field."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, form = key >> 3, key & 7
        if form == VARINT:
            value, place = _varint(message, place)
            yield number, form, value
            continue
        size = {EIGHT_BYTES: 8, FOUR_BYTES: 4}.get(form, -1)
        if form == LENGTH:
            size, place = _varint(message, place)
        if size < 0 or place + size > len(message):
            raise ValueError("a field that is longer than its message")
        yield number, form, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
        if shift > 63:
            raise ValueError("a number of more than 64 bits")
