"""The TFRecords that Meta-Dataset's own programme makes: one file a class, with dataset_spec.json beside them.

A record is eight bytes of length and their checksum, then a tf.train.Example with an encoded image and its label, and
the checksum of that. Every checksum is looked at before anything is converted.
"""

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from fairshot.runtime.crc32c import masked_crc32c
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.example import parse_example
from fairshot.runtime.progress import Progress
from fairshot.sources.images.collection import Collection, open_picture
from fairshot.sources.images.dataset_spec import DatasetSpec, read_spec

BATCH = 1 << 25  # bytes whose checksums are computed together
LEAST = 4  # bytes of a message that holds an image
HEAD, TAIL = struct.Struct("<QI"), struct.Struct("<I")


class Record(NamedTuple):
    """Where the message of a record lies in its file."""

    start: int
    size: int


def tfrecords(name: str) -> Callable[[Path], AbstractContextManager[Collection]]:
    """A reader of a folder of records."""

    @contextmanager
    def collect(folder: Path) -> Iterator[Collection]:
        spec = read_spec(folder, "tfrecords")
        progress = Progress(f"checking {name}", len(spec.files), "classes")
        found: list[tuple[int, Record]] = []
        for done, (number, file) in enumerate(spec.files.items(), 1):
            records = read_records(file, label=number)
            spec.check_count(number, len(records))
            found += [(number, record) for record in records]
            progress(done)
        yield Collection(
            name,
            [f"{number}/{record.start}" for number, record in found],
            [spec.class_names[number] for number, _ in found],
            lambda row: open_picture(_image(spec, *found[row])),
        )

    return collect


def read_records(file: Path, *, label: int | None = None) -> list[Record]:
    """Where the records of a file lie, all of whose checksums and labels are right."""
    records: list[Record] = []
    with open(file, "rb") as source:
        size = os.fstat(source.fileno()).st_size
        while source.tell() < size:
            records += _check_batch(file, source, size, len(records), label)
    return records


def _check_batch(file: Path, source: BinaryIO, size: int, first: int, label: int | None) -> list[Record]:
    """The next records, as many as are checked together."""
    places: list[Record] = []
    heads, bodies, sums = list[bytes](), list[bytes](), list[int]()
    room = BATCH
    while source.tell() < size and room > 0:
        head = source.read(HEAD.size)
        length, head_sum = HEAD.unpack(head) if len(head) == HEAD.size else (0, 0)
        place = Record(source.tell(), length)
        if length < LEAST or place.start + length + TAIL.size > size:  # cut off, or a length that was damaged
            raise FairshotError(
                f"{file} is damaged or cut off: its record {first + len(places)} has no end; copy it again"
            )
        body, (body_sum,) = source.read(length), TAIL.unpack(source.read(TAIL.size))
        heads.append(head[:8])
        bodies.append(body)
        sums += [head_sum, body_sum]
        places.append(place)
        room -= length
    found = np.stack([masked_crc32c(heads), masked_crc32c(bodies)], axis=1)
    wrong = np.flatnonzero((found != np.array(sums, dtype=np.uint32).reshape(-1, 2)).any(axis=1))
    if len(wrong):
        raise FairshotError(
            f"{file} is damaged: its record {first + int(wrong[0])} does not have its checksum; copy it again"
        )
    for number, body in enumerate(bodies, first):
        _check_label(file, number, body, label)
    return places


def _check_label(file: Path, number: int, body: bytes, label: int | None) -> None:
    features = parse_example(body)
    if len(features.get("image", ())) != 1 or (label is not None and features.get("label") != [label]):
        raise FairshotError(
            f"{file}: record {number} has label {features.get('label')} and {len(features.get('image', ()))} images, "
            f"expected [{label}] and 1: the file is another class's, or not Meta-Dataset's"
        )


def _image(spec: DatasetSpec, number: int, record: Record) -> bytes:
    with open(spec.files[number], "rb") as source:
        source.seek(record.start)
        image = parse_example(source.read(record.size))["image"][0]
    assert isinstance(image, bytes)
    return image
