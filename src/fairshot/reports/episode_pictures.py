"""Episodes as pictures: for every class its support and its queries, framed by whether the answer was right."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int, UInt8
from PIL import Image

from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD, Episodes

SIDE = 56  # pixels of a picture on the page
FRAME = 3
GAP = 4
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


def class_pictures(
    part: Source,
    episodes: Episodes,
    number: int,
    correct: Bool[np.ndarray, " query"],
) -> list[ClassPictures]:
    """The first classes of one episode."""
    rows = []
    for place, class_id in enumerate(episodes.class_ids[number][:MOST_CLASSES]):
        if class_id == PAD:
            continue
        shown = episodes.support_ids[number][episodes.support_labels[number] == place]
        asked = episodes.query_labels[number] == place
        right = correct[: len(asked)] & asked
        queries = np.flatnonzero(asked)
        frames = [RIGHT if right[query] else WRONG for query in queries[:MOST_QUERIES]]
        rows.append(
            ClassPictures(
                part.class_names[class_id],
                _strip(part, shown[:MOST_SUPPORT], [PLAIN] * len(shown)),
                _strip(part, episodes.query_ids[number][queries[:MOST_QUERIES]], frames),
                int(right.sum()),
                int(asked.sum()),
            )
        )
    return rows


def _strip(part: Source, image_ids: Int[np.ndarray, " image"], frames: Sequence[tuple[int, int, int]]) -> str:
    """Pictures side by side, each in its frame."""
    width = SIDE + 2 * FRAME
    strip = Image.new("RGBA", (max(len(image_ids), 1) * (width + GAP), width), (0, 0, 0, 0))
    for place, (image_id, colour) in enumerate(zip(image_ids, frames, strict=False)):
        left = place * (width + GAP)
        strip.paste((*colour, 255), (left, 0, left + width, width))
        strip.paste(_picture(part.read(part.rows(np.array([image_id])))[0]), (left + FRAME, FRAME))
    file = io.BytesIO()
    strip.quantize(64).save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def _picture(pixels: UInt8[np.ndarray, "channel height width"]) -> Image.Image:
    image = Image.fromarray(pixels[0] if len(pixels) == 1 else pixels.transpose(1, 2, 0)).convert("RGB")
    return image.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
