"""Is a drawing dark on light or light on dark? Photographs are neither."""

from collections.abc import Iterator, Sequence

import numpy as np

from fairshot.runtime.seeds import Stream
from fairshot.sources.images.pictures import Picture, Pictures

DARK_ON_LIGHT, LIGHT_ON_DARK, NEITHER = 1, -1, 0
WORDS = {DARK_ON_LIGHT: "dark on light", LIGHT_ON_DARK: "light on dark"}
SAMPLE = 200  # pictures looked at
TELLING = 0.5  # share of those with something on them that must be one or the other
AGREEING = 0.9  # share of these that must be alike
FLAT = 12  # grey values between the darkest and the lightest pixel, below which nothing is drawn
INK = 0.35  # of the pixels at most, in a drawing
PURE = 0.8  # share of pixels that are nearly as dark as ink or as light as paper


def polarity(pictures: Pictures) -> int:
    """What nearly all of the pictures are that tell; blank ones and those that cannot be read are not asked."""
    return _agreed([tone(picture) for picture in _some(pictures) if not _is_blank(picture)])


def _some(pictures: Pictures) -> Iterator[Picture]:
    """At random: one of so many would be the first of every class where a class has as many."""
    readable = np.flatnonzero([shape is not None for shape in pictures.shapes])
    drawn = Stream("polarity").ordered_sample(np.array([len(readable)]), min(SAMPLE, len(readable)))[0]
    for number in np.sort(readable[drawn]).tolist():
        try:
            picture = pictures.one(number, 1)
        except Exception:  # whatever Pillow may raise for what is no image
            continue
        yield picture


def _agreed(tones: Sequence[int]) -> int:
    clear = [tone for tone in tones if tone != NEITHER]
    if len(clear) < TELLING * len(tones):
        return NEITHER
    for kind in WORDS:
        if clear and clear.count(kind) >= AGREEING * len(clear):
            return kind
    return NEITHER


def _is_blank(picture: Picture) -> bool:
    return bool(np.ptp(picture.mean(axis=0)) < FLAT)


def tone(picture: Picture) -> int:
    """Of one picture: which of its two tones is the rarer one, the ink, however faint it is."""
    if _is_blank(picture):
        return NEITHER
    grey = picture.mean(axis=0)
    place = (grey - grey.min()) / np.ptp(grey)
    dark = float((place < 0.5).mean())
    if ((place < 0.25) | (place > 0.75)).mean() < PURE or INK < dark < 1 - INK:
        return NEITHER
    return DARK_ON_LIGHT if dark <= INK else LIGHT_ON_DARK
