"""WordNet's hypernyms above the 1000 ILSVRC classes: which class is a kind of what.

The graph stands in wordnet_ilsvrc.txt as an outline: a line is a node, its WordNet id and its first word, one space
deeper than its parent. A node of several parents stands below each, with its word and its own children only the first
time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source

ENTITY, CARNIVORE, DEVICE = "n00001740", "n02075296", "n03183080"
FILE = Path(__file__).with_name("wordnet_ilsvrc.txt")

Children = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Graph:
    """Nodes by WordNet id; a node without children is a leaf, and a leaf is a class."""

    children: Children
    words: Mapping[str, str]

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The nodes without children."""
        return frozenset(node for node, below in self.children.items() if not below)


@cache
def load_graph() -> Graph:
    """The graph above the 1000 ILSVRC classes."""
    return read_outline(FILE.read_text())


def in_wordnet(part: Source) -> bool:
    """Whether all classes of a part are called by their WordNet ids and are classes of ILSVRC."""
    return {part.class_names[number] for number in part.classes} <= load_graph().leaves


def read_outline(text: str) -> Graph:
    """The graph that an outline shows; lines that begin with # are comments."""
    children: dict[str, set[str]] = {}
    words: dict[str, str] = {}
    path: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        number, _, word = line.lstrip(" ").partition(" ")
        depth, node = len(line) - len(line.lstrip(" ")), f"n{number}"
        path[depth:] = [node]
        children.setdefault(node, set())
        words.setdefault(node, word)
        if depth:
            children[path[-2]].add(node)
    return Graph({node: frozenset(below) for node, below in children.items()}, words)


def outline(graph: Graph, root: str = ENTITY) -> str:
    """The graph as an outline, children in the order of their ids."""
    lines: list[str] = []
    seen: set[str] = set()

    def add(node: str, depth: int) -> None:
        again = node in seen
        seen.add(node)
        lines.append(" " * depth + (node[1:] if again else f"{node[1:]} {graph.words[node]}"))
        for child in () if again else sorted(graph.children[node]):
            add(child, depth + 1)

    add(root, 0)
    return "".join(f"{line}\n" for line in lines)


def sub_graph(children: Children, leaves: Iterable[str], root: str = ENTITY) -> dict[str, frozenset[str]]:
    """The nodes at or below the root with these leaves below them; a node with one child gives way to that child."""
    found: dict[str, frozenset[str]] = {leaf: frozenset() for leaf in leaves}

    @cache
    def stand_in(node: str) -> str | None:
        if node in found:
            return node
        below = frozenset(filter(None, map(stand_in, children[node])))
        if len(below) > 1:
            found[node] = below
            return node
        return next(iter(below), None)

    stand_in(root)
    return found


def spans(children: Children) -> dict[str, frozenset[str]]:
    """The leaves below each inner node, in the order of the nodes' ids."""

    @cache
    def below(node: str) -> frozenset[str]:
        return frozenset().union(*map(below, children[node])) if children[node] else frozenset({node})

    return {node: below(node) for node in sorted(children) if children[node]}


def check_names(names: Iterable[str], owner: str) -> None:
    """Raises unless every class is one of the 1000."""
    strangers = sorted(set(names) - load_graph().leaves)
    if strangers:
        raise FairshotError(
            f"class '{strangers[0]}' of {owner} is none of ILSVRC's 1000: name class folders by WordNet ids, such as "
            "n01440764"
        )
