"""CIFAR-100: 100 classes in 20 superclasses, 600 colour images of 32 x 32 each (Krizhevsky 2009).

Read from the official binary version, packed or unpacked; the pickled version is never opened.
https://www.cs.toronto.edu/~kriz/cifar.html
"""

from pathlib import Path

import numpy as np

from fairshot.runtime.archives import Read, open_archive
from fairshot.runtime.data import find_data, stamp
from fairshot.runtime.download import Remote
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

REMOTES = (
    Remote(
        "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz",
        168_513_733,
        "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
    ),
)
FILES = {"train.bin": 50_000, "test.bin": 10_000}
RECORD = 2 + 3 * 32 * 32  # superclass, class, then the red, green and blue planes


def load() -> Source:
    """All 60,000 images: the official training images, then the official test images (attribute `official_test`)."""
    folder = find_data("cifar100", "cifar-100-binary", "train.bin")
    folder = folder.parent if folder.name == "train.bin" else folder
    return load_once("cifar100", [1, stamp(folder)], lambda _: _decode(folder))


def _decode(folder: Path) -> Source:
    with open_archive(folder) as (members, read):
        member = {name.rpartition("/")[2]: name for name in members}
        missing = {*FILES, "fine_label_names.txt", "coarse_label_names.txt"} - member.keys()
        if missing:
            raise FairshotError(
                f"{folder} lacks {', '.join(sorted(missing))}: fetch it again with 'fairshot data get cifar100'"
            )
        records = np.concatenate([_records(folder, member[name], read, count) for name, count in FILES.items()])
        fine, coarse = (read(member[f"{kind}_label_names.txt"]).decode().split() for kind in ("fine", "coarse"))
    if records[:, 0].max() >= len(coarse) or records[:, 1].max() >= len(fine):
        raise FairshotError(f"{folder}: labels exceed their names: fetch it again with 'fairshot data get cifar100'")
    parent_of = dict(zip(records[:, 1].tolist(), records[:, 0].tolist(), strict=True))
    return Source.create(
        "cifar100",
        np.ascontiguousarray(records[:, 2:]).reshape(-1, 3, 32, 32),
        records[:, 1].astype(np.int64),
        class_names=tuple(fine),
        parents=tuple(coarse[parent_of[number]] for number in range(len(fine))),
        attributes={"official_test": np.repeat([0, 1], list(FILES.values()))},
    )


def _records(folder: Path, member: str, read: Read, count: int) -> np.ndarray:
    data = np.frombuffer(read(member), dtype=np.uint8)
    if data.size != count * RECORD:
        raise FairshotError(
            f"{folder}: {member} has {data.size} bytes, the official one {count * RECORD}: fetch it again with "
            "'fairshot data get cifar100'"
        )
    return data.reshape(count, RECORD)
