"""tieredImageNet: 608 classes of ImageNet with up to 1300 colour images each (Ren et al. 2018).

Read from class folders (WNID/IMAGE), alone, below `images`, or parted into train, val and test. The terms of ImageNet
let nobody pass the images on. https://image-net.org
"""

from dataclasses import replace
from pathlib import Path

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.sources import folder
from fairshot.sources.source import Source

CLASSES = 608


def load(*, size: int | None = None) -> Source:
    """The images below DATA/tiered_imagenet, whatever part they lie in; `size` resizes them to a square."""
    root = _find()
    files = sorted(folder.image_files(root), key=lambda file: (file.parent.name, file.name))
    labels = [file.parent.name for file in files]
    homes = dict(zip(labels, (file.parent for file in files), strict=True))
    for file, label in zip(files, labels, strict=True):
        if file.parent != homes[label]:
            raise FairshotError(f"{label} lies in {file.parent} and in {homes[label]}: a class belongs into one folder")
    if len(homes) != CLASSES:
        raise FairshotError(
            f"{root} holds {len(homes)} classes, tieredImageNet has {CLASSES}: put all of them there, in folders named "
            "by WordNet ids, such as n01440764"
        )
    images = folder.load_labelled(root, files, labels, size=size, attributes={}, how="class folders in any part")
    return replace(images, name="tiered_imagenet", parents=("tiered_imagenet",) * CLASSES)


def _find() -> Path:
    homes = [home / "tiered_imagenet" for home in data_folders()]
    for home in homes:
        if home.is_dir():
            return home / "images" if (home / "images").is_dir() else home
    raise FairshotError(
        f"tiered_imagenet is not here: no {' nor '.join(map(str, homes))}; put its images there as WNID/IMAGE.jpg or "
        "train/WNID/IMAGE.jpg (val and test likewise), or let FAIRSHOT_DATA list the folder that holds tiered_imagenet/"
    )
