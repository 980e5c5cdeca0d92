"""EuroSAT: satellite images of 10 kinds of land (Helber et al. 2019).

Read from a small copy; a domain that nobody trains on. https://github.com/phelber/EuroSAT
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.source import Source


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The images of the copy; `size` makes squares of that many pixels."""
    return load_copy("eurosat", COPIES, copy, size)


COPIES = {
    "wild": Copy(
        (("wild/eurosat10_64",),),
        class_folders("eurosat"),
        "all 10 classes with 80 images each, of 27,000, at their own 64 pixels",
    )
}
