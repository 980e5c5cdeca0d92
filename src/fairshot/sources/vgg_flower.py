"""VGG Flowers: 8,189 photographs of 102 kinds of flowers (Nilsback and Zisserman 2008).

Read from 102flowers.tgz, packed or unpacked, with imagelabels.mat beside it; setid.mat beside these says which images
are for training (10 of each kind), validation and testing.
https://www.robots.ox.ac.uk/~vgg/data/flowers/102
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairshot.runtime.archives import open_archive
from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.class_names import read_names
from fairshot.sources.images.collection import Collection, open_picture
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.mosaics import mosaics
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

CLASSES = tuple(f"{k:03d}.{name}" for k, name in enumerate(read_names(Path(__file__).with_name("vgg_flower.txt")), 1))
SIDES = {"trnid": "train", "valid": "val", "tstid": "test"}
RELEASED = (102, 8_189)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("vgg_flower", COPIES, copy, size)


@contextmanager
def _official(place: Path, labels: Path) -> Iterator[Collection]:
    numbers = _labels(labels)
    with open_archive(place) as (members, read):
        table = {member.rpartition("/")[2]: member for member in members}
        names = [f"image_{number:05d}.jpg" for number in range(1, len(numbers) + 1)]
        missing = [name for name in names if name not in table]
        if missing:
            raise FairshotError(f"{place} lacks {missing[0]}, which {labels} labels: fetch it again")
        yield Collection(
            "vgg_flower",
            names,
            [CLASSES[number - 1] for number in numbers],
            lambda number: open_picture(read(table[names[number]])),
            sides=_sides(labels.with_name("setid.mat"), len(numbers)),
        )


def _labels(path: Path) -> list[int]:
    return _numbers(path, "labels")


def _sides(path: Path, images: int) -> list[str]:
    """What each image is meant for, where the file that says it is there."""
    if not path.is_file():
        return []
    numbers = {number: side for name, side in SIDES.items() for number in _numbers(path, name)}
    return [numbers.get(number, "") for number in range(1, images + 1)]


def _numbers(path: Path, name: str) -> list[int]:
    from scipy.io import loadmat

    try:
        return [int(number) for number in loadmat(io.BytesIO(path.read_bytes()))[name].ravel()]
    except Exception as error:  # whatever scipy may raise for what is no such file
        raise FairshotError(f"{path} holds no {name} of VGG Flowers: fetch {path.name} again") from error


COPIES = {
    "official": Copy(
        (("vgg_flower/102flowers", "vgg_flower/jpg"), ("vgg_flower/imagelabels.mat",)),
        _official,
        optional=("vgg_flower/setid.mat",),
    ),
    **shared_copies("vgg_flower"),
    "small": Copy(
        (("multidomain32/multidomain32_jpeg_mosaics",),),
        mosaics("vgg_flower", "flowers102", label=lambda folder: CLASSES[int(folder) - 1]),
        "all 102 classes and all images, but at 32 pixels",
    ),
}
