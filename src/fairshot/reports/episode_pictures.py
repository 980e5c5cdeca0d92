"""Episodes as pictures: for every class its support and its queries, framed by whether the answer was right."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int, UInt8
from PIL import Image

from fairshot.evaluation.shown_episode import ShownEpisode
from fairshot.sources.source import Source

SIDE = 56  # pixels of a picture on the page
FRAME = 3
GAP = 4
CELL = SIDE + 2 * FRAME + GAP  # from one picture to the next
RIGHT, WRONG, PLAIN = (0, 158, 115), (213, 94, 0), (140, 149, 159)
MOST_CLASSES, MOST_SUPPORT, MOST_QUERIES = 10, 5, 12


@dataclass(frozen=True)
class ClassPictures:
    """One class of an episode: strips of pictures, and how many of its queries were right."""

    name: str
    support: str
    """A PNG as the address of an image that stands in the page itself."""
    queries: str
    right: int
    asked: int
    instead: tuple[tuple[int, str], ...] = ()
    """For each picture of a query the class that was answered instead, by label and name; no name where it is right."""


def class_pictures(shown: ShownEpisode) -> list[ClassPictures]:
    """The first classes of one episode."""
    return [_class_pictures(shown, place) for place in shown.places[:MOST_CLASSES]]


def _class_pictures(shown: ShownEpisode, place: int) -> ClassPictures:
    support, queries = shown.support(place), shown.queries(place)
    first = queries[:MOST_QUERIES]
    frames = [RIGHT if shown.is_right(query) else WRONG for query in first.tolist()]
    return ClassPictures(
        shown.name(place),
        _strip(shown.part, support[:MOST_SUPPORT], [PLAIN] * len(support)),
        _strip(shown.part, shown.episodes.query_ids[0][first], frames),
        sum(map(shown.is_right, queries.tolist())),
        len(queries),
        tuple(_instead(shown, query) for query in first.tolist()) if shown.chosen is not None else (),
    )


def _instead(shown: ShownEpisode, query: int) -> tuple[int, str]:
    assert shown.chosen is not None
    label = int(shown.chosen[query])
    known = not shown.is_right(query) and label in shown.places
    return (label, shown.name(label)) if known else (label, "")


def picture_address(part: Source, image_id: int) -> str:
    """One image as an address that needs nothing beside the page."""
    return _address(_picture(part, image_id))


def _strip(part: Source, image_ids: Int[np.ndarray, " image"], frames: Sequence[tuple[int, int, int]]) -> str:
    """Pictures side by side, each in its frame."""
    width = SIDE + 2 * FRAME
    strip = Image.new("RGBA", (max(len(image_ids), 1) * (width + GAP), width), (0, 0, 0, 0))
    for place, (image_id, colour) in enumerate(zip(image_ids.tolist(), frames, strict=False)):
        left = place * (width + GAP)
        strip.paste((*colour, 255), (left, 0, left + width, width))
        strip.paste(_picture(part, image_id), (left + FRAME, FRAME))
    return _address(strip)


def _address(image: Image.Image) -> str:
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def _picture(part: Source, image_id: int) -> Image.Image:
    pixels: UInt8[np.ndarray, "channel height width"] = part.read(part.rows(np.array([image_id])))[0]
    image = Image.fromarray(pixels[0] if len(pixels) == 1 else pixels.transpose(1, 2, 0)).convert("RGB")
    return image.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
