"""Small data in the layouts in which the sources of Meta-Dataset are published, and the pixels that must come back."""

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.io import savemat

from fairshot.sources.traffic_sign import CLASSES as SIGNS
from fairshot.sources.vgg_flower import CLASSES as FLOWERS

Files = dict[str, bytes]


def photograph(*seed: int, width: int = 40, height: int = 30) -> Image.Image:
    """Noise that a JPEG keeps well enough: large squares of one colour."""
    squares = np.random.default_rng(seed).integers(0, 256, (3, 4, 3), dtype=np.uint8)
    return Image.fromarray(squares).resize((width, height), Image.Resampling.NEAREST)


def encode(image: Image.Image, form: str = "PNG") -> bytes:
    data = io.BytesIO()
    image.save(data, form, **({"quality": 95} if form == "JPEG" else {}))
    return data.getvalue()


def lay_out(files: Mapping[str, bytes], target: Path) -> Path:
    """The files as a zip, a tar.gz, or a folder, whatever the target is called."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".zip":
        with zipfile.ZipFile(target, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    elif target.suffix in (".gz", ".tgz"):
        with tarfile.open(target, "w:gz") as archive:
            for name, data in files.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    else:
        for name, data in files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(data)
    return target


def aircraft() -> Files:
    """Four images of two variants; one of them has a box that leaves out the banner."""
    variants = {"0000001": "A380", "0000002": "Spitfire", "0000003": "A380", "0000004": "Spitfire"}
    root = "fgvc-aircraft-2013b/data"
    tables = {
        "images_variant_trainval.txt": "0000001 A380\n0000002 Spitfire\n",
        "images_variant_test.txt": "0000003 A380\n0000004 Spitfire\n",
        "images_family_trainval.txt": "0000001 A380\n0000002 Spitfire\n",
        "images_family_test.txt": "0000003 A380\n0000004 Spitfire\n",
        "images_box.txt": "".join(f"{image} 2 3 {30 + int(image)} 20\n" for image in variants),
        "images_variant_train.txt": "",
    }
    pictures = {f"{root}/images/{image}.jpg": encode(photograph(1, int(image))) for image in variants}
    return {f"{root}/{name}": text.encode() for name, text in tables.items()} | pictures


def class_folders(root: str, classes: tuple[str, ...], *, ending: str = ".jpg", count: int = 2) -> Files:
    return {
        f"{root}/{name}/{name.split('.')[-1]}_{take:04d}{ending}": encode(photograph(2, number, take))
        for number, name in enumerate(classes)
        for take in range(count)
    }


def birds() -> Files:
    return class_folders("CUB_200_2011/images", ("014.Indigo_Bunting", "008.Rhinoceros_Auklet")) | {
        "CUB_200_2011/classes.txt": b"1 014.Indigo_Bunting\n",
        "attributes.txt": b"1 has_bill_shape\n",
    }


def textures() -> Files:
    return class_folders("dtd/images", ("banded", "waffled")) | {
        "dtd/images/waffled/.directory": b"[Dolphin]",
        "dtd/imdb/imdb.mat": b"nothing",
    }


def signs() -> Files:
    """Two tracks of three frames of two signs."""
    root = "GTSRB/Final_Training/Images"
    pictures = {
        f"{root}/{number:05d}/{track:05d}_{frame:05d}.ppm": encode(photograph(3, number, track, frame), "PPM")
        for number in (0, 42)
        for track in range(2)
        for frame in range(3)
    }
    return pictures | {f"{root}/00000/GT-00000.csv": b"Filename;Width\n"}


SIGN_NAMES = (SIGNS[0], SIGNS[42])


def flowers(home: Path, target: str = "102flowers.tgz") -> None:
    """Three photographs of flowers 77 and 1, with their labels beside."""
    labels = [77, 77, 1]
    lay_out(
        {f"jpg/image_{k:05d}.jpg": encode(photograph(4, k)) for k in range(1, len(labels) + 1)},
        home / "vgg_flower" / target,
    )
    savemat(home / "vgg_flower" / "imagelabels.mat", {"labels": np.array([labels], dtype=np.uint8)})


FLOWER_NAMES = (FLOWERS[0], FLOWERS[76])


def fungi(home: Path, packed: bool = True) -> None:
    """Two species that share a name, in the official training and validation tables."""
    categories = [{"id": 7, "name": "Agaricus bisporus "}, {"id": 8, "name": "Agaricus bisporus "}]
    tables = {}
    for part, first in (("train", 0), ("val", 2)):
        images = [{"id": k, "file_name": f"images/7_Agaricus/F{k}.JPG"} for k in (first, first + 1)]
        links = [{"image_id": k, "category_id": 7 + k % 2} for k in (first, first + 1)]
        table = {"categories": categories, "images": images, "annotations": links}
        tables[f"{part}.json"] = json.dumps(table).encode()
    pictures = {f"images/7_Agaricus/F{k}.JPG": encode(photograph(5, k)) for k in range(4)}
    ending = ".tgz" if packed else ""
    lay_out(tables, home / "fungi" / f"train_val_annotations{ending}")
    lay_out(pictures, home / "fungi" / f"fungi_train_val{ending}")


BOXES = (
    ((10.2, 5.1, 8.0, 6.0), 1),
    ((0.0, 0.0, 40.0, 30.0), 2),
    ((39.6, 29.6, 0.0, 0.0), 2),
    ((1.0, 1.0, 3.0, 3.0), 1),
)


def coco(home: Path, packed: bool = True) -> None:
    """Four boxes in two photographs, one of them without a pixel."""
    table = {
        "categories": [{"id": 1, "name": "person"}, {"id": 2, "name": "bicycle"}],
        "images": [{"id": k, "width": 40, "height": 30} for k in (9, 10)],
        "annotations": [
            {"id": 100 - k, "image_id": 9 + k % 2, "category_id": category, "bbox": list(box)}
            for k, (box, category) in enumerate(BOXES)
        ],
    }
    ending = ".zip" if packed else ""
    lay_out(
        {"annotations/instances_train2017.json": json.dumps(table).encode(), "annotations/captions.json": b"{}"},
        home / "mscoco" / f"annotations_trainval2017{ending}",
    )
    pictures = {f"train2017/{k:012d}.jpg": encode(photograph(6, k)) for k in (9, 10)}
    lay_out(pictures, home / "mscoco" / f"train2017{ending}")


def drawings(home: Path) -> dict[str, np.ndarray]:
    """Two categories of some drawings."""
    folder = home / "quickdraw" / "numpy_bitmap"
    folder.mkdir(parents=True)
    found = {}
    for number, name in enumerate(("police car", "swan")):
        found[name] = np.random.default_rng(number).integers(0, 256, (5 + number, 784), dtype=np.uint8)
        np.save(folder / f"{'full_numpy_bitmap_' if number else ''}{name}.npy", found[name])
    return found
