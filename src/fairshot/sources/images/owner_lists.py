"""Lists in which the owner of a data set says which images are for training and which for testing."""

from collections.abc import Iterable, Mapping, Sequence

from fairshot.runtime.archives import Read
from fairshot.sources.images.class_folders import Sides


def lines_of(members: Sequence[str], read: Read, name: str) -> list[str]:
    """The lines of the member of that name, wherever it lies; none where there is no such member."""
    found = [member for member in members if f"/{member}".endswith(f"/{name}")]
    return [line.strip() for line in read(found[0]).decode().splitlines() if line.strip()] if found else []


def a_list_for_each(names: Mapping[str, str]) -> Sides:
    """Reads lists of CLASS/IMAGE; `names` says by what is meant, train, val or test, which list that is."""

    def find(members: Sequence[str], read: Read) -> dict[str, str]:
        return {image: side for side, name in names.items() for image in lines_of(members, read, name)}

    return find


def numbered_lists(images: str, training: str) -> Sides:
    """Reads a list that numbers the images, and one that has 1 for each number that is for training, and 0 else."""

    def find(members: Sequence[str], read: Read) -> dict[str, str]:
        path = dict(_pairs(lines_of(members, read, images)))
        meant = dict(_pairs(lines_of(members, read, training)))
        return {path[number]: "train" if said == "1" else "test" for number, said in meant.items() if number in path}

    return find


def _pairs(lines: Iterable[str]) -> list[tuple[str, str]]:
    return [(first, second) for first, _, second in (line.partition(" ") for line in lines)]
