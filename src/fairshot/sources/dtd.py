"""The Describable Textures: 5,640 photographs of 47 kinds of texture (Cimpoi et al. 2014).

Read from the official archive, packed or unpacked, with the first of its ten ways to divide the images into 40 of each
kind for training, 40 for validation and 40 for testing. https://www.robots.ox.ac.uk/~vgg/data/dtd
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.owner_lists import a_list_for_each
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

SIDES = a_list_for_each({"train": "labels/train1.txt", "val": "labels/val1.txt", "test": "labels/test1.txt"})
RELEASED = (47, 5_640)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("dtd", COPIES, copy, size)


COPIES = {
    "official": Copy((("dtd/dtd-r1.0.1", "dtd/dtd"),), class_folders("dtd", sides=SIDES)),
    **shared_copies("dtd"),
    "wild": Copy(
        (("wild/dtd10_84",),),
        class_folders("dtd"),
        "the first 10 of 47 classes with all 120 images each, at 84 pixels; none of them is in val",
    ),
}
