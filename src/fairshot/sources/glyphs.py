"""A world of invented handwriting that needs no download: alphabets, characters, drawers and takes, after Omniglot.

Omniglot: Lake, Salakhutdinov and Tenenbaum, "Human-level concept learning through probabilistic program induction",
Science 350, 2015. As there, a character is a small programme of strokes joined to each other, an alphabet is a stock of
strokes with habits of joining them, and every drawing is the programme run by a hand with habits and slips of its own.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8

from fairshot.runtime.cache import arrays_once
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.sources.strokes import (
    FAMILIES, POINTS, SIZE, Curve, Curves, bending, bumps, crosses, fit_canvas, ink, mirror_error, ride, rotated, smoother,
    turning,
)  # fmt: skip

VERSION = 1  # part of the cache key: raise it whenever a drawing changes
TRAITS = ("strokes", "loop", "dot", "symmetric", "curved", "crossing", "wide")
STROKES = 5
PLACES = np.array([0, POINTS // 2, POINTS - 1])  # where strokes join: start, middle, end
ATTEMPTS = 16  # nearly every character is found in the first three; the last resort is the attempt least alike the others
NUMBERS = 64  # random numbers set aside for one attempt; five strokes use at most nine each
BATCH = 1000  # drawings inked at a time: 11 MB, small enough to stay in the processor's cache


@dataclass(frozen=True)
class Alphabet:
    """A stock of strokes in all the poses this alphabet uses, and its habits of joining them."""

    poses: Float[np.ndarray, "pose {POINTS} 2"]
    chance: Float[np.ndarray, " pose"]
    chance_first: Float[np.ndarray, " pose"]
    chance_upright: Float[np.ndarray, " pose"]
    """The same for poses that are their own mirror image; all zero if there are none."""
    loops: Bool[np.ndarray, " pose"]
    counts: Float[np.ndarray, " count"]
    joins: Float[np.ndarray, " place"]
    own_joins: Float[np.ndarray, " place"]
    sides: Float[np.ndarray, " side"]
    apart: float
    dotted: float
    symmetric: float
    second: float
    """The size of the later strokes against the first."""
    size: float
    aspect: float
    """The logarithm of the width of its characters against their height."""


@dataclass(frozen=True)
class Character:
    """A programme of strokes, in pixels around the middle, drawn in order."""

    curves: Curves
    links: Int[np.ndarray, "stroke 3"]
    """For each stroke: the earlier stroke it hangs on, the place there, and its own place."""
    loop: bool
    dot: bool


def load(*, alphabets: int = 30, characters: int = 30, drawers: int = 10, takes: int = 2, seed: int = 0) -> Source:
    """The glyph world: `drawers` people per alphabet draw each of its characters `takes` times.

    A drawing depends on the seed and its own alphabet, character, drawer and take only: a bigger world extends a smaller.
    """
    asked = {"alphabets": alphabets, "characters": characters, "drawers": drawers, "takes": takes}
    for name, number in asked.items():
        if number < 1:
            raise FairshotError(f"glyphs with {name}={number}: there must be at least 1")
    if seed < 0:
        raise FairshotError(f"glyphs with seed={seed}: a seed is 0 or more")
    world = World(alphabets, characters, drawers, takes, seed)
    arrays = arrays_once("glyphs", world.key, world.build)
    return world.source(arrays["images"], arrays["traits"], content=str(arrays["content"]))


@dataclass(frozen=True)
class World:
    """How many of each, and from which seed."""

    alphabets: int
    characters: int
    drawers: int
    takes: int
    seed: int

    @property
    def key(self) -> str:
        """The name of this world's cache folder."""
        sizes = "x".join(str(n) for n in (self.alphabets, self.characters, self.drawers, self.takes))
        return f"version{VERSION}-{sizes}-seed{self.seed}"

    def build(self, folder: Path) -> None:
        """Draw everything, one alphabet at a time, into arrays on disk, with their hash."""
        classes = self.alphabets * self.characters
        shape = (classes * self.drawers * self.takes, 1, SIZE, SIZE)
        # Writing past the end of the disk through a memory map would kill the process without a word.
        need, free = int(np.prod(shape)), shutil.disk_usage(folder).free
        if need > free:
            raise FairshotError(
                f"{shape[0]} glyphs need {need / 1e9:.1f} GB, {folder.parent.parent} has {free / 1e9:.1f} GB free: "
                "ask for fewer, or set FAIRSHOT_CACHE to a bigger disk"
            )
        images = np.lib.format.open_memmap(folder / "images.npy", mode="w+", dtype=np.uint8, shape=shape)
        traits = np.zeros((classes, len(TRAITS)), dtype=np.int64)
        per = len(images) // self.alphabets
        for k in range(self.alphabets):
            programmes = invent_characters(self.seed, k, self.characters)
            traits[k * self.characters :][: self.characters] = [measure_traits(p) for p in programmes]
            start = k * per
            for batch in draw(programmes, self, k):
                images[start : start + len(batch)] = batch
                start += len(batch)
        images.flush()
        np.save(folder / "traits.npy", traits)
        np.save(folder / "content.npy", np.array(self.source(images, traits).content))

    def source(
        self, images: UInt8[np.ndarray, "image 1 {SIZE} {SIZE}"], traits: Int[np.ndarray, "class trait"],
        *, content: str | None = None,
    ) -> Source:  # fmt: skip
        """The world as a Source; hashing it is left out when the hash is known."""
        wide, narrow = len(str(max(self.alphabets - 1, 100))), len(str(max(self.characters - 1, 10)))
        parents = tuple(f"alphabet{k:0{wide}}" for k in range(self.alphabets) for _ in range(self.characters))
        names = tuple(f"{parent}/character{c % self.characters:0{narrow}}" for c, parent in enumerate(parents))
        alphabet, _, drawer, take = np.indices((self.alphabets, self.characters, self.drawers, self.takes)).reshape(4, -1)
        class_ids = np.repeat(np.arange(len(names)), self.drawers * self.takes)
        attributes = {"drawer": alphabet * self.drawers + drawer, "take": take}
        class_attributes = {name: np.array(traits[:, i]) for i, name in enumerate(TRAITS)}
        if content is None:
            return Source.create(
                "glyphs", images, class_ids, class_names=names, parents=parents, attributes=attributes,
                class_attributes=class_attributes,
            )  # fmt: skip
        return Source(
            "glyphs", images, np.arange(len(images)), class_ids, names, parents, content, content, attributes,
            class_attributes,
        )  # fmt: skip


def invent_alphabet(seed: int, k: int) -> Alphabet:
    """The style of alphabet number k."""
    rng = Stream(seed, "glyphs", k, "style")
    chance, poses, upright, loops = _invent_poses(rng)
    habits = rng.uniform(18)
    # Its commonest stroke stands first in many of its characters, like the stem or the headline of real scripts.
    stem = 0.45 + 0.5 * habits[16]
    first = (1 - stem) * chance
    first[chance.argmax()] += stem
    # Alphabets range from plain to elaborate: most characters have about this many strokes.
    counts = np.exp(-0.8 * (np.arange(1, STROKES + 1) - 1.5 - 2.5 * habits[10]) ** 2)
    return Alphabet(
        poses, _shares(chance), _shares(first), _shares(chance * upright), loops, _shares(counts),
        _shares(0.08 + habits[:3] ** 4), _shares(0.08 + habits[3:6] ** 4), _shares(0.05 + habits[6:10] ** 4),
        apart=0.05 + 0.25 * habits[11], dotted=max(0.0, 0.7 * habits[12] - 0.2), symmetric=0.45 * habits[13],
        second=0.55 + 0.3 * habits[14], size=46 + 22 * habits[15], aspect=1.2 * (habits[17] - 0.5),
    )  # fmt: skip


def _invent_poses(
    rng: Stream,
) -> tuple[
    Float[np.ndarray, " pose"], Float[np.ndarray, "pose {POINTS} 2"], Bool[np.ndarray, " pose"], Bool[np.ndarray, " pose"]
]:
    """An alphabet's strokes in four turns and mirrored: how common, the curve, its own mirror image, a loop."""
    angular, diagonal, tall, soft = rng.uniform(4)
    angular = angular < 0.35
    facet = (np.pi / 4 if soft < 0.6 else np.pi / 2) if angular else 0.0
    liking = np.array([family.liking[int(angular)] for family in FAMILIES.values()])
    chosen = np.argsort(-(rng.uniform(len(FAMILIES)) ** (1 / liking)))[: 3 + int(rng.integers(3, 1)[0])]
    # Sharp-cornered alphabets keep their corners, round ones turn them over up to a tenth of the stroke.
    rounding = smoother(0.8 if angular else 1.5 + 4 * soft)
    stretch = np.exp(np.array([0.5, -0.5]) * (tall - 0.5) * 0.8)
    chance, poses = [], []
    loops = np.repeat([family.loop for family in FAMILIES.values()], 1)[chosen].repeat(8)
    for family in (tuple(FAMILIES.values())[number] for number in chosen):
        clean = rounding @ ride(family, rng.uniform(len(family.legs), 3), facet=facet)
        tilt, weight, flip = rng.uniform(3)
        turns = _shares(rng.uniform(4) ** 6)
        for turn, sign in product(range(4), (1, -1)):
            pose = rotated(clean, (turn + 0.5 * (tilt < 0.4 * diagonal)) * np.pi / 2) * stretch * [sign, 1]
            poses.append(pose - 0.5 * (pose.min(axis=0) + pose.max(axis=0)))
            chance.append((0.3 + weight) * turns[turn] * (0.5 * flip if sign < 0 else 1 - 0.5 * flip))
    upright = np.array([mirror_error(pose[::2]) < 0.05 for pose in poses])
    return _shares(np.array(chance)), np.array(poses), upright, loops


def _shares(weights: Float[np.ndarray, " choice"]) -> Float[np.ndarray, " choice"]:
    """The weights as chances; nothing stays nothing."""
    return weights / max(weights.sum(), 1e-9)


def invent_characters(seed: int, k: int, count: int) -> list[Character]:
    """The first characters of alphabet number k, each unlike the ones before."""
    alphabet = invent_alphabet(seed, k)
    found: list[Character] = []
    seen = np.zeros((count, GRID * GRID))
    for j in range(count):
        attempts = Stream(seed, "glyphs", k, "character", j).uniform(ATTEMPTS, NUMBERS)
        attempts[:, :3] = attempts[0, :3]  # only the strokes are drawn anew, not how many and whether symmetric or dotted
        best, best_alike = None, np.inf
        for attempt, numbers in enumerate(attempts):
            character = Draft(alphabet, numbers).compose()
            look = impression(character.curves)
            alike = float((seen[:j] @ look).max(initial=0))
            if not is_legible(character) and (best is not None or attempt < ATTEMPTS - 1):
                continue
            if alike < best_alike:
                best, best_look, best_alike = character, look, alike
            if alike < ALIKE:
                break
        assert best is not None
        found.append(best)
        seen[j] = best_look
    return found


class Draft:
    """A character in the making: strokes are added until there are enough."""

    def __init__(self, alphabet: Alphabet, numbers: Float[np.ndarray, " number"]) -> None:
        self.alphabet = alphabet
        self.numbers = iter(numbers.tolist())
        self.curves: list[Curve] = []
        self.links: list[tuple[int, int, int]] = []
        self.twins: list[int] = []
        self.loop = False

    def compose(self) -> Character:
        """The finished character."""
        style = self.alphabet
        even, dot, count = self.happens(style.symmetric), self.happens(style.dotted), 1 + self.pick(style.counts)
        while len(self.curves) < count:
            if not even:
                self.add_stroke()
            elif style.chance_upright.any() and (len(self.curves) == count - 1 or self.happens(0.5)):
                self.add_upright()
            else:
                self.add_pair()
        curves = np.array(self.curves)
        curves -= 0.5 * (curves.min(axis=(0, 1)) + curves.max(axis=(0, 1)))
        # Half-way to the alphabet's own proportions, as far as that does not distort the strokes.
        extent = np.clip(np.ptp(curves, axis=(0, 1)), 0.3, None)
        squeeze = np.clip(style.aspect - 0.75 * np.log(extent[0] / extent[1]), -0.7, 0.7)
        curves *= np.exp([0.5 * squeeze, -0.5 * squeeze])
        # What has more strokes gets bigger, but less than in proportion; 72 pixels leave room for a big hand.
        extent = np.ptp(curves, axis=(0, 1)).max()
        curves *= min(style.size * extent**0.4, 72) / extent
        if dot:
            curves = self.with_dot(curves, even)
        return Character(curves, np.array(self.links), self.loop, dot)

    def happens(self, chance: float) -> bool:
        """Whether something of this chance comes to pass."""
        return next(self.numbers) < chance

    def pick(self, chances: Float[np.ndarray, " choice"]) -> int:
        """A choice by its chance."""
        return min(int(np.searchsorted(np.cumsum(chances), next(self.numbers))), len(chances) - 1)

    def pose(self, *, upright: bool = False) -> Curve:
        """One of the alphabet's strokes, at the size of a first or a later stroke."""
        style = self.alphabet
        chances = style.chance_upright if upright else style.chance if self.curves else style.chance_first
        chosen = self.pick(chances)
        self.loop = self.loop or bool(self.alphabet.loops[chosen])
        size = self.alphabet.second * (0.75 + 0.5 * next(self.numbers))
        return self.alphabet.poses[chosen] * (size if self.curves else 1.0)

    def add(self, curve: Curve, link: tuple[int, int, int], *, twin: int) -> None:
        """Take a stroke in."""
        self.curves.append(curve)
        self.links.append(link)
        self.twins.append(twin)

    def add_stroke(self) -> None:
        """A stroke joined to an earlier one, or apart on one of the four sides."""
        curve, number = self.pose(), len(self.curves)
        link = self.choose_link()
        if number and self.happens(self.alphabet.apart):
            curve = self.beside(curve)
        elif number:
            curve = curve + self.curves[link[0]][link[1]] - curve[link[2]]
        self.add(curve, link, twin=number)

    def choose_link(self) -> tuple[int, int, int]:
        """An earlier stroke, a place on it, and a place on the new stroke."""
        parent = int(next(self.numbers) * len(self.curves))
        return parent, int(PLACES[self.pick(self.alphabet.joins)]), int(PLACES[self.pick(self.alphabet.own_joins)])

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
            curve = curve + [0, shift]
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

    def with_dot(self, curves: Curves, even: bool) -> Curves:
        """The strokes, in pixels, and a dot above, below, beside or inside them."""
        low, high = curves.min(axis=(0, 1)), curves.max(axis=(0, 1))
        side = int(next(self.numbers) * (3 if even else 5))
        gap = 11 + 4 * next(self.numbers)
        spot = {0: (0, low[1] - gap), 1: (0, high[1] + gap), 2: (0, 0), 3: (high[0] + gap, 0), 4: (low[0] - gap, 0)}[side]
        around = np.linspace(0, 2 * np.pi, POINTS)
        # Radius 1.4 pixels: with the pen's own width a dot of 7 to 8 pixels, like Omniglot's.
        dot = np.array(spot) + 1.4 * np.stack([np.cos(around), np.sin(around)], axis=1)
        nearest = int(((curves - spot) ** 2).sum(axis=2).argmin())
        self.links.append((nearest // POINTS, nearest % POINTS, 0))
        return np.concatenate([curves, dot[None]])


GRID = 14  # cells of 7.5 pixels, about what two drawings of one place differ by
ALIKE = 0.95


def _cells(curves: Curves) -> Float[np.ndarray, "stroke cell"]:
    """For each stroke, how many of its points fall into each cell of a coarse grid."""
    middle = 0.5 * (curves.min(axis=(0, 1)) + curves.max(axis=(0, 1)))
    place = np.clip(((curves - middle) / 7.5 + GRID / 2).astype(np.int64), 0, GRID - 1)
    flat = (place[..., 1] * GRID + place[..., 0]) + GRID * GRID * np.arange(len(curves))[:, None]
    return np.bincount(flat.ravel(), minlength=len(curves) * GRID * GRID).reshape(len(curves), -1).astype(np.float64)


def impression(curves: Curves) -> Float[np.ndarray, " cell"]:
    """The blurred picture at a glance, of length 1, to tell look-alikes by their product."""
    length = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)
    picture = (_cells(curves) * length[:, None]).sum(axis=0).reshape(GRID, GRID)
    padded = np.pad(np.minimum(picture, 7.5 * POINTS), 1)
    blurred = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    blurred = blurred[:, :-2] + 2 * blurred[:, 1:-1] + blurred[:, 2:]
    return blurred.ravel() / np.linalg.norm(blurred)


def is_legible(character: Character) -> bool:
    """No stroke hides another, a dot stands free, and the whole is neither tiny nor crammed with ink."""
    curves = character.curves
    if character.dot:
        gaps = curves[:-1] - curves[-1].mean(axis=0)
        if (gaps**2).sum(axis=2).min() < 11**2:
            return False
        curves = curves[:-1]
    cells = _cells(curves) > 0
    shared = cells.astype(int) @ cells.T
    own = np.diag(shared)
    shared = (shared / np.minimum(own[:, None], own))[~np.eye(len(own), dtype=bool)]
    extent = np.ptp(curves, axis=(0, 1))
    length = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum()
    crammed = length * 5 / np.prod(np.maximum(extent, 20))
    # The more a stroke turns, the bigger it must be: 12 pixels for a line, 20 for a ring, 24 for two bumps.
    big = np.ptp(curves, axis=1).max(axis=1) >= 12 + 4 * turning(curves)[0].sum(axis=1) / np.pi
    return bool(big.all() and shared.max(initial=0) < 0.4 and extent.max() > 30 and crammed < 0.45)


def measure_traits(character: Character) -> list[int]:
    """What can be seen in the clean character, in the order of TRAITS."""
    curves = character.curves
    body = curves[:-1] if character.dot else curves
    pairs = [(i, j) for i in range(len(body)) for j in range(i)]
    extent = np.ptp(body, axis=(0, 1))
    return [
        len(curves),
        int(character.loop),
        int(character.dot),
        int(mirror_error(curves[:, ::3].reshape(-1, 2)) < 3.5),
        int(bending(body) > 0.5),
        int(any(crosses(body[i], body[j], past=6) for i, j in pairs)),
        int(extent[0] > extent[1]),
    ]


KNOTS, FINE_KNOTS = 5, 16
SLIP = 6 + 2 * KNOTS + 2 * FINE_KNOTS  # numbers behind one stroke of one drawing: size, turn, miss; wobble; tremor
WHOLE = 6  # and behind the drawing as a whole: size, aspect, slant, turn, place
WOBBLE, TREMOR = bumps(KNOTS), bumps(FINE_KNOTS)
SOFTER = smoother(5.0)


@dataclass(frozen=True)
class Hands:
    """The drawers of an alphabet: habits that they keep from character to character."""

    whole: Float[np.ndarray, "drawer 6"]
    looseness: Float[np.ndarray, " drawer"]
    tremor: Float[np.ndarray, " drawer"]
    softness: Float[np.ndarray, " drawer"]
    thick: Bool[np.ndarray, " drawer"]


def meet_drawers(seed: int, k: int, count: int) -> Hands:
    """The first drawers of alphabet number k."""
    habits = _normals(Stream(seed, "glyphs", k, "hands").uniform(count, 10))
    # Habits of the whole drawing, as measured on Omniglot's drawers: 8% in size, 7% in aspect, 2.7 pixels in place.
    whole = habits[:, :6] * [0.078, 0.035, 0.07, 0.03, 2.8, 2.8]
    return Hands(
        whole, np.exp(0.3 * habits[:, 6]), 0.35 * np.exp(0.5 * habits[:, 7]),
        np.clip(0.4 + 0.4 * habits[:, 8], 0, 1), habits[:, 9] > -0.7,
    )  # fmt: skip


def draw(characters: list[Character], world: World, k: int) -> Iterator[UInt8[np.ndarray, "image 1 {SIZE} {SIZE}"]]:
    """All drawings of the characters of alphabet number k, in order, some at a time."""
    hands = meet_drawers(world.seed, k, world.drawers)
    per = max(1, BATCH // (world.drawers * world.takes))
    for first in range(0, len(characters), per):
        some = characters[first : first + per]
        slips = [_slips(world, k, j, len(some[j - first].curves)) for j in range(first, first + len(some))]
        yield _draw_some(some, slips, hands, world.takes)


def _slips(world: World, k: int, j: int, strokes: int) -> Float[np.ndarray, "drawing number"]:
    """Normal numbers for each drawing of a character: half the variance is how this drawer sees it, half the moment's."""
    numbers = WHOLE + strokes * SLIP
    steady = _normals(Stream(world.seed, "glyphs", k, "person", j).uniform(world.drawers, numbers))
    moment = [
        _normals(Stream(world.seed, "glyphs", k, "take", j, take).uniform(world.drawers, numbers))
        for take in range(world.takes)
    ]
    return (np.sqrt(0.5) * (steady[:, None] + np.stack(moment, axis=1))).reshape(-1, numbers)


def _draw_some(
    characters: list[Character], slips: list[Float[np.ndarray, "drawing _"]], hands: Hands, takes: int
) -> UInt8[np.ndarray, "image 1 {SIZE} {SIZE}"]:
    """The drawings of some characters. Rows are strokes: character by character, drawing by drawing."""
    each = len(slips[0])
    counts = np.repeat([len(c.curves) for c in characters], each)
    drawing = np.repeat(np.arange(len(counts)), counts)
    starts = np.cumsum(counts) - counts
    drawer = np.tile(np.repeat(np.arange(len(hands.thick)), takes), len(characters))
    clean = np.concatenate([np.tile(c.curves, (each, 1, 1)) for c in characters])
    links = np.concatenate([np.tile(c.links, (each, 1)) for c in characters])
    links[:, 0] += starts[drawing]
    noise = np.concatenate([s[:, WHOLE:].reshape(-1, SLIP) for s in slips])
    shape = _deform(clean, links, noise, hands, drawer[drawing])
    moved = _join(shape - clean, links, noise[:, 4:6] * 1.8 * hands.looseness[drawer[drawing], None], starts, counts)
    whole = np.concatenate([s[:, :WHOLE] for s in slips]) * [0.05, 0.045, 0.06, 0.05, 3.8, 3.8] + hands.whole[drawer]
    points = fit_canvas(_pose(clean + moved, whole, drawing), starts, drawing)
    return ink(points.reshape(-1, 2), np.repeat(drawing, POINTS), hands.thick[drawer])


def _deform(
    clean: Curves, links: Int[np.ndarray, "stroke 3"], noise: Float[np.ndarray, "stroke {SLIP}"], hands: Hands,
    drawer: Int[np.ndarray, " stroke"],
) -> Curves:  # fmt: skip
    """Each stroke in its own size, turn and wobble, around the place by which it hangs on another."""
    soft = hands.softness[drawer, None, None]
    curve = clean + soft * (SOFTER @ clean - clean)
    anchor = clean[np.arange(len(clean)), links[:, 2]][:, None]
    loose = hands.looseness[drawer]
    size = np.exp(loose[:, None] * (0.11 * noise[:, :1] + 0.07 * noise[:, 1:3]))[:, None]
    turn = 0.09 * loose * noise[:, 3]
    curve = rotated((curve - anchor) * size, turn[:, None]) + anchor
    extent = np.ptp(clean, axis=1).max(axis=1)
    wobble = (loose * (0.3 + 0.035 * extent))[:, None, None] * noise[:, 6 : 6 + 2 * KNOTS].reshape(-1, KNOTS, 2)
    tremor = hands.tremor[drawer, None, None] * noise[:, 6 + 2 * KNOTS :].reshape(-1, FINE_KNOTS, 2)
    return curve + WOBBLE @ wobble + TREMOR @ tremor


def _join(
    moved: Curves, links: Int[np.ndarray, "stroke 3"], miss: Float[np.ndarray, "stroke 2"],
    starts: Int[np.ndarray, " drawing"], counts: Int[np.ndarray, " drawing"],
) -> Curves:  # fmt: skip
    """The displacements, with each stroke carried along by the one it hangs on, which it misses a little."""
    shift = np.zeros((len(moved), 2))
    for order in range(1, int(counts.max())):
        row = starts[counts > order] + order
        parent, place, own = links[row].T
        shift[row] = shift[parent] + moved[parent, place] - moved[row, own] + miss[row]
    return moved + shift[:, None]


def _pose(points: Curves, whole: Float[np.ndarray, "drawing 6"], drawing: Int[np.ndarray, " stroke"]) -> Curves:
    """Each drawing in its size, aspect, slant, turn and place on the canvas."""
    size, aspect, slant, turn, across, down = whole[drawing].T
    points = points * np.exp(np.stack([size + aspect, size - aspect], axis=1))[:, None]
    points[..., 0] -= slant[:, None] * points[..., 1]
    return rotated(points, turn[:, None]) + np.stack([across, down], axis=1)[:, None] + (SIZE - 1) / 2


def _normals(uniform: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    """Normal numbers from an even number of uniform ones (Box and Muller), cut where a hand would not go."""
    radius = np.sqrt(-2 * np.log(1 - uniform[..., 0::2]))
    angle = 2 * np.pi * uniform[..., 1::2]
    return np.clip(np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=-1), -2.5, 2.5)
