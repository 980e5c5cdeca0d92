"""tieredImageNet (Ren et al. 2018): 351 base, 97 val, 160 novel classes, branches of WordNet apart; and the same with
held-out images of base classes (Setlur et al. 2021).
"""

from dataclasses import replace
from pathlib import Path

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Named, split_by_name
from fairshot.splits.split import Split

FILE = Path(__file__).with_name("tiered_imagenet.txt")
HELD_OUT = 0.2  # of the images of a base class, rounded down


def read_parts(text: str) -> dict[str, tuple[str, ...]]:
    """Parts and their WordNet ids: a line that is not indented names a part; lines that begin with # are comments."""
    parts: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith(" "):
            parts[list(parts)[-1]] += [f"n{number}" for number in line.split()]
        elif not line.startswith("#"):
            parts[line] = []
    return {part: tuple(names) for part, names in parts.items()}


PARTS = read_parts(FILE.read_text())
REN = Named(PARTS["val"], PARTS["novel"], (351, 97, 160), "84", "branches of WordNet apart")
SPLITS = {
    "ren": REN,
    "mod": replace(REN, about="ren with a fifth of the images of each base class held out", held_out=HELD_OUT, seed=12),
}


def load(name: str, source: Source) -> Split:
    """The named split of tieredImageNet."""
    return split_by_name(name, source, SPLITS[name])
