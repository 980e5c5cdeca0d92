"""dataset_spec.json, which stands beside the converted classes of a source of Meta-Dataset: their names and numbers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fairshot.runtime.errors import FairshotError

NAME = "dataset_spec.json"


@dataclass(frozen=True)
class DatasetSpec:
    """The classes of a source by number: their names, their files, and how many images each has."""

    folder: Path
    class_names: Mapping[int, str]
    files: Mapping[int, Path]
    images: Mapping[int, int]

    def check_count(self, number: int, found: int) -> None:
        """Raises where a file does not hold as many images as its class has."""
        if number in self.images and found != self.images[number]:
            raise FairshotError(
                f"{self.files[number]} holds {found} images, {NAME} says {self.images[number]}: copy it again"
            )


def read_spec(folder: Path, ending: str) -> DatasetSpec:
    """What stands in the folder's specification; every class must have its file, NUMBER.ENDING."""
    path = folder / NAME
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        names = {int(number): str(name).strip() for number, name in table["class_names"].items()}
        counts = table["images_per_class"]
        flat = all(isinstance(count, int) for count in counts.values())
        images = {int(number): count for number, count in counts.items()} if flat else {}
    except FileNotFoundError as error:
        raise FairshotError(f"{folder} holds no {NAME}: Meta-Dataset's programme puts it beside its records") from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise FairshotError(f"{path} is no specification of Meta-Dataset's: copy it again") from error
    files = {number: folder / f"{number}.{ending}" for number in sorted(names)}
    missing = [file for file in files.values() if not file.is_file()]
    if missing:
        raise FairshotError(f"{folder} lacks {missing[0].name} and {len(missing) - 1} other classes of {NAME}")
    return DatasetSpec(folder, names, files, images)
