"""Is a drawing dark on light or light on dark? Photographs are neither."""

from collections.abc import Sequence

from fairshot.sources.pictures import Picture, Pictures

DARK_ON_LIGHT, LIGHT_ON_DARK, NEITHER = 1, -1, 0
WORDS = {DARK_ON_LIGHT: "dark on light", LIGHT_ON_DARK: "light on dark"}
SAMPLE = 50  # pictures looked at
AGREEING = 0.9  # share of them that must be alike
FLAT = 32  # grey values between the darkest and the lightest pixel, below which nothing is drawn
INK = 0.35  # of the pixels at most, in a drawing
PURE = 0.8  # share of pixels that are nearly as dark as ink or as light as paper


def polarity(pictures: Pictures) -> int:
    """What nearly all of the pictures are that can be read."""
    readable = [number for number, shape in enumerate(pictures.shapes) if shape is not None]
    chosen = readable[:: max(1, len(readable) // SAMPLE)]
    return _agreed([tone(pictures.one(number, 1)) for number in chosen if _decodes(pictures, number)])


def _decodes(pictures: Pictures, number: int) -> bool:
    try:
        pictures.one(number, 1)
    except Exception:  # whatever Pillow may raise for what is no image
        return False
    return True


def _agreed(tones: Sequence[int]) -> int:
    for kind in WORDS:
        if tones and sum(tone == kind for tone in tones) >= AGREEING * len(tones):
            return kind
    return NEITHER


def tone(picture: Picture) -> int:
    """Of one picture: which of its two tones is the rarer one, the ink."""
    grey = picture.mean(axis=0)
    low, high = grey.min(), grey.max()
    if high - low < FLAT:
        return NEITHER
    place = (grey - low) / (high - low)
    dark = float((place < 0.5).mean())
    if ((place < 0.25) | (place > 0.75)).mean() < PURE or INK < dark < 1 - INK:
        return NEITHER
    return DARK_ON_LIGHT if dark <= INK else LIGHT_ON_DARK
