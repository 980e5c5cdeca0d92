"""Converted classes of Meta-Dataset as its own programme writes them, and as people pass them on in HDF5."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from fairshot.runtime.crc32c import masked_crc32c
from tests.sources.layouts import encode, photograph

NAMES = {0: "banded", 1: "waffled", 2: "zigzagged"}
COUNTS = {0: 2, 1: 3, 2: 1}


def varint(number: int) -> bytes:
    number, found = number % (1 << 64), bytearray()
    while True:
        found.append(number & 127 | (128 if number > 127 else 0))
        number >>= 7
        if not number:
            return bytes(found)


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def example(*, image: bytes, label: int) -> bytes:
    features = {"label": field(3, field(1, varint(label))), "image": field(1, field(1, image))}
    return field(1, b"".join(field(1, field(1, name.encode()) + field(2, value)) for name, value in features.items()))


def record(message: bytes) -> bytes:
    head = struct.pack("<Q", len(message))
    first, second = masked_crc32c([head, message]).tolist()
    return head + struct.pack("<I", first) + message + struct.pack("<I", second)


def specification(name: str = "dtd") -> dict[str, Any]:
    return {
        "name": name,
        "classes_per_split": {"TRAIN": 1, "VALID": 1, "TEST": 1},
        "images_per_class": {str(number): count for number, count in COUNTS.items()},
        "class_names": {str(number): name for number, name in NAMES.items()},
        "file_pattern": "{}.tfrecords",
    }


def pixels(number: int, row: int) -> np.ndarray:
    return np.asarray(photograph(7, number, row))


def write_records(folder: Path) -> Path:
    """Three classes of a few images; PNG, so that the same pixels must come back."""
    folder.mkdir(parents=True)
    (folder / "dataset_spec.json").write_text(json.dumps(specification()))
    for number, count in COUNTS.items():
        images = [encode(photograph(7, number, row)) for row in range(count)]
        data = b"".join(record(example(image=image, label=number)) for image in images)
        (folder / f"{number}.tfrecords").write_bytes(data)
    return folder


def write_hdf5(folder: Path, h5py: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / "dataset_spec.json").write_text(json.dumps(specification()))
    for number, count in COUNTS.items():
        with h5py.File(folder / f"{number}.h5", "w") as file:
            for row in range(count):
                group = file.create_group(str(row))
                group.create_dataset("image", data=pixels(number, row))
                group.create_dataset("label", data=number)
    return folder


def expected() -> list[np.ndarray]:
    """The images in the order of classes, channels first."""
    return [pixels(number, row).transpose(2, 0, 1) for number, count in COUNTS.items() for row in range(count)]
