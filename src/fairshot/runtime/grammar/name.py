"""Names of things: `NAME`, `NAME:setting=value,...`, `path.py:name`, `path.py:name:setting=value,...`, `Label=SPEC`."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from fairshot.runtime.errors import unreadable
from fairshot.runtime.grammar.settings import Settings, join_settings, split_settings

CODE = re.compile(r"(?P<file>.*?\.py):(?P<name>[^:@/\\=,]*)(?::(?P<settings>.*))?", re.DOTALL)
LABEL = re.compile(r"([^:@/\\=]*[^:@/\\=\s])\s*=\s*(.+)", re.DOTALL)


@dataclass(frozen=True)
class Name:
    """Something that is found by its name, with its settings: `neighbours:k=3`."""

    name: str
    settings: Settings = ()

    def __str__(self) -> str:
        return f"{self.name}:{join_settings(self.settings)}" if self.settings else self.name

    @property
    def stem(self) -> str:
        """The name as files have it, where dashes and underscores are the same."""
        return self.name.replace("-", "_")


@dataclass(frozen=True)
class Code:
    """Something in somebody's own Python file, with its settings: `mine.py:Mine:k=3`."""

    file: str
    name: str
    settings: Settings = ()

    def __str__(self) -> str:
        return f"{self.place}:{join_settings(self.settings)}" if self.settings else self.place

    @property
    def place(self) -> str:
        """The file and the name in it, without settings."""
        return f"{self.file}:{self.name}"


Spec = Name | Code


class Labelled(NamedTuple):
    """A spec with what it is to be called, `Ours=mine.py:pipe`."""

    label: str
    spec: str

    def __str__(self) -> str:
        return self.spec if self.label == self.spec else f"{self.label}={self.spec}"


def parse_spec(text: str, separators: str = ",") -> Spec:
    """A name or somebody's own code, with settings."""
    if is_own_code(text):
        return parse_code(text, separators)
    name, _, settings = text.partition(":")
    return Name(name, split_settings(settings, separators))


def parse_task(text: str) -> Spec:
    """The same for a task, whose settings may stand apart by slashes, since commas stand between tasks."""
    return parse_spec(text, ",/")


def parse_code(text: str, separators: str = ",") -> Code:
    """`path.py:name` or `path.py:name:setting=value` taken apart."""
    match = CODE.fullmatch(text)
    if match is None:
        raise unreadable(text, "path.py:name", "path.py:name:setting=value")
    return Code(match["file"], match["name"], split_settings(match["settings"] or "", separators))


def is_own_code(text: str) -> bool:
    """Whether a spec names something in a Python file."""
    return ".py:" in text


def split_label(text: str) -> Labelled:
    """`Ours=mine.py:pipe` as label and spec; without a label the spec is its own."""
    match = LABEL.fullmatch(text)
    return Labelled(match[1].strip(), match[2]) if match else Labelled(text, text)
