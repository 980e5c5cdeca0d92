"""CUB-200-2011: 11,788 photographs of 200 species of birds (Wah et al. 2011), whole as in Meta-Dataset.

Read from the official archive, packed or unpacked, with its 5,994 images for training and 5,794 for testing.
https://www.vision.caltech.edu/datasets/cub_200_2011
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.mosaics import mosaics
from fairshot.sources.images.owner_lists import numbered_lists
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

SIDES = numbered_lists("images.txt", "train_test_split.txt")
RELEASED = (200, 11_788)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("cu_birds", COPIES, copy, size)


COPIES = {
    "official": Copy((("cu_birds/CUB_200_2011",),), class_folders("cu_birds", sides=SIDES)),
    **shared_copies("cu_birds"),
    "wild": Copy(
        (("wild/cub_test30_84",),),
        class_folders("cu_birds"),
        "the 30 novel species of Meta-Dataset, 40 images each, whole photographs at 84 pixels",
    ),
    "small": Copy(
        (("multidomain32/multidomain32_jpeg_mosaics",),),
        mosaics("cu_birds", "cub"),
        "all 200 species and all images, but cropped to the bird's box, where Meta-Dataset shows the whole photograph, "
        "and at 32 pixels",
    ),
}
