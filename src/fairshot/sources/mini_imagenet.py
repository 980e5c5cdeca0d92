"""mini-ImageNet: 100 classes of ImageNet with 600 colour images each (Vinyals et al. 2016).

Read from class folders (WNID/IMAGE), or from the folder `images` that Ravi and Larochelle's script makes, where the
name of a file begins with its WNID. The terms of ImageNet let nobody pass the images on. https://image-net.org
"""

from dataclasses import replace

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.sources import folder
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.mosaics import mosaics
from fairshot.sources.source import Source

CLASSES, WNID = 100, 9  # classes, and the letters of a class's name


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The images below DATA/mini_imagenet, or another copy; `size` resizes them to a square while reading."""
    if copy:
        return load_copy("mini_imagenet", COPIES, copy, size)
    homes = [home / "mini_imagenet" for home in data_folders()]
    found = [home for home in homes if home.is_dir()]
    if not found:
        raise FairshotError(
            f"mini_imagenet is not here: no {' nor '.join(map(str, homes))}; put its images there as WNID/IMAGE.jpg or "
            "images/WNID....jpg, or let FAIRSHOT_DATA list the folder that holds mini_imagenet/"
        )
    flat = found[0] / "images"
    images = folder.load_flat(flat, letters=WNID, size=size) if flat.is_dir() else folder.load(str(found[0]), size=size)
    if len(images.class_names) != CLASSES:
        raise FairshotError(
            f"{found[0]} holds {len(images.class_names)} classes, mini-ImageNet has {CLASSES}: put all of them there"
        )
    return replace(images, name="mini_imagenet", parents=("mini_imagenet",) * CLASSES)


COPIES = {
    "small": Copy(
        (("multidomain32/multidomain32_jpeg_mosaics",),),
        mosaics("mini_imagenet", "mini_imagenet"),
        "all 100 classes, but 100 of 600 images each, at 32 pixels",
    )
}
