"""Parts of SVG pictures: a document, axes with round numbers, text, and small images that stand inside."""

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
from jaxtyping import UInt8
from PIL import Image

Number = float | int
RED, GREY, FAINT = "#d00000", "#555", "#ddd"


def document(width: Number, height: Number, body: Iterable[str]) -> str:
    """A whole picture on white paper."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="Helvetica, Arial, sans-serif" font-size="11" fill="#222">\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def text(x: Number, y: Number, words: str, style: str = "") -> str:
    """Words that begin at a place, or as the style says."""
    return f'<text x="{x:g}" y="{y:g}"{" " if style else ""}{style}>{escape(words)}</text>'


def frame(x: Number, y: Number, width: Number, height: Number, colour: str = RED) -> str:
    """A thin box around something."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="none" stroke="{colour}"/>'


def image(picture: Image.Image, x: Number, y: Number, width: Number, height: Number) -> str:
    """A small image inside of the picture, its pixels as they are."""
    data = io.BytesIO()
    picture.save(data, "PNG", optimize=True)
    content = base64.b64encode(data.getvalue()).decode()
    return (
        f'<image x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{content}"/>'
    )


def grey_image(pixels: UInt8[np.ndarray, "height width"]) -> Image.Image:
    """Black and white in one bit a pixel, if there is nothing between."""
    picture = Image.fromarray(pixels)
    return picture.point(lambda tone: tone, "1") if np.isin(pixels, (0, 255)).all() else picture


@dataclass(frozen=True)
class Axes:
    """A box on the paper, and the values at its edges."""

    left: Number
    top: Number
    width: Number
    height: Number
    across: tuple[float, float]
    up: tuple[float, float]

    def x(self, value: Number) -> float:
        """Where a value stands from left to right."""
        low, high = self.across
        return round(self.left + self.width * (value - low) / (high - low), 1)

    def y(self, value: Number) -> float:
        """Where a value stands from top to bottom."""
        low, high = self.up
        return round(self.top + self.height * (high - value) / (high - low), 1)

    def lines(self, across: str, up: str, *, percent: bool) -> list[str]:
        """Both axes with round numbers and their names; the upright one in percent or as it is."""
        bottom, right = self.top + self.height, self.left + self.width
        parts = []
        for value in ticks(*self.up):
            parts.append(f'<path d="M{self.left:g} {self.y(value)}H{right:g}" stroke="{FAINT}"/>')
            told = f"{100 * value:g}%" if percent else f"{value:g}"
            parts.append(text(self.left - 6, self.y(value) + 4, told, 'text-anchor="end"'))
        for value in ticks(*self.across):
            parts.append(f'<path d="M{self.x(value)} {bottom:g}v4" stroke="#333"/>')
            parts.append(text(self.x(value), bottom + 16, f"{value:g}", 'text-anchor="middle"'))
        parts.append(f'<path d="M{self.left:g} {self.top:g}V{bottom:g}H{right:g}" fill="none" stroke="#333"/>')
        parts.append(text(self.left + self.width / 2, bottom + 34, across, 'text-anchor="middle"'))
        middle, side = self.top + self.height / 2, self.left - 44
        turned = f'text-anchor="middle" transform="rotate(-90 {side:g} {middle:g})"'
        return [*parts, text(side, middle, up, turned)]


def span(values: Sequence[Number], least: Number = -np.inf, most: Number = np.inf) -> tuple[float, float]:
    """What holds all values with a little air, within bounds that nothing can pass."""
    low, high = min(values), max(values)
    air = 0.05 * (high - low) or 0.5
    return float(max(low - air, least - 0.4 * air)), float(min(high + air, most + 0.4 * air))


def ticks(low: Number, high: Number) -> list[float]:
    """Four to ten round values."""
    size = 10.0 ** np.floor(np.log10((high - low) / 10))
    step = next(size * factor for factor in (1, 2, 5, 10, 20) if (high - low) / (size * factor) <= 10)
    return [float(f"{k * step:.6g}") for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def apart(wanted: Sequence[Number], distance: Number = 12) -> list[float]:
    """Heights for labels that would like to stand at others: in the same order, none on another."""
    places, last = [float(place) for place in wanted], -np.inf
    for number in np.argsort(wanted, kind="stable").tolist():
        last = places[number] = max(places[number], last + distance)
    return places
