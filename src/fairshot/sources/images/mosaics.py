"""Small images as tiles of one mosaic a class: OWNER/CLASS.jpg, with their names in an index."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from PIL import Image

from fairshot.runtime.archives import Read, open_archive
from fairshot.sources.images.collection import Collection, open_picture

TILE, COLUMNS = 32, 10  # pixels of a tile, tiles in a row
INDEX = "index.json"


def mosaics(
    name: str, owner: str, *, label: Callable[[str], str] = lambda folder: folder
) -> Callable[[Path], AbstractContextManager[Collection]]:
    """A reader of the mosaics of one owner; `label` makes the class's name of the mosaic's."""

    @contextmanager
    def collect(place: Path) -> Iterator[Collection]:
        with open_archive(place) as (members, read):
            index = next(member for member in members if member.endswith(INDEX))
            listed = json.loads(read(index))["files"]
            classes = sorted(key.removeprefix(f"{owner}/") for key in listed if key.startswith(f"{owner}/"))
            tiles = [(one, number) for one in classes for number in range(len(listed[f"{owner}/{one}"]))]
            last: dict[str, UInt8[np.ndarray, "tile 32 32 3"]] = {}

            def open_tile(number: int) -> Image.Image:
                one, tile = tiles[number]
                if one not in last:  # tiles come one class after the other: the last mosaic is enough
                    last.clear()
                    last[one] = _tiles(read, index.removesuffix(INDEX) + f"{owner}/{one}.jpg")
                return Image.fromarray(last[one][tile])

            names = [f"{one}/{listed[f'{owner}/{one}'][number]}" for one, number in tiles]
            yield Collection(name, names, [label(one) for one, _ in tiles], open_tile)

    return collect


def _tiles(read: Read, member: str) -> UInt8[np.ndarray, "tile 32 32 3"]:
    mosaic = np.asarray(open_picture(read(member)).convert("RGB"))
    rows = mosaic.shape[0] // TILE
    return mosaic.reshape(rows, TILE, COLUMNS, TILE, 3).swapaxes(1, 2).reshape(-1, TILE, TILE, 3)
