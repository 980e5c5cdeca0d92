"""The Describable Textures: 5,640 photographs of 47 kinds of texture (Cimpoi et al. 2014).

Read from the official archive, packed or unpacked. https://www.robots.ox.ac.uk/~vgg/data/dtd
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

RELEASED = (47, 5_640)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("dtd", COPIES, copy, size)


COPIES = {
    "official": Copy((("dtd/dtd-r1.0.1", "dtd/dtd"),), class_folders("dtd")),
    **shared_copies("dtd"),
    "wild": Copy(
        (("wild/dtd10_84",),),
        class_folders("dtd"),
        "the first 10 of 47 classes with all 120 images each, at 84 pixels; none of them is in val",
    ),
}
