"""Omniglot: 1623 handwritten characters of 50 alphabets, each drawn once by 20 people (Lake et al., Science 2015).

Read from the official archives, packed or unpacked. MIT licence, https://github.com/brendenlake/omniglot.
"""

import io
import re
import zlib
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from PIL import Image

from fairshot.runtime.archives import open_archive
from fairshot.runtime.cache import new_images
from fairshot.runtime.data import find_data, stamp
from fairshot.runtime.download import Remote
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

RELEASED = (1623, 32_460)  # classes and images
SETS = {"images_background": (964, 19_280), "images_evaluation": (659, 13_180)}  # characters, images
REMOTES = (
    Remote(
        "https://github.com/brendenlake/omniglot/raw/master/python/images_background.zip",
        9_464_212,
        "ad41ab679c8b5d90b271ef46be6987cc81211774a695c29dcc5367b2b26ee640",
    ),
    Remote(
        "https://github.com/brendenlake/omniglot/raw/master/python/images_evaluation.zip",
        6_462_886,
        "1f61a8f3366785b057fc117d9228e78a16e3d976c8953b2a10fcc74cf0609cee",
    ),
)
PLAIN_HEADER = b"IHDR" + bytes([0, 0, 0, 105, 0, 0, 0, 105, 1, 0, 0, 0, 0])  # 105 x 105, 1 bit, grey, not interlaced
_DRAWING = re.compile(r"([^/]+)/(character\d+)/\d+_(\d+)\.png$")


def load() -> Source:
    """All 1623 characters: background alphabets, then evaluation alphabets, each set in alphabetical order."""
    folders = {name: find_data("omniglot", name, f"python/{name}") for name in SETS}
    key = [1, *(stamp(folder) for folder in folders.values())]
    return load_once("omniglot", key, lambda folder: _decode(folders, folder))


def _decode(folders: dict[str, Path], target: Path) -> Source:
    shape = (sum(images for _, images in SETS.values()), 1, 105, 105)
    images = new_images(target, shape, "drawings")
    drawers: list[int] = []
    labels: list[tuple[str, str]] = []
    background: dict[tuple[str, str], int] = {}
    for name, folder in folders.items():
        with open_archive(folder) as (members, read):
            drawings = [(member, match) for member in members if (match := _DRAWING.search(member))]
            if len(drawings) != SETS[name][1]:
                raise FairshotError(
                    f"{folder} holds {len(drawings)} drawings, the official one {SETS[name][1]}: fetch it again "
                    "with 'fairshot data get omniglot'"
                )
            for member, match in drawings:
                images[len(labels), 0] = _drawing(folder, member, read(member))
                labels.append((match[1], match[2]))
                drawers.append(int(match[3]))
                background.setdefault((match[1], match[2]), int(name == "images_background"))
    classes = {label: number for number, label in enumerate(background)}
    expected = sum(characters for characters, _ in SETS.values())
    if len(classes) != expected:
        raise FairshotError(
            f"these archives hold {len(classes)} characters, the official ones {expected}: fetch them again with "
            "'fairshot data get omniglot'"
        )
    return Source.create(
        "omniglot",
        images,
        np.array([classes[label] for label in labels]),
        class_names=tuple("/".join(label) for label in classes),
        parents=tuple(alphabet for alphabet, _ in classes),
        attributes={"drawer": np.array(drawers)},
        class_attributes={"background": np.array(list(background.values()))},
    )


def _drawing(folder: Path, member: str, data: bytes) -> UInt8[np.ndarray, "105 105"]:
    ink = _plain_bits(data)
    if ink is None:
        try:
            image = Image.open(io.BytesIO(data), formats=["PNG"])
            ink = np.asarray(image) if image.size == (105, 105) else np.empty(0)
        except Exception as error:  # whatever Pillow may raise for what is no image
            raise FairshotError(f"{folder}: cannot decode {member}: fetch it again") from error
        if ink.shape != (105, 105) or ink.dtype != bool:
            raise FairshotError(f"{folder}: {member} is not a 105 x 105 black-and-white image: fetch it again")
    return ink.astype(np.uint8) * np.uint8(255)


def _plain_bits(data: bytes) -> UInt8[np.ndarray, "105 105"] | None:
    """The pixels of a PNG as the official archives have them: 1 bit, one block of data, no filters; else None.

    Pillow takes four times as long over such small files, mostly to find out what they are.
    """
    start = data.find(b"IDAT")
    if data[:33].find(PLAIN_HEADER) != 12 or start < 0 or data.find(b"IDAT", start + 4) >= 0:
        return None
    length = int.from_bytes(data[start - 4 : start], "big")
    try:
        unpacked = zlib.decompressobj().decompress(data[start + 4 : start + 4 + length], 105 * 15 + 1)
        rows = np.frombuffer(unpacked, dtype=np.uint8)
    except zlib.error:
        return None
    if rows.size != 105 * 15 or rows[::15].any():  # each row: a filter byte, then 14 bytes of pixels
        return None
    return np.unpackbits(rows.reshape(105, 15)[:, 1:], axis=1, count=105)
