import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.ilsvrc import SPLITS, load
from fairshot.splits.wordnet import (
    CARNIVORE,
    DEVICE,
    ENTITY,
    FILE,
    Graph,
    load_graph,
    outline,
    read_outline,
    spans,
    sub_graph,
)
from tests.conftest import data_file

GRAPH = load_graph()
PARTS = (("TRAIN", "base", ENTITY), ("VALID", "val", CARNIVORE), ("TEST", "novel", DEVICE))


def make(names: tuple[str, ...]) -> Source:
    return Source.create(
        "ilsvrc", np.zeros((len(names), 1, 1, 1), dtype=np.uint8), np.arange(len(names)), class_names=names
    )


def names(part: Source) -> set[str]:
    return {part.class_names[number] for number in part.classes}


def released(part: str) -> dict[str, frozenset[str]]:
    spec = json.loads(data_file("meta_dataset_splits/specs/ilsvrc_2012_dataset_spec.json").read_text())
    return {node["wn_id"]: frozenset(node["children_ids"]) for node in spec["split_subgraphs"][part]}


def test_an_outline_is_read_as_it_looks() -> None:
    text = "# a comment\n00000001 thing\n 00000002 pet\n  00000003 dog\n  00000004 cat\n 00000005 hunter\n  00000004\n"
    graph = read_outline(text)
    assert graph.children == {
        "n00000001": {"n00000002", "n00000005"},
        "n00000002": {"n00000003", "n00000004"},
        "n00000003": frozenset(),
        "n00000004": frozenset(),
        "n00000005": {"n00000004"},
    }
    assert graph.words["n00000004"] == "cat"
    assert graph.leaves == {"n00000003", "n00000004"}
    assert outline(graph, "n00000001") == text.partition("\n")[2]
    # The hunter has one child, which takes its place; without the cat the pet has one child and the thing too.
    assert sub_graph(graph.children, graph.leaves, "n00000001") == {
        "n00000001": {"n00000002", "n00000004"},
        "n00000002": {"n00000003", "n00000004"},
        "n00000003": frozenset(),
        "n00000004": frozenset(),
    }
    assert sub_graph(graph.children, ["n00000003"], "n00000001") == {"n00000003": frozenset()}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A root and nodes that hang below one, two or three earlier ones."""
    size = draw(st.integers(2, 25))
    ids = [f"n{number:08d}" for number in range(size)]
    children: dict[str, set[str]] = {node: set() for node in ids}
    for number in range(1, size):
        for parent in draw(st.sets(st.integers(0, number - 1), min_size=1, max_size=3)):
            children[ids[parent]].add(ids[number])
    return Graph({node: frozenset(below) for node, below in children.items()}, {node: f"w {node}" for node in ids})


@given(graphs())
def test_an_outline_keeps_every_edge_and_word(graph: Graph) -> None:
    assert read_outline(outline(graph, "n00000000")) == graph


@given(graphs(), st.data())
def test_nodes_with_one_child_give_way_as_in_the_release(graph: Graph, data: st.DataObject) -> None:
    root = data.draw(st.sampled_from(sorted(set(graph.children) - graph.leaves)))
    leaves = data.draw(st.sets(st.sampled_from(sorted(_below(graph, root) & graph.leaves)), min_size=1))
    found = sub_graph(graph.children, leaves, root)
    assert found == _reference(graph, leaves, root)
    for node, below in spans(found).items():
        assert below == _below(graph, node) & leaves
    assert list(spans(found)) == sorted(set(found) - leaves)


def _below(graph: Graph, node: str) -> set[str]:
    return {node}.union(*(_below(graph, child) for child in graph.children[node]))


def _reference(graph: Graph, leaves: set[str], root: str) -> dict[str, set[str]]:
    """Cut out the ancestors of the leaves, then take out one node with a single child after the other."""
    kept = {node for node in _below(graph, root) if _below(graph, node) & leaves}
    children = {node: set(graph.children[node]) & kept for node in kept}
    while True:
        single = next((node for node, below in children.items() if len(below) == 1), None)
        if single is None:
            return children
        (child,) = children.pop(single)
        for below in children.values():
            if single in below:
                below.remove(single)
                below.add(child)


def test_the_graph_is_that_of_wordnet() -> None:
    """The file that is shipped, made again from WordNet's own hypernym pointers."""
    raw = json.loads(data_file("wordnet/ilsvrc_graph.json").read_text())
    children: dict[str, set[str]] = {}
    for child, parent in raw["edges"]:
        children.setdefault(child, set())
        children.setdefault(parent, set()).add(child)
    words = {node: names[0].replace("_", " ") for node, names in raw["words"].items()}
    graph = Graph({node: frozenset(below) for node, below in children.items()}, words)
    header = "".join(line for line in FILE.read_text().splitlines(keepends=True) if line.startswith("#"))
    assert FILE.read_text() == header + outline(graph)
    assert GRAPH.leaves == set(raw["leaves"])
    assert graph == GRAPH


def test_the_graph_is_small_and_carries_its_licence() -> None:
    text = FILE.read_text()
    assert len(text) < 60_000
    assert "# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved." in text
    assert (len(GRAPH.leaves), len(GRAPH.children)) == (1000, 1860)
    assert [GRAPH.words[node] for node in (ENTITY, CARNIVORE, DEVICE)] == ["entity", "carnivore", "device"]


def test_the_split_has_its_published_sizes() -> None:
    split = load("meta-dataset", make(tuple(sorted(GRAPH.leaves))))
    assert [len(part.classes) for part in (split.base, split.val, split.novel)] == [712, 158, 130]
    assert split.name == "ilsvrc/meta-dataset"
    assert split.novel.notes == ()
    below = spans(GRAPH.children)
    assert not below[CARNIVORE] & below[DEVICE]
    assert "n02123045" in names(split.val)  # tabby cat
    assert "n03196217" in names(split.novel)  # digital clock


def test_no_split_is_left_out_here() -> None:
    assert list(SPLITS) == ["meta-dataset", "mini-mod"]


@pytest.mark.parametrize(("key", "part", "root"), PARTS)
def test_the_split_and_its_graphs_are_what_meta_dataset_ships(key: str, part: str, root: str) -> None:
    found = names(getattr(load("meta-dataset", make(tuple(sorted(GRAPH.leaves)))), part))
    theirs = released(key)
    assert found == {node for node, below in theirs.items() if not below}
    assert sub_graph(GRAPH.children, found, root) == theirs


def test_some_classes_can_be_split_and_say_that_they_are_some() -> None:
    split = load("meta-dataset", make(("n01440764", "n02123045", "n02124075", "n03196217")))
    assert [len(part.classes) for part in (split.base, split.val, split.novel)] == [1, 2, 1]
    assert split.novel.notes == ("4 of the 1000 classes of ilsvrc are here",)


def test_a_class_that_is_none_of_imagenets_is_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        load("meta-dataset", make(("n01440764", "tench", "goldfish")))
    assert str(caught.value) == (
        "class 'goldfish' of ilsvrc is none of ILSVRC's 1000: name class folders by WordNet ids, such as n01440764"
    )
