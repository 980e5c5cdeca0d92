"""Images in class folders, CLASS/IMAGE, out of an archive or a folder; what else lies there is left alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePosixPath

from fairshot.runtime.archives import Read, open_archive
from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.collection import Collection, open_picture

Sides = Callable[[Sequence[str], Read], Mapping[str, str]]
"""Finds among the members of an archive what each image, CLASS/IMAGE, is meant for: train, val or test."""
ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".tif")


def is_picture(member: str) -> bool:
    """Whether a file is named like an image."""
    return member.lower().endswith(ENDINGS) and not PurePosixPath(member).name.startswith(".")


def class_folders(
    name: str,
    *,
    label: Callable[[str], str] = lambda folder: folder,
    group: Callable[[str], str] | None = None,
    sides: Sides = lambda members, read: {},
) -> Callable[[Path], AbstractContextManager[Collection]]:
    """A reader of class folders: `label` makes the class's name of the folder's, `group` finds in the name of a file
    what it belongs to, for each class apart, `sides` what the owner means it for.
    """

    @contextmanager
    def collect(place: Path) -> Iterator[Collection]:
        with open_archive(place) as (members, read):
            found = [(PurePosixPath(member).parts[-2:], member) for member in members if is_picture(member)]
            found = sorted((parts, member) for parts, member in found if len(parts) == 2)
            if not found:
                raise FairshotError(f"{place} holds no images in class folders: expected CLASS/IMAGE.jpg")
            names = ["/".join(parts) for parts, _ in found]
            side = sides(members, read)
            yield Collection(
                name,
                names,
                [label(parts[0]) for parts, _ in found],
                lambda number: open_picture(read(found[number][1])),
                groups=[f"{parts[0]}/{group(parts[1])}" for parts, _ in found] if group else (),
                sides=[side.get(name, "") for name in names] if side else (),
            )

    return collect
