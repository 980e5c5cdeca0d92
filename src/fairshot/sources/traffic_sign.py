"""German traffic signs: 39,209 photographs of 43 signs (Stallkamp et al. 2011), the training images of GTSRB.

Read from GTSRB_Final_Training_Images.zip, packed or unpacked. 30 photographs in a row are of one sign that a car drives
by: `group` is that track, and images of a track stay on one side of an episode. https://benchmark.ini.rub.de
"""

from pathlib import Path

from fairshot.sources.images.class_folders import class_folders
from fairshot.sources.images.class_names import read_names
from fairshot.sources.images.copies import Copy, load_copy
from fairshot.sources.images.shared_copies import shared_copies
from fairshot.sources.source import Source

CLASSES = tuple(f"{k:02d}.{name}" for k, name in enumerate(read_names(Path(__file__).with_name("traffic_sign.txt"))))
RELEASED = (43, 39_209)  # classes and images


def load(*, size: int | None = None, copy: str = "") -> Source:
    """The photographs as their owner publishes them, or another copy; `size` makes squares of that many pixels."""
    return load_copy("traffic_sign", COPIES, copy, size)


_COLLECT = class_folders(
    "traffic_sign", label=lambda folder: CLASSES[int(folder)], group=lambda file: file.partition("_")[0]
)
COPIES = {
    "official": Copy((("traffic_sign/GTSRB_Final_Training_Images", "traffic_sign/GTSRB"),), _COLLECT),
    **shared_copies("traffic_sign"),
    "small": Copy(
        (("gtsrb/gtsrb_32px_tracks",),),
        _COLLECT,
        "all 43 signs, but 7 to 20 tracks of 5 frames each (3,370 of 39,209 images), at 32 pixels",
    ),
}
