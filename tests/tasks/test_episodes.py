"""Episodes: repeatable in any portion, disjoint where they must be, and never out of their part."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.evaluation.evaluate import evaluate
from fairshot.runtime.backends.backend import ordered_map
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.splits.any_source import split_at_random
from fairshot.tasks.attribute_pair import AttributePair
from fairshot.tasks.closed import Closed
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.per_attribute import PerAttribute
from fairshot.tasks.task import ClassTask, TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.whole_parent import WholeParent
from fairshot.tasks.within_parent import WithinParent
from tests.conftest import make_vectors

KINDS = (Uniform, WithinParent, WholeParent)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """Unbalanced classes, several parents, images of a few drawers each."""
    counts = draw(st.lists(st.integers(6, 12), min_size=9, max_size=20))
    parents = draw(st.integers(2, 3))
    labels = np.repeat(np.arange(len(counts)), counts)
    return from_arrays(
        np.arange(len(labels), dtype=np.float32)[:, None],
        labels,
        parents=np.array([f"p{c % parents}" for c in range(len(counts))]),
        groups=np.concatenate([np.arange(count) // 2 for count in counts]),
    )


@st.composite
def tasks(draw: st.DrawFn) -> ClassTask:
    kind = draw(st.sampled_from(KINDS))
    settings = {"shot": draw(st.integers(1, 2)), "query": draw(st.integers(1, 2))}
    if kind is not WholeParent:
        settings["way"] = draw(st.integers(2, 3))
    return kind(**settings, disjoint=draw(st.sampled_from([None, "group"])))


@given(source=sources(), task=tasks(), seed=st.integers(0, 2**31), cut=st.integers(1, 59))
def test_the_same_episodes_come_in_any_portions(source: Source, task: ClassTask, seed: int, cut: int) -> None:
    whole = task.sample(source, range(1000, 1060), seed)
    parts = [task.sample(source, portion, seed) for portion in (range(1000, 1000 + cut), range(1000 + cut, 1060))]
    for table, first, second in zip(whole.tables, parts[0].tables, parts[1].tables, strict=True):
        np.testing.assert_array_equal(table[:cut, : first.shape[1]], first)
        np.testing.assert_array_equal(table[cut:, : second.shape[1]], second)
        assert (table[:cut, first.shape[1] :] == PAD).all()


@given(source=sources(), task=tasks(), seed=st.integers(0, 2**31))
def test_an_episode_is_well_formed(source: Source, task: ClassTask, seed: int) -> None:
    for episode in _unpadded(task.sample(source, range(20), seed)):
        support, support_labels, query, query_labels, classes = episode
        assert len(set(classes)) == len(classes) >= 2
        assert len(set(support)) == len(support) == task.shot * len(classes)
        assert len(set(query)) == len(query) == task.query * len(classes)
        assert not set(support) & set(query)
        np.testing.assert_array_equal(classes[support_labels], source.class_ids[support])
        np.testing.assert_array_equal(classes[query_labels], source.class_ids[query])
        assert (np.bincount(support_labels) == task.shot).all()
        assert (np.bincount(query_labels) == task.query).all()
        if not isinstance(task, Uniform):
            assert len({source.parents[c] for c in classes}) == 1
        if task.disjoint:
            groups = source.attributes["group"]
            assert not set(groups[support]) & set(groups[query])


@given(source=sources(), task=tasks(), seed=st.integers(0, 2**31))
def test_a_task_never_leaves_its_part(source: Source, task: ClassTask, seed: int) -> None:
    split = split_at_random(source, seed=seed, shares=(0.25, 0.15))
    try:
        episodes = task.sample(split.novel, range(20), seed)
    except FairshotError as error:
        assert "lower way" in str(error) or "single parent" in str(error)  # noqa: PT017 too few novel classes of one parent: refused, not widened
        return
    seen = episodes.class_ids[episodes.class_ids != PAD]
    assert not np.isin(seen, split.base.classes).any()
    assert np.isin(seen, split.novel.classes).all()
    with pytest.raises(FairshotError, match=r"is not in .*: it belongs to another part"):
        split.base.rows(episodes.query_ids)


def _sample_portion(portion: tuple[TaskDistribution, Source, range]) -> Episodes:
    task, source, episodes = portion
    return task.sample(source, episodes, 7)


def test_any_number_of_processes_draws_the_same(vectors: Source) -> None:
    task = Uniform(way=5, shot=1, query=5)
    portions = [(task, vectors, range(start, start + 300)) for start in range(0, 1200, 300)]
    serial, local = (
        list(ordered_map(_sample_portion, portions, count=4, backend=backend)) for backend in ("serial", "local")
    )
    for a, b in zip(serial, local, strict=True):
        np.testing.assert_array_equal(a.query_ids, b.query_ids)


@pytest.mark.parametrize("kind", KINDS)
def test_every_class_is_drawn_equally_often_within_what_the_task_says(kind: type[ClassTask]) -> None:
    source = make_vectors(classes=12, parents=3)
    task = kind(shot=1, query=2) if kind is WholeParent else kind(way=3, shot=1, query=2)
    counts = np.bincount(task.sample(source, range(6000), 3).class_ids.ravel(), minlength=12)
    expected = counts.sum() / 12
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_within_parents_each_parent_counts_the_same_whatever_its_size() -> None:
    labels = np.repeat(np.arange(20), 8)
    parents = np.array(["small"] * 4 + ["large"] * 16)
    source = from_arrays(np.zeros((160, 2), dtype=np.float32), labels, parents=parents)
    episodes = WithinParent(way=3, shot=1, query=2).sample(source, range(4000), 0)
    share = (episodes.class_ids[:, 0] < 4).mean()
    assert abs(share - 0.5) < 5 * 0.5 / np.sqrt(4000)


def test_whole_parents_take_turns() -> None:
    source = make_vectors(classes=12, parents=3)
    episodes = WholeParent(shot=1, query=2).sample(source, range(1020, 1030), 5)
    np.testing.assert_array_equal(episodes.class_ids[:, 0] % 3, np.arange(1020, 1030) % 3)


def test_the_order_of_queries_tells_nothing() -> None:
    episodes = Uniform(way=5, shot=1, query=3).sample(make_vectors(), range(4000), 0)
    shares = np.stack([(episodes.query_labels == label).mean(axis=0) for label in range(5)])
    assert (np.abs(shares - 0.2) < 5 * np.sqrt(0.16 / 4000)).all()


def test_drawers_apart_turn_to_the_same_drawers_in_every_class() -> None:
    labels = np.repeat(np.arange(10), 12)
    drawers = np.tile(np.repeat(np.arange(6), 2), 10)
    source = from_arrays(np.zeros((120, 2), dtype=np.float32), labels, groups=drawers)
    episodes = Uniform(way=4, shot=2, query=5, disjoint="group").sample(source, range(500), 0)
    support = source.attributes["group"][episodes.support_ids]
    assert all(len(set(row)) == 2 for row in support.tolist())
    usage = np.bincount(support.ravel(), minlength=6) / support.size
    assert (np.abs(usage - 1 / 6) < 0.03).all()


@pytest.fixture(scope="module")
def films() -> Source:
    """Ten classes of six films with four frames each; a frame is nearer to its own film than to its class."""
    rng = np.random.default_rng(0)
    films = rng.normal(size=(10, 1, 1, 8)) + 2 * rng.normal(size=(10, 6, 1, 8))
    frames = films + 0.1 * rng.normal(size=(10, 6, 4, 8))
    labels = np.repeat(np.arange(10), 24)
    return from_arrays(frames.reshape(240, 8).astype(np.float32), labels, groups=np.arange(240) // 4)


@pytest.mark.parametrize("kind", KINDS)
def test_groups_are_kept_apart_from_python_too_unless_none_is_asked_for(films: Source, kind: type[ClassTask]) -> None:
    films = replace(films, parents=("a", "b") * 5)
    task, groups = kind(shot=2, query=5), films.attributes["group"]

    def shared(task: ClassTask) -> int:
        drawn = task.sample(films, range(50), 0)
        rows = zip(groups[drawn.support_ids].tolist(), groups[drawn.query_ids].tolist(), strict=True)
        return sum(len(set(support) & set(query)) for support, query in rows)

    asked = replace(task, disjoint="group")
    assert shared(task) == 0
    assert task.resolve(films) == asked
    assert task.resolve(films).label == asked.label == task.label + ", groups apart"
    assert task.key(films, 0) == asked.key(films, 0)
    np.testing.assert_array_equal(task.population(films), asked.population(films))
    for off in (None, "none"):
        assert shared(replace(task, disjoint=off)) > 0
        assert replace(task, disjoint=off).label == task.label


def test_an_evaluation_keeps_groups_apart_and_says_so(films: Source) -> None:
    learners = {"neighbours": find_learner("neighbours")}
    apart, mixed = (
        evaluate(films, learners, [task], episodes=200).rows[0]
        for task in (Uniform(shot=2, query=5), Uniform(shot=2, query=5, disjoint=None))
    )
    assert (apart.task, mixed.task) == ("5-way 2-shot 5-query, groups apart", "5-way 2-shot 5-query")
    assert apart.value < mixed.value - 0.1


def test_nothing_changes_where_no_groups_are_named(vectors: Source) -> None:
    usual, without = Uniform(way=5), Uniform(way=5, disjoint=None)
    ungrouped = replace(vectors, attributes={})
    assert usual.key(ungrouped, 3) == without.key(ungrouped, 3)
    assert usual.resolve(ungrouped).label == "5-way 1-shot 15-query"
    with pytest.raises(FairshotError) as caught:
        Uniform(dirichlet=2.0).sample(replace(vectors, attributes={"group": vectors.class_ids}), range(1), 0)
    assert str(caught.value) == (
        "queries cannot be unbalanced and share no group with the support at once: leave out dirichlet, or let "
        "disjoint be none"
    )


def _unpadded(episodes: Episodes) -> list[list[np.ndarray]]:
    return [[row[row != PAD] for row in tables] for tables in zip(*episodes.tables, strict=True)]


GOLDEN = {
    Uniform(way=5, shot=1, query=15, disjoint=None): "304c65f64ad872da",
    Uniform(way=20, shot=5, query=15, disjoint=None): "7068c3e76bd8afb3",
    WithinParent(way=5, shot=1, query=15, disjoint=None): "ab05206a27ee6dd0",
    WholeParent(shot=2, query=3, disjoint=None): "012322ff3e4bd399",
    Uniform(way=5, shot=2, query=4, disjoint="group"): "b69ceca63df315de",
    MetaDataset(): "cf084667ba1479a5",
    MetaDataset(bilevel=True): "fe3e6fa04fd02951",
    MetaDataset(variant="appendix"): "e3ccdf35998b0438",
    PerAttribute("group", way=5, shot=1, query=1): "57b754a861936483",
    PerAttribute("group", way=0, shot=1, query=0): "2c2634b67ae91bc0",
    AttributePair(shot=2, query=3): "be25d0a0c8010356",
    Closed(way=2, shot=1, query=1): "6275a2bff504a377",
}


@pytest.mark.parametrize("task", GOLDEN, ids=lambda task: task.label)
def test_episodes_are_the_same_on_every_machine_and_for_ever(task: TaskDistribution) -> None:
    labels = np.repeat(np.arange(30), 20)
    source = from_arrays(
        np.zeros((600, 1), dtype=np.float32),
        labels,
        parents=np.array([f"p{c % 3}" for c in range(30)]),
        groups=np.tile(np.arange(20) // 2, 30),
    )
    source = replace(source, attributes=source.attributes | {"half": labels % 2, "third": labels % 3})
    first = 1000 if task.length(source) is None else 50
    episodes = task.sample(source, range(first, first + 100), 42)
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(table, dtype="<i8").tobytes() for table in episodes.tables))
    assert digest.hexdigest()[:16] == GOLDEN[task]


def test_the_key_names_task_source_and_seed_but_not_the_recipe(vectors: Source) -> None:
    task = Uniform(way=5)
    assert task.key(vectors, 0) == task.key(replace(vectors, content="prepared differently"), 0)
    others = [task.key(vectors, 1), Uniform(way=6).key(vectors, 0), WithinParent(way=5).key(vectors, 0)]
    assert len({task.key(vectors, 0), *others}) == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Uniform(way=1), "way is 1: it must be at least 2"),
        (lambda: Uniform(shot=0), "shot is 0: it must be at least 1"),
        (lambda: WithinParent(query=-1), "query is -1: it must be at least 0"),
        (
            lambda: Uniform(way=31).sample(make_vectors(), range(1), 0),
            "way is 31, and vectors has 30 classes: lower way",
        ),
        (
            lambda: WithinParent(way=11).sample(make_vectors(), range(1), 0),
            "way is 11, and no parent in vectors has that many classes (the largest has 10): lower way",
        ),
        (
            lambda: Uniform(shot=6, query=15).sample(make_vectors(), range(1), 0),
            "6-shot 15-query needs 21 images per class, and all 30 classes of vectors have fewer ('0' has 20): lower "
            "shot or query",
        ),
        (
            lambda: Uniform(disjoint="drawr").sample(make_vectors(), range(1), 0),
            "unknown attribute 'drawr': there are: none",
        ),
        (
            lambda: Uniform(way=2, shot=1, query=3, disjoint="group").sample(
                from_arrays(np.zeros((8, 1)), np.repeat([0, 1], 4), groups=np.tile([0, 0, 1, 1], 2)), range(1), 0
            ),
            "1-shot 3-query with groups apart needs 4 images per class, and both classes of array have too few "
            "outside the largest groups ('0' has 4): lower shot or query",
        ),
    ],
)
def test_an_impossible_task_is_refused_in_one_line(make, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        make()
    assert str(caught.value).replace("class '1'", "class '0'") == message


def test_small_classes_can_be_left_out() -> None:
    source = from_arrays(np.zeros((22, 1)), np.repeat([0, 1, 2], [1, 10, 11]))
    episodes = Uniform(way=2, shot=1, query=5, skip_small=True).sample(source, range(50), 0)
    assert set(episodes.class_ids.ravel()) == {1, 2}


@given(st.integers(0, 2**32), st.sampled_from([Uniform, WithinParent]))
def test_more_shots_keep_classes_and_queries_and_add_support(seed: int, kind: type) -> None:
    source = make_vectors(images=30)
    few, many = (kind(way=4, shot=shot, query=6).sample(source, range(5, 9), seed) for shot in (2, 11))
    np.testing.assert_array_equal(few.class_ids, many.class_ids)
    np.testing.assert_array_equal(few.query_ids, many.query_ids)
    np.testing.assert_array_equal(few.query_labels, many.query_labels)
    shown = many.support_ids.reshape(4, 4, 11)[:, :, :2]
    np.testing.assert_array_equal(few.support_ids.reshape(4, 4, 2), shown)


@given(st.integers(0, 2**32), st.sampled_from([0.1, 0.5, 2.0, 1e6, float("inf")]))
def test_unbalanced_queries_are_as_many_in_all_and_never_in_the_support(seed: int, concentration: float) -> None:
    labels = np.repeat(np.arange(8), [9, 30, 12, 20, 25, 40, 11, 9])
    source = from_arrays(np.zeros((len(labels), 1)), labels)
    drawn = Uniform(way=5, shot=2, query=6, dirichlet=concentration).sample(source, range(20), seed)
    assert drawn.query_ids.shape == (20, 30)
    assert (drawn.query_ids != PAD).all()
    for support, query, asked, classes in zip(
        drawn.support_ids, drawn.query_ids, drawn.query_labels, drawn.class_ids, strict=True
    ):
        assert len(set(support) | set(query)) == 40
        np.testing.assert_array_equal(labels[query], classes[asked])
    if concentration == float("inf"):
        assert all((np.bincount(asked, minlength=5) == 6).all() for asked in drawn.query_labels)


def test_the_shares_of_unbalanced_queries_have_the_moments_of_their_dirichlet_distribution() -> None:
    source = from_arrays(np.zeros((4000, 1)), np.repeat(np.arange(8), 500))
    drawn = Uniform(way=5, shot=1, query=15, dirichlet=2.0).sample(source, range(8000), 0)
    shares = np.stack([(drawn.query_labels == label).mean(1) for label in range(5)], 1)
    np.testing.assert_allclose(shares.mean(0), 0.2, atol=0.005)
    # Variance of one share of a symmetric Dirichlet distribution: (1/5)(4/5) / (5 a + 1), rounding aside.
    np.testing.assert_allclose(shares.var(0), 0.16 / 11, rtol=0.05)


def test_unknown_classes_are_asked_but_not_shown(vectors: Source) -> None:
    for kind in (Uniform, WithinParent):
        drawn = kind(way=5, shot=2, query=3, unknown=4).sample(vectors, range(40), 1)
        assert (drawn.ways == 5).all()
        assert drawn.class_ids.shape == (40, 9)
        assert drawn.support_ids.shape == (40, 10)
        assert all((np.bincount(labels, minlength=9) == 3).all() for labels in drawn.query_labels)
        shown = vectors.class_ids[vectors.rows(drawn.support_ids)]
        assert not (shown[:, :, None] == drawn.class_ids[:, None, 5:]).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Uniform(dirichlet=0.0), "dirichlet is 0.0: it must be above 0; 2 is usual, inf means equal"),
        (
            lambda: Uniform(dirichlet=2.0, disjoint="group"),
            "queries cannot be unbalanced and share no group with the support at once: leave out dirichlet, or let disjoint be none",
        ),
        (lambda: WholeParent(unknown=1), "whole_parent shows all classes of a parent: none are left to be unknown"),
        (lambda: Uniform(unknown=-1), "unknown is -1: it must be at least 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: object, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        make()
    assert str(caught.value) == message
