"""Every published split of Omniglot, by name. Sizes are asserted when a split is made; see docs/splits.md."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.split import Split, split_classes

VINYALS_TRAINVAL = 1200  # characters, background alphabets first, then evaluation: the cut falls inside Gurmukhi
VINYALS_VAL = ("Armenian", "Bengali", "Early_Aramaic", "Hebrew", "Mkhedruli_(Georgian)")
META_DATASET_VAL = (  # the five smallest background alphabets
    "Blackfoot_(Canadian_Aboriginal_Syllabics)",
    "Ojibwe_(Canadian_Aboriginal_Syllabics)",
    "Inuktitut_(Canadian_Aboriginal_Syllabics)",
    "Tagalog",
    "Alphabet_of_the_Magi",
)
LAKE_RUNS = (  # the ten alphabets of Lake's 20 runs
    "Atlantean",
    "Ge_ez",
    "Glagolitic",
    "Gurmukhi",
    "Kannada",
    "Malayalam",
    "Manipuri",
    "Old_Church_Slavonic_(Cyrillic)",
    "Tengwar",
    "Tibetan",
)
VINYALS_NOVEL = (
    "Kannada",
    "Keble",
    "Malayalam",
    "Manipuri",
    "Mongolian",
    "Old_Church_Slavonic_(Cyrillic)",
    "Oriya",
    "Sylheti",
    "Syriac_(Serto)",
    "Tengwar",
    "Tibetan",
    "ULOG",
)
MIX_SHARE = 0.8
WEAK_NOVEL, WEAK_VAL = ("character01", "character02", "character03"), ("character04",)

Parts = np.ndarray  # one of "base", "val", "novel", "" for each of the 1623 characters


@dataclass(frozen=True)
class Characters:
    """The 1623 characters in order: background alphabets, then evaluation alphabets, alphabetically within each."""

    alphabet: np.ndarray
    character: np.ndarray
    background: np.ndarray


@dataclass(frozen=True)
class Published:
    """A published split: its rule, the number of characters it must give, and the recipe of its system."""

    rule: Callable[[Characters], Parts]
    sizes: tuple[int, int, int]
    recipe: str
    about: str
    held_out: int = 0
    """Drawings of every base character that are not trained on."""


def load(name: str, source: Source) -> Split:
    """The named split of Omniglot, with or without rotations as classes."""
    published = SPLITS[name]
    rotations = len(source.class_names) // 1623
    if rotations * 1623 != len(source.class_names) or len(source.classes) != len(source.class_names):
        raise FairshotError(f"{source.name}/{name} needs all 1623 characters, here are {len(source.classes)} classes")
    pairs = np.array([full.split("/")[:2] for full in source.class_names[:1623]])
    parts = published.rule(Characters(pairs[:, 0], pairs[:, 1], source.class_attributes["background"][:1623] == 1))
    sizes = tuple(int((parts == part).sum()) for part in ("base", "val", "novel"))
    if sizes != published.sizes:
        raise FairshotError(f"{name}: {sizes} characters, published {published.sizes}")
    rotated = np.tile(parts, rotations)
    base, val, novel = (np.flatnonzero(rotated == part) for part in ("base", "val", "novel"))
    split = split_classes(name, source, base=base, val=val, novel=novel)
    return split.hold_out(published.held_out, name=split.name) if published.held_out else split


def _lake(characters: Characters) -> Parts:
    return np.where(characters.background, "base", "novel")


def _vinyals(characters: Characters) -> Parts:
    trainval = np.where(np.isin(characters.alphabet, VINYALS_VAL), "val", "base")
    return np.where(np.arange(1623) < VINYALS_TRAINVAL, trainval, "novel")


def _vinyals_alphabets(characters: Characters) -> Parts:
    return np.where(np.isin(characters.alphabet, VINYALS_NOVEL), "novel", "base")


def _mix(characters: Characters) -> Parts:
    order = np.random.RandomState(0).permutation(1623)  # the legacy generator is the published rule
    parts = np.full(1623, "novel")
    parts[order[: round(MIX_SHARE * 1623)]] = "base"
    return parts


def _koch(characters: Characters) -> Parts:
    return np.where(np.isin(characters.alphabet, LAKE_RUNS), "novel", "base")


def _weak(characters: Characters) -> Parts:
    return np.where(np.isin(characters.character, WEAK_NOVEL), "novel", "base")


def _weak_val(characters: Characters) -> Parts:
    return np.where(np.isin(characters.character, WEAK_VAL), "val", _weak(characters))


def _drawings(characters: Characters) -> Parts:
    return np.full(len(characters.alphabet), "base")


def _meta_dataset(characters: Characters) -> Parts:
    return np.where(np.isin(characters.alphabet, META_DATASET_VAL), "val", _lake(characters))


SPLITS = {
    "lake": Published(_lake, (964, 0, 659), "omniglot-eval", "30 background against 20 evaluation alphabets"),
    "vinyals": Published(_vinyals, (1028, 172, 423), "centroid", "characters times rotations; Gurmukhi is cut in two"),
    "vinyals-alphabets": Published(_vinyals_alphabets, (1204, 0, 419), "omniglot-eval", "the same by whole alphabets"),
    "mix": Published(_mix, (1298, 0, 325), "omniglot-eval", "80% of all characters against the rest, shuffled"),
    "koch": Published(
        _koch, (1241, 0, 382), "omniglot-eval-koch", "40 against 10 alphabets (membership assumed: Lake's)"
    ),
    "ccn": Published(_lake, (964, 0, 659), "centroid-ccn", "as lake, for episodes of a whole alphabet"),
    "weak": Published(_weak, (1473, 0, 150), "diversity", "characters 01 to 03 of each alphabet are novel"),
    "weak-val": Published(_weak_val, (1423, 50, 150), "diversity", "the same, with character 04 of each to choose by"),
    "meta-dataset": Published(_meta_dataset, (883, 81, 659), "meta-dataset", "25, 5 and 20 alphabets"),
    "mod": Published(
        _meta_dataset, (883, 81, 659), "omniglot-eval", "the same, with 6 held-out drawings a base character", 6
    ),
    "drawings": Published(
        _drawings, (1623, 0, 0), "diversity", "all characters are base, with 2 held-out drawings each; none is novel", 2
    ),
}
