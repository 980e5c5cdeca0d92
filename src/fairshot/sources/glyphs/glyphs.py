"""A world of invented handwriting that needs no download: alphabets, characters, drawers and takes, after Omniglot.

Omniglot: Lake, Salakhutdinov and Tenenbaum, "Human-level concept learning through probabilistic program induction",
Science 350, 2015. As there, a character is a small programme of strokes joined to each other, an alphabet is a stock of
strokes with habits of joining them, and every drawing is the programme run by a hand with habits and slips of its own.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from jaxtyping import Float, UInt8

from fairshot.runtime.cache import new_images
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.glyphs import arithmetic, drawings, strokes
from fairshot.sources.glyphs.alphabets import Alphabet, invent_alphabet
from fairshot.sources.glyphs.drawings import SLIP, WHOLE, Hands, Programme
from fairshot.sources.glyphs.strokes import GRID, POINTS, SIZE, Curve, Curves
from fairshot.sources.source import Source
from fairshot.sources.store import load_once

VERSION = 2  # part of the cache key: raise it whenever a drawing changes
TRAITS = ("strokes", "loop", "dot", "symmetric", "curved", "crossing", "wide")
PLACES = (0, POINTS // 2, POINTS - 1)  # where strokes join: start, middle, end
# Strokes more or fewer in each attempt: what gets crammed with many works with fewer, what is not new gets one more. A
# character takes five attempts on average; the last resort is the newest of them.
CHANGES = (0,) * 8 + (1, -1) * 3 + (1, -2) * 3
NUMBERS = 64  # random numbers set aside for one attempt; a stroke uses at most eight
BATCH = 200  # drawings inked at a time: 2 MB, small enough to stay in the processor's cache
ALIKE = 0.97  # of two impressions: higher lets near twins in, lower makes alphabets too easy to tell apart within
FREE = 13  # pixels from the middle of a dot to the next stroke: 6 are ink, 7 are left for careless hands
HOLE = 11  # pixels across a loop: 5 are ink, and a small hand still leaves paper inside


def load(*, alphabets: int = 30, characters: int = 30, drawers: int = 10, takes: int = 2, seed: int = 0) -> Source:
    """The glyph world: `drawers` people per alphabet draw each of its characters `takes` times.

    A drawing depends on the seed and on its alphabet, character, drawer and take only: bigger worlds hold the smaller.
    """
    asked = {"alphabets": alphabets, "characters": characters, "drawers": drawers, "takes": takes}
    for name, number in asked.items():
        if number < 1:
            raise FairshotError(f"glyphs cannot have {name}={number}: ask for 1 or more")
    if seed < 0:
        raise FairshotError(f"glyphs cannot have seed={seed}: a seed is 0 or more")
    world = World(alphabets, characters, drawers, takes, seed)
    return load_once("glyphs", [VERSION, *asked.values(), seed], world.build)


@dataclass(frozen=True)
class World:
    """How many of each, and from which seed."""

    alphabets: int
    characters: int
    drawers: int
    takes: int
    seed: int

    def build(self, folder: Path) -> Source:
        """Everything drawn, a few characters at a time, into a memory map in the folder."""
        classes = self.alphabets * self.characters
        shape = (classes * self.drawers * self.takes, 1, SIZE, SIZE)
        images = new_images(folder, shape, "glyphs")
        traits = np.zeros((len(TRAITS), classes), dtype=np.int64)
        done = 0
        for k in range(self.alphabets):
            characters = invent_characters(self.seed, k, self.characters)
            traits[:, k * self.characters :][:, : self.characters] = np.transpose([c.traits for c in characters])
            for batch in self.draw(characters, k):
                images[done : done + len(batch)] = batch
                done += len(batch)
        return self.label(images, dict(zip(TRAITS, traits, strict=True)))

    def draw(self, characters: Sequence["Character"], k: int) -> Iterator[UInt8[np.ndarray, "image 1 105 105"]]:
        """All drawings of the characters of alphabet number k, in order, some at a time."""
        hands = Hands.create(drawings.normals(Stream(self.seed, "glyphs", k, "hands").uniform(self.drawers, 10)))
        per = max(1, BATCH // (self.drawers * self.takes))
        for first in range(0, len(characters), per):
            some = characters[first : first + per]
            slips = [self.slips(k, first + j, len(character.curves)) for j, character in enumerate(some)]
            yield drawings.draw(some, slips, hands)

    def slips(self, k: int, j: int, count: int) -> Float[np.ndarray, "drawing number"]:
        """Normal numbers for each drawing of a character: half the variance is the drawer's, half the take's."""
        shape = self.drawers, WHOLE + count * SLIP
        paths = ("person", j), *(("take", j, take) for take in range(self.takes))
        steady, *takes = (drawings.normals(Stream(self.seed, "glyphs", k, *path).uniform(*shape)) for path in paths)
        return (np.sqrt(0.5) * (steady[:, None] + np.stack(takes, axis=1))).reshape(-1, shape[1])

    def label(self, images: UInt8[np.ndarray, "image 1 105 105"], traits: dict[str, np.ndarray]) -> Source:
        """The drawings with their names and attributes."""
        wide, narrow = max(3, len(str(self.alphabets - 1))), max(2, len(str(self.characters - 1)))
        parents = tuple(f"alphabet{k:0{wide}}" for k in range(self.alphabets) for _ in range(self.characters))
        names = tuple(f"{parent}/character{c % self.characters:0{narrow}}" for c, parent in enumerate(parents))
        each = self.drawers * self.takes
        class_ids = np.repeat(np.arange(len(names)), each)
        # Each alphabet has its own people, numbered through the whole world.
        drawer = class_ids // self.characters * self.drawers + np.tile(np.arange(each) // self.takes, len(names))
        attributes = {"drawer": drawer, "take": np.tile(np.arange(self.takes), len(names) * self.drawers)}
        return Source.create(
            "glyphs",
            images,
            class_ids,
            class_names=names,
            parents=parents,
            attributes=attributes,
            class_attributes=traits,
        )


@dataclass(frozen=True)
class Character(Programme):
    """A programme of strokes and how wide its narrowest loop is, in pixels; a dot comes last."""

    loop: float
    dot: bool

    @property
    def body(self) -> Curves:
        """The strokes without the dot."""
        return self.curves[: len(self.curves) - self.dot]

    @property
    def is_legible(self) -> bool:
        """Whether dots stand free, loops are open and nothing is too small, hidden or crammed."""
        free = not self.dot or strokes.clearance(self.curves) >= FREE
        return free and not 0 < self.loop < HOLE and strokes.are_legible(self.body)

    @property
    def traits(self) -> list[int]:
        """What can be seen in the clean character, in the order of TRAITS."""
        across, down = np.ptp(self.body.reshape(-1, 2), axis=0)
        return [
            len(self.curves),
            int(self.loop > 0),
            int(self.dot),
            int(strokes.mirror_error(self.curves[:, ::3].reshape(-1, 2)) < 3.5),
            int(strokes.bending(self.body) > 0.5),
            int(any(strokes.crosses(one, other, past=6.0) for one, other in combinations(self.body, 2))),
            int(across > down),
        ]


def invent_characters(seed: int, k: int, count: int) -> list[Character]:
    """The first characters of alphabet number k, each unlike the ones before."""
    alphabet = invent_alphabet(seed, k)
    characters: list[Character] = []
    seen = np.zeros((count, GRID * GRID))
    for j in range(count):
        attempts = Stream(seed, "glyphs", k, "character", j).uniform(len(CHANGES), NUMBERS)
        # Only the strokes are tried anew, not how many there are, nor whether there is a dot or a symmetry.
        attempts[:, :3] = attempts[0, :3]
        characters.append(_first_new(alphabet, attempts, seen[:j]))
        seen[j] = strokes.impression(characters[j].curves)
    return characters


def _first_new(
    alphabet: Alphabet, attempts: Float[np.ndarray, "attempt number"], seen: Float[np.ndarray, "earlier cell"]
) -> Character:
    """The first attempt that is legible and new, or else the one least like the earlier: new before tidy."""
    refused: list[Character] = []
    for change, numbers in zip(CHANGES, attempts, strict=True):
        character = Draft(alphabet, numbers).compose(change)
        if character.is_legible and strokes.likeness(character.curves, seen) < ALIKE:
            return character
        refused.append(character)
    return min(refused, key=lambda character: strokes.likeness(character.curves, seen))


class Draft:
    """A character in the making: strokes are added until there are enough."""

    def __init__(self, alphabet: Alphabet, numbers: Float[np.ndarray, " number"]) -> None:
        self.alphabet = alphabet
        self.numbers = iter(numbers.tolist())
        self.curves: list[Curve] = []
        self.links: list[tuple[int, int, int]] = []
        self.twins: list[int] = []
        self.loop = np.inf
        self.first = alphabet.first_pose

    def compose(self, change: int) -> Character:
        """The finished character; with fewer strokes than usual, the first may be an unusual one."""
        style = self.alphabet
        even, dot = self.happens(style.symmetric), self.happens(style.dotted)
        count = max(1, 1 + self.pick(style.counts) + change)
        self.first = style.any_pose if change < 0 else style.first_pose
        while len(self.curves) < count:
            if not even:
                self.add_stroke()
            elif style.upright_pose[-1] > 0 and (len(self.curves) == count - 1 or self.happens(0.5)):
                self.add_upright()
            else:
                self.add_pair()
        curves, scale = self.in_pixels()
        if dot:
            curves = np.concatenate([curves, self.add_dot(curves, even)[None]])
        return Character(curves, np.array(self.links), scale * self.loop if self.loop < np.inf else 0.0, dot)

    def in_pixels(self) -> tuple[Curves, float]:
        """The strokes around the middle in the alphabet's size and proportions, and their scale."""
        style, curves = self.alphabet, np.array(self.curves)
        low, high = curves.reshape(-1, 2).min(axis=0), curves.reshape(-1, 2).max(axis=0)
        across, down = np.maximum(high - low, 0.3)
        shape = float(arithmetic.log(np.array([across / down]))[0])
        # Four fifths of the way to the alphabet's own proportions, as far as that does not distort the strokes, and
        # never quite square, so that wide and tall can be told apart.
        squeeze = np.clip(style.aspect - 0.8 * shape, -0.8, 0.8)
        squeeze += np.copysign(max(0.0, 0.2 - abs(shape + squeeze)), shape + squeeze)
        ratio = arithmetic.exp(np.array([0.5 * squeeze, -0.5 * squeeze]))
        # What has more strokes gets bigger, but less than in proportion; 72 pixels leave room for a big hand.
        reach = float(((high - low) * ratio).max())
        scale = min(style.size * float(arithmetic.power(np.array([reach]), 0.4)[0]), 72) / reach
        return (curves - 0.5 * (low + high)) * ratio * scale, scale * float(ratio.min())

    def happens(self, chance: float) -> bool:
        """Whether something of this chance comes to pass."""
        return next(self.numbers) < chance

    def pick(self, sums: list[float]) -> int:
        """A choice by the running sums of the chances."""
        return min(bisect(sums, next(self.numbers)), len(sums) - 1)

    def pose(self, *, upright: bool = False) -> Curve:
        """One of the alphabet's strokes, at the size of a first or a later stroke."""
        style = self.alphabet
        chosen = self.pick(style.upright_pose if upright else style.any_pose if self.curves else self.first)
        later = style.second * (0.75 + 0.5 * next(self.numbers))
        loop = float(style.poses.loops[chosen])
        # A loop is drawn big enough to stay open.
        size = max(later, min(1.0, 0.3 / loop) if loop else 0.0) if self.curves else 1.0
        self.loop = min(self.loop, loop * size or np.inf)
        return style.poses.curves[chosen] * size

    def add(self, curve: Curve, link: tuple[int, int, int], *, twin: int) -> None:
        """Take a stroke in."""
        self.curves.append(curve)
        self.links.append(link)
        self.twins.append(twin)

    def add_stroke(self) -> None:
        """A stroke joined to an earlier one, or apart on one of the four sides."""
        curve, number, link = self.pose(), len(self.curves), self.choose_link()
        if number and self.happens(self.alphabet.apart):
            curve = self.beside(curve)
        elif number:
            curve = curve + self.curves[link[0]][link[1]] - curve[link[2]]
        self.add(curve, link, twin=number)

    def choose_link(self) -> tuple[int, int, int]:
        """An earlier stroke, a place on it, and a place on the new stroke."""
        parent = int(next(self.numbers) * len(self.curves))
        return parent, PLACES[self.pick(self.alphabet.joins)], PLACES[self.pick(self.alphabet.own_joins)]

    def beside(self, curve: Curve) -> Curve:
        """The stroke moved to the right of, below, to the left of or above all others, its middle in line."""
        all_points = np.concatenate(self.curves)
        low, high = all_points.min(axis=0), all_points.max(axis=0)
        direction = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[self.pick(self.alphabet.sides)]
        reach = 0.5 * (high - low) + 0.5 * np.ptp(curve, axis=0) + 0.22
        return curve - 0.5 * (curve.min(axis=0) + curve.max(axis=0)) + 0.5 * (low + high) + direction * reach

    def add_upright(self) -> None:
        """A stroke that is its own mirror image, on the axis."""
        curve, link = self.pose(upright=True), self.choose_link()
        if self.curves:
            shift = self.curves[link[0]][link[1], 1] - curve[link[2], 1]
            curve = curve + np.array([0, shift])
        self.add(curve, link, twin=len(self.curves))

    def add_pair(self) -> None:
        """A stroke and its mirror image, joined to the strokes so far or to each other."""
        curve, number, link = self.pose(), len(self.curves), self.choose_link()
        parent, place, own = link
        apart = self.happens(self.alphabet.apart)
        if number and not apart:
            curve = curve + self.curves[parent][place] - curve[own]
        else:
            curve = curve - [curve[:, 0].min() - 0.15 if apart else curve[own, 0], 0]
        self.add(curve, link, twin=number + 1)
        other = self.twins[parent]
        mirrored = curve * [-1, 1]
        if not number:
            link = (0, own, own)
        elif other == parent:
            gap = self.curves[parent] - self.curves[parent][place] * [-1, 1]
            link = (parent, int((gap**2).sum(axis=1).argmin()), own)
        else:
            link = (other, place, own)
        self.add(mirrored, link, twin=number)

    def add_dot(self, curves: Curves, even: bool) -> Curve:
        """A dot above, below, beside or inside the strokes, which are in pixels by now."""
        low, high = curves.min(axis=(0, 1)), curves.max(axis=(0, 1))
        side, gap = int(next(self.numbers) * (3 if even else 5)), 13 + 4 * next(self.numbers)
        spot = np.array([[0, low[1] - gap], [0, high[1] + gap], [0, 0], [high[0] + gap, 0], [low[0] - gap, 0]][side])
        around = np.linspace(0, 2 * np.pi, POINTS)
        nearest = int(((curves - spot) ** 2).sum(axis=2).argmin())
        self.links.append((nearest // POINTS, nearest % POINTS, 0))
        # Radius 1.4 pixels: with the pen's own width a dot of 7 to 8 pixels, like Omniglot's.
        return spot + 1.4 * np.stack(arithmetic.cos_sin(around), axis=1)
