"""Tiny-ImageNet: 200 classes of ImageNet at 64 pixels (Stanford CS231n).

Read from a small copy; a domain that nobody trains on. https://image-net.org
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.source import Source


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The images of the copy; `size` makes squares of that many pixels."""
    return load_copy("tiny_imagenet", COPIES, copy, size)


COPIES = {
    "wild": Copy(
        (("wild/tinyimagenet200_64",),),
        class_folders("tiny_imagenet"),
        "all 200 classes with 20 of 500 images each, at their own 64 pixels; all of them are "
        "classes of ILSVRC, and 25 of mini-ImageNet",
    )
}
