"""Data: `SOURCE`, `SOURCE/SPLIT/PART`, `folder:PATH`, `array:FILE:label=COLUMN`, `table:FILE`, `path.py:name`."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from fairshot.runtime.errors import FairshotError, unreadable
from fairshot.runtime.grammar.name import Code, Name, is_own_code, parse_code, parse_spec
from fairshot.runtime.grammar.settings import Settings, join_settings, split_settings

WHOLE = ("folder", "array", "table")  # sources whose names hold slashes
FORMS = ("SOURCE", "SOURCE/SPLIT", "SOURCE/SPLIT/PART")
OWN_SPLIT = re.compile(r"(?P<file>.+\.(?:json|csv)|.+\.py:\w+(?::[^/]*?)?)(?:\+(?P<heldout>[\d.]+))?", re.DOTALL)
RULE = re.compile(r"(all-novel)|(random|parents|by-(\w+))(?:-(\d{1,18}))?")
NEXT_FILES = re.compile(rf"\+(?=(?:{'|'.join(WHOLE)}):)")
SEED = re.compile(r"(.+)-(\d{1,18})", re.DOTALL)


@dataclass(frozen=True)
class Files:
    """Data that lies in files: `folder:PATH`, `array:FILE` or `table:FILE`."""

    name: str
    path: str

    def __str__(self) -> str:
        return f"{self.name}:{self.path}"


SourceSpec = Name | Files | Code


@dataclass(frozen=True)
class DataSpec:
    """A source, and the split and the part of it that are meant, where these are said."""

    source: SourceSpec
    split: str | None = None
    part: str | None = None

    def __str__(self) -> str:
        return "/".join(str(word) for word in (self.source, self.split, self.part) if word is not None)

    @property
    def stands_alone(self) -> bool:
        """Whether the source has a name that no split can be added to, because there may be slashes in it already."""
        return not isinstance(self.source, Name)


@dataclass(frozen=True)
class SplitSpec:
    """A split by its name, in a file of class lists, or in somebody's own code; `+6` holds out images."""

    name: str
    heldout: str | None = None
    """How many images, or which share, of each base class are held out; None if none are."""
    code: Code | None = None
    """The code, where the name is that of something in a Python file."""
    is_file: bool = False
    """Whether the name is that of a file with class lists."""

    def __str__(self) -> str:
        return self.name if self.heldout is None else f"{self.name}+{self.heldout}"


@dataclass(frozen=True)
class Rule:
    """A split that any source has: `random-7`, `parents`, `by-drawer-7`, `all-novel`."""

    name: str
    attribute: str = ""
    seed: int | None = None

    def __str__(self) -> str:
        return self.name if self.seed is None else f"{self.name}-{self.seed}"


@dataclass(frozen=True)
class TableSpec:
    """A table in a file, and what is said of its columns: `FILE.csv:label=species,ignore=id+date`."""

    file: str
    settings: Settings = ()

    def __str__(self) -> str:
        return f"{self.file}:{join_settings(self.settings)}" if self.settings else self.file


def parse_source(text: str) -> SourceSpec:
    """A whole source: `omniglot`, `glyphs:alphabets=50`, `folder:PATH`, `array:FILE`, `path.py:name`."""
    kind, _, path = text.partition(":")
    return Files(kind, path) if kind in WHOLE else parse_spec(text)


def parse_data(text: str, sources: Container[str] = ()) -> DataSpec:
    """A source with the split and the part that stand behind it.

    `a/mine.py:name` is data out of a file in the folder a, unless a is one of the sources: then it is a split of that.
    """
    source, slash, rest = text.partition("/")
    whole = parse_source(source) if not is_own_code(source) else None
    in_file = is_own_code(text) and not (isinstance(whole, Name) and whole.stem in sources)
    if whole is None or isinstance(whole, Files) or in_file:
        return DataSpec(parse_source(text))
    if not slash:
        return DataSpec(whole)
    split, _, part = rest.rpartition("/")
    if OWN_SPLIT.fullmatch(rest):
        return DataSpec(whole, rest)
    if OWN_SPLIT.fullmatch(split):
        return DataSpec(whole, split, part)
    words = rest.split("/")
    if len(words) > 2:
        raise unreadable(text, *FORMS)
    return DataSpec(whole, *words)


def split_joined(text: str, sources: Container[str]) -> list[str]:
    """`A/SPLIT/base+B/SPLIT/base` as the data of each source; a plus sign joins where a source's name comes next.

    In paths plus signs mean nothing, unless `folder:`, `array:` or `table:` comes next; `lake+6` holds out images.
    """
    if text.partition(":")[0] in WHOLE:
        return NEXT_FILES.split(text)
    if is_own_code(text):
        return [text]
    pieces = list[str]()
    for piece in text.split("+"):
        begins = re.split(r"[/:]", piece, maxsplit=1)[0].replace("-", "_") in sources
        if pieces and not begins:
            pieces[-1] += f"+{piece}"
        else:
            pieces.append(piece)
    return pieces


def parse_split(text: str) -> SplitSpec:
    """`lake`, `lake+6`, `FILE.json`, `path.py:name+0.2`."""
    own = OWN_SPLIT.fullmatch(text)
    if own is None:
        name, plus, heldout = text.partition("+")
        return SplitSpec(name, heldout if plus else None)
    code = parse_code(own["file"]) if is_own_code(own["file"]) else None
    return SplitSpec(own["file"], own["heldout"], code, is_file=code is None)


def parse_share(text: str) -> int | float:
    """A number of images, or a share of each class."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError as error:
        raise FairshotError(f"'+{text}' holds out nothing: write +6 (images) or +0.2 (share of each class)") from error


def parse_rule(text: str) -> Rule | None:
    """`random-7`, `parents`, `by-ATTRIBUTE` or `all-novel` taken apart; None for other names."""
    match = RULE.fullmatch(text)
    return match and Rule(match[1] or match[2], match[3] or "", None if match[4] is None else int(match[4]))


def split_seed(text: str) -> tuple[str, int | None]:
    """`random-7` as a name and a seed; None where no seed stands behind the name."""
    match = SEED.fullmatch(text)
    return (match[1], int(match[2])) if match else (text, None)


def parse_table(text: str, endings: Iterable[str]) -> TableSpec | None:
    """`FILE.csv:label=COLUMN` taken apart, where a file of a table has one of the endings; None for other files."""
    pattern = rf"(.+?(?:{'|'.join(re.escape(ending) for ending in endings)}))(?::(.*))?"
    match = re.fullmatch(pattern, text, re.IGNORECASE)
    return match and TableSpec(match[1], split_settings(match[2] or ""))


def parse_pixels(text: str) -> int | None:
    """The size of a recipe that is a number of pixels; None for one with a name."""
    return int(text) if text.isdecimal() and len(text) <= 9 and int(text) > 0 else None
