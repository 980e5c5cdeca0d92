"""Caltech-101: photographs of 101 kinds of things (Fei-Fei et al. 2004).

Read from a small copy; a domain that nobody trains on. https://data.caltech.edu/records/mzrjq-6wc02
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.source import Source


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The images of the copy; `size` makes squares of that many pixels."""
    return load_copy("caltech101", COPIES, copy, size)


COPIES = {
    "wild": Copy(
        (("wild/caltech101_84",),),
        class_folders("caltech101"),
        "all 101 classes, Faces and Faces_easy among them, with 20 images each of 31 to 800, at 84 pixels",
    )
}
