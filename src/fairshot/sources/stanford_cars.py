"""Stanford Cars: photographs of 196 models of cars (Krause et al. 2013).

Read from a small copy; a domain that nobody trains on. https://github.com/cyizhuo/Stanford_Cars_dataset
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.source import Source


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The images of the copy; `size` makes squares of that many pixels."""
    return load_copy("stanford_cars", COPIES, copy, size)


COPIES = {
    "wild": Copy(
        (("wild/stanfordcars98_84",),),
        class_folders("stanford_cars"),
        "every second of 196 models (98) with 20 images each, whole photographs at 84 pixels",
    )
}
