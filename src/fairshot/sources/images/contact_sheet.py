"""A contact sheet: a look at what is in a source."""

import numpy as np
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source

LINE = 200  # the grey of the separators


def contact_sheet(source: Source, *, classes: int, drawings: int) -> Image.Image:
    """One row per class, one column per drawing; the classes lie evenly over the source."""
    if not source.has_images:
        raise FairshotError(f"{source.name} holds feature vectors: a contact sheet needs images")
    if classes < 1 or drawings < 1:
        raise FairshotError(f"no contact sheet of {classes} classes and {drawings} drawings: ask for 1 or more of each")
    members = source.members
    chosen = np.unique(np.linspace(0, len(members.classes) - 1, min(classes, len(members.classes))).astype(np.int64))
    _, channels, height, width = source.store.shape
    columns = min(drawings, int(members.counts[chosen].max()))
    cells = np.full((len(chosen), columns, height + 1, width + 1, channels), LINE, dtype=np.uint8)
    cells[:, :, 1:, 1:] = 255
    for row, number in enumerate(chosen):
        start, count = members.starts[number], min(columns, members.counts[number])
        images = source.store[members.image_ids[start : start + count]]
        cells[row, :count, 1:, 1:] = np.moveaxis(images, 1, 3)
    sheet = np.moveaxis(cells, 1, 2).reshape(len(chosen) * (height + 1), columns * (width + 1), channels)
    sheet = np.pad(sheet, ((0, 1), (0, 1), (0, 0)), constant_values=LINE)
    return Image.fromarray(sheet[..., 0] if channels == 1 else sheet)
