"""Images wherever they lie: which there are, the class of each, and how one is opened; converted into a Source once."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path

import numpy as np
from jaxtyping import Int, UInt8
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.image_file import write_images
from fairshot.sources.images.example_sheet import spread_evenly
from fairshot.sources.pool_and_test import GROUP, OFFICIAL_TEST, split_marks
from fairshot.sources.source import Source

Open = Callable[[int], Image.Image]


@dataclass(frozen=True, eq=False)
class Collection:
    """The images of one data set, none of them decoded yet."""

    name: str
    names: Sequence[str]
    """What names each image, the same whether it lies in an archive or a folder."""
    labels: Sequence[str]
    """The class of each image."""
    open: Open
    """Gives an image by its number."""
    _: KW_ONLY
    grey: bool = False
    groups: Sequence[str] = ()
    """What each image belongs to, such as the film that it is a frame of; nothing where each stands alone."""
    parents: Mapping[str, str] = field(default_factory=dict)
    """The parent of each class, where classes have parents."""
    sides: Sequence[str] = ()
    """What the data set's owner means each image for: train, val or test; nothing where the owner does not say."""

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        return tuple(sorted(set(self.labels)))

    def convert(self, folder: Path, size: int | None) -> Source:
        """All images, decoded into a file in the folder, at their own size or as squares of that many pixels."""
        width, height = (size, size) if size else self._own_size()
        shape = (len(self.labels), 1 if self.grey else 3, height, width)

        def read(start: int, stop: int) -> UInt8[np.ndarray, "image channel height width"]:
            return np.stack([self._pixels(number, (width, height)) for number in range(start, stop)])

        origin = fingerprint(self.name, list(self.names), list(self.labels))
        store = write_images(folder, shape, read, plan=fingerprint(origin, list(shape)), what=self.name)
        place = {name: number for number, name in enumerate(self.classes)}
        source = Source.create(
            self.name,
            store,
            np.array([place[label] for label in self.labels]),
            class_names=self.classes,
            parents=tuple(self.parents[name] for name in self.classes) if self.parents else None,
            attributes=self._attributes(),
        )
        # The same files are the same images whatever size they are shown at, so that their episodes can be paired.
        return replace(source, before_recipe=origin, root=origin)

    def _attributes(self) -> dict[str, Int[np.ndarray, " image"]]:
        marks = split_marks(np.array(self.sides)) if self.sides else None
        groups = {GROUP: number_each(self.groups)} if self.groups else {}
        return groups | ({} if marks is None else {OFFICIAL_TEST: marks})

    def examples(self, count: int) -> list[Image.Image]:
        """The first image of each of so many classes, which lie evenly over all; no others are decoded."""
        first = {label: number for number, label in reversed(list(enumerate(self.labels)))}
        chosen = [self.classes[place] for place in spread_evenly(len(self.classes), count)]
        pictures = []
        for name in chosen:
            with self._opened(first[name]) as image:
                pictures.append(image.convert("L" if self.grey else "RGB"))
        return pictures

    def _own_size(self) -> tuple[int, int]:
        first = self._size(0)
        for number in range(1, len(self.labels)):
            other = self._size(number)
            if other != first:
                raise FairshotError(
                    f"{self.name} holds images of several sizes, such as {first[0]} x {first[1]} and {other[0]} x "
                    f"{other[1]}: give --recipe 84 (or another number of pixels) to resize them"
                )
        return first

    def _size(self, number: int) -> tuple[int, int]:
        with self._opened(number) as image:
            return image.size

    def _pixels(self, number: int, size: tuple[int, int]) -> UInt8[np.ndarray, "channel height width"]:
        with self._opened(number) as opened:
            image = opened.convert("L" if self.grey else "RGB")
            image = image if image.size == size else image.resize(size, Image.Resampling.BILINEAR)
        values = np.asarray(image)
        return values[None] if self.grey else values.transpose(2, 0, 1)

    @contextmanager
    def _opened(self, number: int) -> Iterator[Image.Image]:
        try:
            yield self.open(number)
        except FairshotError:
            raise
        except Exception as error:  # whatever Pillow may raise for what is no image
            raise FairshotError(f"{self.name}: cannot decode {self.names[number]}: fetch it again") from error


def number_each(values: Iterable[str]) -> Int[np.ndarray, " value"]:
    """A number for each value, in the order in which they appear."""
    values = list(values)
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values], dtype=np.int64)


def open_picture(data: bytes) -> Image.Image:
    """An encoded image, of which only the beginning is decoded before it is needed."""
    return Image.open(io.BytesIO(data))
