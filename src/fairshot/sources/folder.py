"""A folder of class folders with images: CLASS/IMAGE or PARENT/CLASS/IMAGE, grey or colour, as Pillow reads them."""

import hashlib
import io
import os
import re
import warnings
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Int, UInt8
from PIL import Image, ImageOps

from fairshot.runtime.data import stamp
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import expand, files_below
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.visible_text import readable
from fairshot.sources.image_file import write_images
from fairshot.sources.images.bad_files import BadFiles, BadImage, read_all
from fairshot.sources.images.part_folders import doubled_classes, without_stages
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

ENDINGS = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".pgm", ".ppm"}
ROUNDING = 1e-3  # by how much fractions may leave 0 to 1: an inexact sum, no other range
FAINT, PALE = 127, 223  # opacity that is hardly seen, and grey values that hardly are on white
GREY = {"1", "L", "LA", "I", "I;16", "I;16B", "F"}

# Large photographs are read like others; what Pillow takes for an attack raises, and is said in a line of our own.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)

SKIP = ", or leave {} out with skip_bad"

Attributes = Mapping[str, Int[np.ndarray, " image"]]


@runtime_checkable
class ImageFile(Protocol):
    """A file, or something that can be read like one."""

    def read_bytes(self) -> bytes:
        """All of it."""

    def relative_to(self, root: Path, /) -> Any:
        """What a list calls it."""


@dataclass(frozen=True, eq=False)
class ImageFiles:
    """Files below a folder with the class of each, PARENT/CLASS or CLASS, and the attributes of each."""

    root: Path
    files: Sequence[ImageFile]
    labels: list[str]
    attributes: Attributes

    def without(self, bad: Collection[ImageFile]) -> "ImageFiles":
        """The others, as if the bad ones had never been there: groups are numbered as they appear."""
        kept = [number for number, file in enumerate(self.files) if file not in bad]
        attributes = {key: values[kept] for key, values in self.attributes.items()}
        if "group" in attributes:
            attributes["group"] = _numbered(attributes["group"].tolist())
        return ImageFiles(
            self.root, [self.files[number] for number in kept], [self.labels[number] for number in kept], attributes
        )


def load(path: str, *, size: int | None = None, groups: str | None = None, skip_bad: bool = False) -> Source:
    """The images below `path`; `size` resizes them to a square, `groups` is a pattern whose first group, found in a
    file's name, tells which images belong together (frames of one film, photographs of one bird).

    Files that cannot be read raise, or are left out with a note if `skip_bad` is set.
    """
    root = expand(path)
    if not os.path.isdir(root):
        raise FairshotError(f"there is no folder {path}: give a folder of class folders with images")
    expression = None if groups is None else _compile_groups(groups)
    files, folders = class_files(root)
    labels, note = without_stages(root, folders)
    attributes = {"group": _group_numbers(files, labels, expression, skip_bad=skip_bad)} if expression else {}
    images = ImageFiles(root, files, labels, attributes)
    source = load_images(images, size, groups, skip_bad=skip_bad)
    return replace(source, notes=(note, *source.notes)) if note else source


def load_images(
    images: ImageFiles, size: int | None, how: object, *, skip_bad: bool = False, in_memory: bool = False
) -> Source:
    """Labelled image files as a Source, which is kept in the cache; `how` names what labels and groups depend on.

    With `in_memory`, what is read lies in no file: `how` names its content, and nothing else tells whether it changed.
    """
    key = [how, "skip bad"] if skip_bad else how
    build = partial(_decode_readable, images, size, skip_bad=skip_bad)
    if in_memory:
        return load_once(images.root.name, [6, size, key], build)
    return _load_once(images, size, key, build)


def class_files(root: Path) -> tuple[list[Path], list[str]]:
    """Every image below a folder of class folders, and the class of each; there must be some."""
    files = list(image_files(root))
    if not files:
        raise FairshotError(
            f"{root} holds no images in class folders: expected CLASS/IMAGE.png or PARENT/CLASS/IMAGE.png"
        )
    return files, [readable(file.parent.relative_to(root).as_posix()) for file in files]


def load_flat(path: Path, *, letters: int, size: int | None = None) -> Source:
    """The images of a folder without class folders: the first letters of a file's name are its class."""
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS)
    labels = [file.name[:letters] for file in files]
    return load_labelled(path, files, labels, size=size, attributes={}, how=letters)


def load_labelled(
    root: Path, files: list[Path], labels: list[str], *, size: int | None, attributes: Attributes, how: object
) -> Source:
    """Images below a folder with the class of each, PARENT/CLASS or CLASS; `how` tells labels and attributes apart from
    others of the same files.
    """
    images = ImageFiles(root, files, labels, attributes)
    return _load_once(images, size, how, lambda folder: _decode(images, size, folder))


def _load_once(images: ImageFiles, size: int | None, how: object, build: Callable[[Path], Source]) -> Source:
    root = images.root.resolve()
    return load_once(root.name, [6, str(root), size, how, stamp(images.root)], build)


def image_files(root: Path) -> Iterator[Path]:
    """Every image below a folder of class folders, in order; one that lies too deep or not deep enough raises."""
    for file in files_below(root):
        parts = file.relative_to(root).parts
        if file.suffix.lower() in ENDINGS and not any(part.startswith(".") for part in parts):
            if len(parts) not in (2, 3):
                where = f"{len(parts) - 1} folders deep" if len(parts) > 1 else "in no class folder"
                raise FairshotError(f"{file} is {where}: images belong in CLASS/ or PARENT/CLASS/")
            yield file


def _decode_readable(images: ImageFiles, size: int | None, folder: Path, *, skip_bad: bool) -> Source:
    try:
        return _decode(images, size, folder)
    except BadFiles as error:
        if not skip_bad or len(error.errors) == len(images.files):
            raise BadFiles(error.root, error.errors, files=error.files, advice="" if skip_bad else SKIP) from error
        source = _decode(images.without(error.errors.keys()), size, folder)
        lost = sorted(set(images.labels) - set(source.class_names))
        gone = f", and with {'it' if len(error.errors) == 1 else 'them'} all of {', '.join(lost)}" if lost else ""
        left = "it was" if len(error.errors) == 1 else "they were"
        return replace(source, notes=(f"{error.list()}; {left} left out{gone}", *source.notes))


def _decode(images: ImageFiles, size: int | None, folder: Path) -> Source:
    """All images, decoded into the folder; if some cannot be read, all of these are named."""
    root, errors = images.root, dict[Any, BadImage]()
    peeks = dict(read_all(peek, images.files, errors))
    shapes = sorted({shape for _, shape in peeks.values()})
    if size is None and len(shapes) > 1:
        raise FairshotError(
            f"{root} holds images of {len(shapes)} sizes, from {_by(shapes[0])} to {_by(shapes[-1])}: give recipe=84 "
            "(or another number of pixels) to resize them"
        )
    files = list(peeks)

    def read(start: int, stop: int) -> UInt8[np.ndarray, "image channel height width"]:
        decoded = [image for _, image in read_all(decode, files[start:stop], errors)]
        if errors:
            for _ in read_all(decode, files[stop:], errors):  # all that cannot be read are named at once
                pass
            raise bad_files()
        return np.stack(decoded)

    def bad_files() -> BadFiles:
        return BadFiles(root, dict(sorted(errors.items())), files=len(images.files))

    if not shapes:
        raise bad_files()
    channels = 1 if all(grey for grey, _ in peeks.values()) else 3
    width, height = (size, size) if size else shapes[0]
    decode = partial(pixels, channels=channels, size=(width, height))
    shape = (len(files), channels, height, width)
    plan = fingerprint([str(file) for file in files], images.labels, list(shape))
    return _labelled(images, write_images(folder, shape, read, plan=plan, what=root.name))


def _labelled(images: ImageFiles, store: UInt8[np.ndarray, "image channel height width"]) -> Source:
    names = sorted(set(images.labels))
    place = {name: number for number, name in enumerate(names)}
    nested, whole = any("/" in name for name in names), images.root.resolve().name
    source = Source.create(
        whole,
        store,
        np.array([place[label] for label in images.labels]),
        class_names=tuple(names),
        parents=tuple(name.rpartition("/")[0] or whole for name in names) if nested else None,
        attributes=images.attributes,
    )
    # The same files are the same images whatever size they are shown at, so that their episodes can be paired.
    contents = [hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest() for file in images.files]
    same = fingerprint(images.labels, contents)
    return replace(source, before_recipe=same, root=same, notes=doubled_classes(images.labels, contents))


def peek(file: ImageFile) -> tuple[bool, tuple[int, int]]:
    """Whether an image is grey, and its width and height as a person sees it."""
    with _opened(file, f"cannot read {file} as an image", "no image") as image:
        turned = image.getexif().get(0x0112, 1) >= 5  # orientations 5 to 8 swap width and height
        return image.mode in GREY, (image.height, image.width) if turned else image.size


def pixels(
    file: ImageFile, channels: int, size: tuple[int, int] | None = None
) -> UInt8[np.ndarray, "{channels} height width"]:
    """An image as a person sees it on paper, in grey or colour; `size` is its width and height if they change."""
    with _opened(file, f"cannot decode {file}", "cannot be decoded") as opened:
        image = ImageOps.exif_transpose(opened)
        if image.mode.startswith("I") or image.mode == "F":
            image = Image.fromarray(_eight_bits(np.asarray(image)))
        if "transparency" in image.info or image.mode in ("LA", "RGBA"):
            image = on_paper(image)
        image = image.convert("L" if channels == 1 else "RGB")
        image = image if size is None or image.size == size else image.resize(size, Image.Resampling.BILINEAR)
    values = np.asarray(image)
    return values[None] if channels == 1 else values.transpose(2, 0, 1)


@contextmanager
def _opened(file: ImageFile, failed: str, reason: str) -> Iterator[Image.Image]:
    try:
        with Image.open(file if isinstance(file, Path) else io.BytesIO(file.read_bytes())) as image:
            yield image
    except Image.DecompressionBombError as error:
        message = f"{file} has too many pixels to be read: make it smaller, or remove it"
        raise BadImage(message, "too many pixels") from error
    except PermissionError as error:
        raise BadImage(f"{failed}: mend or remove it", "may not be read") from error
    except Exception as error:  # whatever Pillow may raise for what is no image
        raise BadImage(f"{failed}: mend or remove it", reason) from error


def _eight_bits(values: np.ndarray) -> UInt8[np.ndarray, "height width"]:
    """Greys in more bits than eight: fractions of one, or numbers that lose their lower bits only if they must."""
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise ValueError("not all pixels are numbers")
        levels = values * 255.0 if values.max() <= 1 + ROUNDING else values
        return np.rint(levels.clip(0, 255)).astype(np.uint8)
    most = int(values.max())
    lost = 0 if most < 256 else 8 if most < 65536 else most.bit_length() - 8
    return (values.clip(0) >> lost).astype(np.uint8)


def on_paper(image: Image.Image) -> Image.Image:
    """An image with transparent places as it looks on paper, which is white unless nothing could be seen on it."""
    clear = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, _paper(clear)), clear)


def _paper(image: Image.Image) -> str:
    """Below what is transparent: white, or black if all that can be seen would vanish on white."""
    seen = np.asarray(image.convert("L"))[np.asarray(image)[:, :, 3] > FAINT]
    return "black" if seen.size and seen.min() > PALE else "white"


def _compile_groups(pattern: str) -> re.Pattern[str]:
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise FairshotError(f"'{pattern}' is not a regular expression ({error}): try '^(track[0-9]+)_'") from error
    if expression.groups < 1:
        raise FairshotError(f"the pattern '{pattern}' has no group: put the part that names the group in (brackets)")
    return expression


def _group_numbers(
    files: Sequence[Path], labels: list[str], expression: re.Pattern[str], *, skip_bad: bool
) -> Int[np.ndarray, " image"]:
    """The group of each file; with `skip_bad`, a file that will be left out needs none."""
    groups: list[tuple[str, str]] = []
    for file, label in zip(files, labels, strict=True):
        match = expression.search(file.name)
        if match is None and skip_bad and not _readable(file):
            groups.append((label, file.name))
            continue
        if match is None:
            raise FairshotError(
                f"the pattern '{expression.pattern}' does not match {file.name}: every image needs a group"
            )
        groups.append((label, match[1]))
    return _numbered(groups)


def _readable(file: Path) -> bool:
    with suppress(BadImage):
        return pixels(file, 1).size > 0
    return False


def _numbered(values: Sequence[Hashable]) -> Int[np.ndarray, " value"]:
    """A number for each value, in the order in which they appear."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values], dtype=np.int64)


def _by(shape: tuple[int, int]) -> str:
    return f"{shape[0]} x {shape[1]}"
