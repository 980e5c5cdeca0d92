"""UT-Zappos50K: 50,025 photographs of shoes with binary attributes (Yu and Grauman 2014).

Read as published: the images as CATEGORY/SUBCATEGORY/BRAND/CID.jpg, the attributes from ut-zap50k-data. A class is a
subcategory; the attributes serve the task `attribute_pair` (Zappos-ID, Setlur et al. 2021).
https://vision.cs.utexas.edu/projects/finegrained/utzap50k
"""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources import folder
from fairshot.sources.folder import Attributes
from fairshot.sources.source import Source

IMAGES = ("ut-zap50k-images-square", "ut-zap50k-images")
TABLE = "ut-zap50k-data/meta-data-bin.csv"
ID = "CID"
DERIVED = {  # as published: an attribute that is there if one of these is
    "HeelHeight.High.heel": ("HeelHeight.4in...4.3.4in", "HeelHeight.5in...over"),
    "HeelHeight.Short.heel": ("HeelHeight.Flat", "HeelHeight.Under.1in", "HeelHeight.1in...1.3.4in"),
}
# The published sides of Zappos-ID, for AttributePair(only=...): found by spectral clustering of 78 attributes that were
# chosen by hand. `side=in` of the task bisects all attributes that are asked for.
PUBLISHED_IN = (
    "Category.Boots",
    "Category.Sandals",
    "Closure.Ankle.Strap",
    "Closure.Ankle.Wrap",
    "Closure.Buckle",
    "Closure.Bungee",
    "Closure.Button.Loop",
    "Closure.Elastic.Gore",
    "Closure.Pull.on",
    "Closure.Sling.Back",
    "Closure.Snap",
    "Closure.T.Strap",
    "Closure.Toggle",
    "Closure.Zipper",
    "Gender.Girls",
    "Gender.Women",
    "HeelHeight.High.heel",
    "HeelHeight.Short.heel",
    "Material.Rubber",
    "Material.Suede",
    "SubCategory.Ankle",
    "SubCategory.Clogs.and.Mules",
    "SubCategory.Flats",
    "SubCategory.Heel",
    "SubCategory.Heels",
    "SubCategory.Knee.High",
    "SubCategory.Mid.Calf",
    "SubCategory.Over.the.Knee",
    "ToeStyle.Almond",
    "ToeStyle.Center Seam",
    "ToeStyle.Closed Toe",
    "ToeStyle.Open Toe",
    "ToeStyle.Peep Toe",
    "ToeStyle.Pointed Toe",
    "ToeStyle.Round Toe",
    "ToeStyle.Snip Toe",
)
PUBLISHED_OUT = (
    "Category.Shoes",
    "Category.Slippers",
    "Closure.Hook.and.Loop",
    "Closure.Lace.up",
    "Closure.Monk.Strap",
    "Closure.Slip.On",
    "Gender.Boys",
    "Gender.Men",
    "Material.Corduroy",
    "Material.Silk",
    "Material.Wool",
    "SubCategory.Boat.Shoes",
    "SubCategory.Crib.Shoes",
    "SubCategory.Firstwalker",
    "SubCategory.Loafers",
    "SubCategory.Oxfords",
    "SubCategory.Prewalker",
    "SubCategory.Slipper.Flats",
    "SubCategory.Sneakers.and.Athletic.Shoes",
    "ToeStyle.Algonquin",
    "ToeStyle.Apron Toe",
    "ToeStyle.Bicycle Toe",
    "ToeStyle.Bump Toe",
    "ToeStyle.Capped Toe",
    "ToeStyle.Medallion",
    "ToeStyle.Moc Toe",
    "ToeStyle.Snub Toe",
    "ToeStyle.Square Toe",
    "ToeStyle.Wide Toe Box",
    "ToeStyle.Wingtip",
)


def load(*, size: int | None = None) -> Source:
    """The images that have a row of attributes; `size` resizes them to a square while reading."""
    home, root = _find()
    names, rows = _read_table(home / TABLE)
    files = sorted(root.rglob("*.jpg"))
    ids = [file.stem.replace(".", "-") for file in files]
    known = [(file, cid) for file, cid in zip(files, ids, strict=True) if cid in rows]
    if not known:
        raise FairshotError(
            f"none of the {len(files)} images below {root} has a row in {home / TABLE}: unpack the official archives "
            "as they are, so that CATEGORY/SUBCATEGORY/BRAND/100627.72.jpg is row 100627-72"
        )
    labels = [_label(file, root) for file, _ in known]
    attributes = _attributes(names, np.array([rows[cid] for _, cid in known]))
    how = fingerprint([cid for _, cid in known], list(attributes), *attributes.values())
    images = folder.load_labelled(root, [file for file, _ in known], labels, size=size, attributes=attributes, how=how)
    without, missing = len(files) - len(known), len(rows.keys() - set(ids))
    lost = f"{without} images without attributes and {missing} rows without an image are left out"
    return replace(images, name="zappos", notes=(lost,) if without or missing else ())


def _find() -> tuple[Path, Path]:
    """The folder of the data set and that of its images, the square ones if there is a choice."""
    homes = [home / "zappos" for home in data_folders()]
    for home, name in ((home, name) for home in homes for name in IMAGES):
        if (home / name).is_dir() and (home / TABLE).is_file():
            return home, home / name
    raise FairshotError(
        f"zappos is not here: no {IMAGES[0]} beside {TABLE} in {', '.join(map(str, homes))}; unpack both archives of "
        "UT-Zappos50K there, or let FAIRSHOT_DATA list the folder that holds zappos/"
    )


def _label(file: Path, root: Path) -> str:
    parts = file.relative_to(root).parts
    if len(parts) != 4:
        raise FairshotError(f"{file} is {len(parts) - 1} folders deep: images belong in CATEGORY/SUBCATEGORY/BRAND/")
    return "/".join(parts[:2])


def _read_table(path: Path) -> tuple[list[str], dict[str, list[int]]]:
    """The names of the binary columns and the row of each image; an empty cell is 0."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        header, *lines = [*csv.reader(file)] or [[]]
    if ID not in header:
        raise FairshotError(f"{path} has no column {ID}, it begins with {', '.join(header[:3])}: take the official one")
    place = header.index(ID)
    names = [name for name in header if name != ID]
    rows: dict[str, list[int]] = {}
    for line in filter(None, lines):
        cells = [cell.strip() for number, cell in enumerate(line) if number != place]
        strange = set(cells) - {"", "0", "1"}
        if strange or len(line) != len(header):
            what = f"the value {min(strange)}" if strange else f"{len(line)} cells, the header {len(header)}"
            raise FairshotError(f"{path}: {line[0]} has {what}: take the official meta-data-bin.csv, of 0 and 1 only")
        rows[line[place]] = [int(cell or 0) for cell in cells]
    return names, rows


def _attributes(names: list[str], table: np.ndarray) -> Attributes:
    """The columns, and the two heights of heels that several columns make."""
    columns = dict(zip(names, np.ascontiguousarray(table.T.astype(np.int8)), strict=True))
    made = {
        name: np.max([columns[part] for part in parts], axis=0)
        for name, parts in DERIVED.items()
        if set(parts) <= columns.keys()
    }
    return columns | made
