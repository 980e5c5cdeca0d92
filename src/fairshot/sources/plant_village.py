"""PlantVillage: photographs of leaves, 38 pairs of a crop and a disease (Hughes and Salathe 2015).

Read from a small copy; a domain that nobody trains on. https://github.com/spMohanty/PlantVillage-Dataset
"""

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.source import Source


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The images of the copy; `size` makes squares of that many pixels."""
    return load_copy("plant_village", COPIES, copy, size)


COPIES = {
    "wild": Copy(
        (("wild/plantvillage38_84",),),
        class_folders("plant_village"),
        "all 38 classes with 30 images each, of some 54,000, at 84 pixels",
    )
}
