"""Pairs of attributes: both or not, never of one category, every admissible pair as often."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.glyphs.glyphs import load
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.specs.tasks import find_task
from fairshot.tasks.attribute_pair import AttributePair, bisect_graph


def shoes(seed: int = 0, images: int = 400) -> Source:
    """Shoes of one class each, of some material, heel and closure; vectors show what they have."""
    rng = np.random.default_rng(seed)
    material, heel = rng.integers(0, 3, images), rng.integers(0, 4, images)
    planted = {
        "material.suede": material == 0,
        "material.wool": material == 1,
        "closure.lace": rng.uniform(size=images) < 0.5,
        "closure.zip": rng.uniform(size=images) < 0.05,
        "heel": heel,
        "shop": rng.integers(0, 60, images),
    }
    features = np.stack([*list(planted.values())[:4], *np.eye(4)[heel].T], axis=1).astype(np.float32)
    return from_arrays(features, rng.integers(0, 7, images), name="shoes", attributes=planted)


def owns(source: Source, name: str) -> np.ndarray:
    """Whether each image has the trait, told from its name alone."""
    if name in source.attributes:
        return source.attributes[name] == 1
    attribute, _, value = name.rpartition(".")
    return source.attributes[attribute] == int(value)


TRAITS = ["material.suede", "material.wool", "closure.lace", "closure.zip", *(f"heel.{v}" for v in range(4))]


def admissible(source: Source, least: int) -> set[tuple[str, str]]:
    """The definition, pair by pair."""
    different = [pair for pair in combinations(TRAITS, 2) if pair[0].split(".")[0] != pair[1].split(".")[0]]
    both = {pair: int((owns(source, pair[0]) & owns(source, pair[1])).sum()) for pair in different}
    return {pair for pair, count in both.items() if least <= count <= len(source) - least}


def test_the_pairs_are_those_of_different_categories_with_enough_images() -> None:
    source = shoes()
    pairs = AttributePair(shot=2, query=3).pairs(source)
    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == admissible(source, 20)
    assert not any("closure.zip" in pair for pair in pairs)
    assert set(AttributePair(shot=10, query=20).pairs(source)) == admissible(source, 30) != admissible(source, 20)


@given(st.integers(0, 5), st.integers(1, 6), st.integers(1, 10), st.integers(0, 2**31))
def test_positive_images_have_both_attributes_and_negative_ones_not(
    world: int, shot: int, query: int, seed: int
) -> None:
    source = shoes(world)
    task = AttributePair(shot=shot, query=query)
    pairs = task.pairs(source)
    for support, labels, asked, truth, classes in zip(*task.sample(source, range(10), seed).tables, strict=True):
        first, second = pairs[classes[0] // 2]
        assert classes.tolist() == [classes[0], classes[0] + 1]
        assert classes[0] % 2 == 0
        both = (owns(source, first) & owns(source, second)).astype(int)
        assert len(set(support) | set(asked)) == 2 * (shot + query)
        np.testing.assert_array_equal(both[support], labels)
        np.testing.assert_array_equal(both[asked], truth)
        assert np.bincount(labels).tolist() == [shot, shot]
        assert np.bincount(truth).tolist() == [query, query]


def test_pairs_are_drawn_uniformly_and_so_are_the_images_of_a_side() -> None:
    source, task = shoes(), AttributePair(shot=2, query=3)
    drawn = task.sample(source, range(8000), 3)
    counts = np.bincount(drawn.class_ids[:, 0] // 2, minlength=len(task.pairs(source)))
    assert stats.chisquare(counts).pvalue > 0.001
    first = drawn.class_ids[:, 0] == 0
    for label in (0, 1):
        asked = drawn.query_ids[first][drawn.query_labels[first] == label]
        there = np.bincount(asked, minlength=len(source))
        side = (owns(source, task.pairs(source)[0][0]) & owns(source, task.pairs(source)[0][1])) == label
        assert there[~side].sum() == 0
        assert stats.chisquare(there[side]).pvalue > 0.001


def test_episodes_come_in_any_portions_and_more_shots_keep_the_queries() -> None:
    source, task = shoes(), AttributePair(shot=2, query=3)
    whole, part = (task.sample(source, episodes, 9) for episodes in (range(1000, 1060), range(1020, 1030)))
    for table, some in zip(whole.tables, part.tables, strict=True):
        np.testing.assert_array_equal(table[20:30], some)
    many = AttributePair(shot=7, query=3).sample(source, range(1000, 1060), 9)
    np.testing.assert_array_equal(many.query_ids, whole.query_ids)
    np.testing.assert_array_equal(many.support_ids.reshape(60, 2, 7)[:, :, :2], whole.support_ids.reshape(60, 2, 2))


def test_only_some_traits_make_disjoint_tasks() -> None:
    source = shoes()
    one, other = (
        AttributePair(shot=2, query=3, only=("material.suede", "heel")),
        AttributePair(only=("closure", "heel")),
    )
    assert {name for pair in one.pairs(source) for name in pair} == {"material.suede", *TRAITS[4:]}
    assert all("closure.lace" in pair for pair in other.pairs(source))
    assert one.label == "attribute-pair 2-shot 3-query of material.suede+heel"
    asked = find_task("attribute_pair:only=material.suede+heel/query=3", {"way": 5, "shot": 2, "query": 15})
    assert asked == one


def test_a_part_keeps_to_its_images() -> None:
    source = shoes()
    part = source.select(np.arange(len(source)) % 2 == 0)
    drawn = AttributePair(shot=2, query=3, least=10).sample(part, range(200), 0)
    assert (drawn.query_ids % 2 == 0).all()
    assert (drawn.support_ids % 2 == 0).all()


def test_glyphs_are_paired_by_what_their_characters_are() -> None:
    source = load(alphabets=3, characters=10, drawers=3)
    task = AttributePair(shot=2, query=4, only=("strokes", "loop", "curved"))
    drawn = task.sample(source, range(50), 0)
    pairs = task.pairs(source)
    assert ("loop", "curved") in pairs or ("curved", "loop") in pairs
    for images, labels, classes in zip(drawn.query_ids, drawn.query_labels, drawn.class_ids, strict=True):
        both = np.ones(len(images), dtype=bool)
        for name in pairs[classes[0] // 2]:
            attribute, _, value = name.partition(".")
            both &= source.class_attributes[attribute][source.class_ids[images]] == int(value or 1)
        np.testing.assert_array_equal(both, labels == 1)


@st.composite
def communities(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """A graph of two dense communities with a few edges between them, and which node is in which; nodes are mixed.

    Apart from each other, communities have Fiedler values in inverse proportion to their volumes. A node that is joined
    to the other one takes about the mean of its neighbours, so it stays on its side only where its edges inside,
    weighed like this, outdo those across: of 12,000 such graphs all were cut where they did, and 186 of 1,578 were not
    where they did not.
    """
    sizes = draw(st.tuples(st.integers(4, 15), st.integers(4, 15)))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    owner = rng.permutation(np.repeat([0, 1], sizes))
    inside = owner[:, None] == owner
    graph = np.triu(np.where(inside, rng.uniform(size=inside.shape) < 0.95, False), k=1)
    across = np.argwhere(~inside & np.triu(np.ones_like(inside), k=1))
    for first, second in across[rng.permutation(len(across))[: draw(st.integers(0, 2))]]:
        graph[first, second] = True
    ring = [np.flatnonzero(owner == side) for side in (0, 1)]
    for nodes in ring:  # no node alone, each community in one piece
        graph[nodes, np.roll(nodes, 1)] = True
    graph = (graph | graph.T) & ~np.eye(len(owner), dtype=bool)
    edges_inside, edges_across = (graph & inside).sum(axis=1), (graph & ~inside).sum(axis=1)
    volumes = np.bincount(owner, edges_inside)
    assume((edges_inside * volumes[1 - owner] >= edges_across * volumes[owner]).all())
    return graph, owner


@given(communities())
def test_planted_communities_are_the_two_sides(planted: tuple[np.ndarray, np.ndarray]) -> None:
    graph, owner = planted
    one, other = bisect_graph(graph)
    assert sorted([*one.tolist(), *other.tolist()]) == list(range(len(graph)))
    assert len(set(owner[one])) == len(set(owner[other])) == 1
    assert graph[np.ix_(one, one)].sum() >= graph[np.ix_(other, other)].sum()


def test_a_node_that_is_joined_to_all_of_the_smaller_community_is_on_its_side() -> None:
    graph = np.zeros((19, 19), dtype=bool)
    for nodes in (range(15), range(14, 19)):
        graph[np.ix_(nodes, nodes)] = True
    np.fill_diagonal(graph, False)
    one, other = bisect_graph(graph)
    assert one.tolist() == list(range(14))
    assert other.tolist() == list(range(14, 19))


@given(st.integers(2, 12), st.integers(0, 2**31))
def test_any_graph_is_cut_in_two_and_in_the_same_way_again(size: int, seed: int) -> None:
    upper = np.triu(np.random.default_rng(seed).uniform(size=(size, size)) < 0.5, k=1)
    upper[np.arange(size - 1), np.arange(1, size)] = True
    one, other = bisect_graph(upper | upper.T)
    assert sorted([*one.tolist(), *other.tolist()]) == list(range(size))
    assert len(one)
    assert len(other)
    for found, again in zip((one, other), bisect_graph(upper | upper.T), strict=True):
        np.testing.assert_array_equal(found, again)


def test_components_are_never_torn() -> None:
    graph = np.zeros((9, 9), dtype=bool)
    for nodes in ([0, 4, 8], [1, 2], [3, 5, 6, 7]):
        graph[np.ix_(nodes, nodes)] = True
    np.fill_diagonal(graph, False)
    one, other = bisect_graph(graph)
    assert not graph[np.ix_(one, other)].any()
    assert len(one) + len(other) == 9


def wardrobe() -> Source:
    """Six traits that are worn in summer and five in winter, of a category each; 30 times one of each is worn together."""
    rng = np.random.default_rng(0)
    summer = np.arange(600) % 2 == 0
    worn = {f"s{n}": summer & (rng.uniform(size=600) < 0.7) for n in range(6)}
    worn |= {f"w{n}": ~summer & (rng.uniform(size=600) < 0.7) for n in range(5)}
    odd = np.flatnonzero(~summer)[:30]
    for name, values in worn.items():
        values[odd] = name in ("s5", "w0")
    return from_arrays(np.stack([*worn.values()], axis=1), np.zeros(600, dtype=int), name="wardrobe", attributes=worn)


def test_sides_are_found_kept_apart_and_told() -> None:
    source = wardrobe()
    sides = {side: AttributePair(shot=2, query=3, side=side) for side in ("in", "out")}
    named = {side: {name for pair in task.pairs(source) for name in pair} for side, task in sides.items()}
    assert named == {"in": {f"s{n}" for n in range(6)}, "out": {f"w{n}" for n in range(5)}}
    assert sides["in"].label == "attribute-pair 2-shot 3-query, side in"
    assert find_task("attribute-pair:side=out", {"shot": 2, "query": 3}) == sides["out"]
    everything = set(AttributePair(shot=2, query=3).pairs(source))
    for task in sides.values():
        assert set(task.pairs(source)) <= everything
        drawn = task.sample(source, range(200), 0)
        assert set((drawn.class_ids[:, 0] // 2).tolist()) == set(range(len(task.pairs(source))))
    assert sides["in"].key(source, 0) != sides["out"].key(source, 0)


def test_sides_do_not_depend_on_how_many_images_are_asked_for() -> None:
    source = wardrobe()
    few, many = (AttributePair(shot=shot, query=60, side="out").pairs(source) for shot in (2, 50))
    assert set(many) <= set(few)


@pytest.mark.parametrize("world", [{}, {"seed": 1, "alphabets": 10}, {"alphabets": 10}])
def test_both_sides_of_glyphs_have_pairs(world: dict[str, int]) -> None:
    source = load(**world)
    found = [AttributePair(shot=1, query=1, least=20, side=side).pairs(source) for side in ("in", "out")]
    names = [{name for pair in pairs for name in pair} for pairs in found]
    assert len(found[0]) >= len(found[1]) >= 3
    assert not names[0] & names[1]


def test_results_speak_about_the_sampler_only_and_say_why(tmp_path: Path) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "neighbours")}
    result = evaluate(shoes(), learners, [AttributePair(shot=2, query=3)], episodes=300, out=tmp_path)
    for row in result.rows:
        assert row.value > 0.6
        assert row.notes == [f"{what}: pairs share attributes and images" for what in ("images", "classes")]
        assert [name for name, interval in row.intervals.items() if interval] == ["episodes"]
    (comparison,) = compare([tmp_path])
    reasons = {name: found.estimate.reason for name, found in comparison.differences.items()}
    refused = "pairs share attributes and images"
    assert reasons == {"episodes": "", "images": refused, "classes": refused}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AttributePair(shot=0), "shot is 0: it must be at least 1"),
        (lambda: AttributePair(least=0), "least is 0: it must be at least 1"),
        (
            lambda: AttributePair(only=("heal", "closure")).sample(shoes(), range(1), 0),
            "unknown attribute of shoes 'heal': did you mean 'heel'?",
        ),
        (
            lambda: AttributePair(only=("heel",)).sample(shoes(), range(1), 0),
            "attribute-pair 5-shot 10-query of heel pairs attributes of different categories, and shoes offers heel: at "
            "least two categories are needed",
        ),
        (
            lambda: AttributePair().sample(from_arrays(np.zeros((4, 1)), np.arange(4)), range(1), 0),
            "attribute-pair 5-shot 10-query pairs attributes of different categories, and array offers none: at least two "
            "categories are needed",
        ),
        (
            lambda: AttributePair(only=("material", "closure.lace"), side="in").sample(shoes(), range(1), 0),
            "attribute-pair 5-shot 10-query of material+closure.lace, side in: the 3 attributes of shoes fall into 2 and 1 "
            "with 1 and 0 pairs inside: name two lists of your own with only=",
        ),
        (
            lambda: AttributePair(least=190, side="out").sample(shoes(), range(1), 0),
            "attribute-pair 5-shot 10-query, pairs of at least 190, side out needs pairs with 190 images that have both "
            "attributes and as many others, and shoes has none: lower least",
        ),
        (
            lambda: find_task("attribute_pair:side=left", {}),
            "unknown side of attribute_pair 'left': there are: all, in, out",
        ),
        (
            lambda: AttributePair(only=("closure.zip", "material")).sample(shoes(), range(1), 0),
            "attribute-pair 5-shot 10-query of closure.zip+material needs pairs with 20 images that have both attributes "
            "and 20 others, and none of the 2 pairs of shoes is such (at best 8 of 400 images have both): lower shot, "
            "query or least",
        ),
    ],
)
def test_what_cannot_be_served_is_refused(make, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        make()
    assert str(caught.value) == message
