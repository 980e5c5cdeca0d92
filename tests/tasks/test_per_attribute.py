"""One value, one task: the right owner, classes with enough images, every value as often."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairshot.evaluation.evaluate import evaluate
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.glyphs.glyphs import load
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.specs.tasks import find_task
from fairshot.tasks.episodes import PAD
from fairshot.tasks.per_attribute import PerAttribute


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """Every writer has some images, perhaps none, of each class; images come in any order; the first two can serve."""
    writers, classes = draw(st.integers(2, 6)), draw(st.integers(3, 6))
    sizes = np.array(draw(st.lists(st.integers(0, 6), min_size=writers * classes, max_size=writers * classes)))
    sizes = sizes.reshape(writers, classes)
    sizes[:2, :3] += 4
    writer, label = (np.repeat(numbers.ravel(), sizes.ravel()) for numbers in np.indices(sizes.shape))
    order = np.random.default_rng(draw(st.integers(0, 99))).permutation(len(label))
    vectors = np.arange(len(label), dtype=np.float32)[:, None]
    return from_arrays(vectors, label[order], attributes={"writer": writer[order]})


@given(sources(), st.sampled_from([0, 2, 3]), st.integers(1, 2), st.integers(0, 2), st.integers(0, 2**31))
def test_all_images_of_an_episode_are_of_one_value(source: Source, way: int, shot: int, query: int, seed: int) -> None:
    task = PerAttribute(attribute="writer", way=way, shot=shot, query=query)
    writer = source.attributes["writer"]
    for tables in zip(*task.sample(source, range(20), seed).tables, strict=True):
        support, support_labels, asked, query_labels, classes = (row[row != PAD] for row in tables)
        (owner,) = set(writer[np.concatenate([support, asked])])
        assert len(set(support) | set(asked)) == len(support) + len(asked)
        np.testing.assert_array_equal(source.class_ids[support], classes[support_labels])
        np.testing.assert_array_equal(source.class_ids[asked], classes[query_labels])
        assert (np.bincount(support_labels) == shot).all()
        sizes = np.bincount(source.class_ids[writer == owner], minlength=len(source.classes))
        offered = np.flatnonzero(sizes >= shot + max(query, 1))
        assert set(classes) <= set(offered)
        assert len(set(classes)) == len(classes) == (way or len(offered)) >= 2
        np.testing.assert_array_equal(
            np.bincount(query_labels), [query] * len(classes) if query else sizes[classes] - shot
        )


@given(sources(), st.sampled_from([0, 2]), st.integers(1, 59), st.integers(0, 2**31))
def test_the_same_episodes_come_in_any_portions(source: Source, way: int, cut: int, seed: int) -> None:
    task = PerAttribute(attribute="writer", way=way, query=0)
    whole = task.sample(source, range(1000, 1060), seed)
    for start, stop in ((0, cut), (cut, 60)):
        part = task.sample(source, range(1000 + start, 1000 + stop), seed)
        for table, some in zip(whole.tables, part.tables, strict=True):
            np.testing.assert_array_equal(table[start:stop, : some.shape[1]], some)
            assert (table[start:stop, some.shape[1] :] == PAD).all()


def _uneven() -> Source:
    """Writer w of 8 has 3 images of each of w + 1 classes, so that the last six have three classes or more."""
    writer = np.concatenate([np.full(3 * (w + 1), w) for w in range(8)])
    label = np.concatenate([np.repeat(np.arange(w + 1), 3) for w in range(8)])
    return from_arrays(np.zeros((len(label), 1)), label, attributes={"writer": writer})


def test_values_are_drawn_uniformly_whatever_they_own() -> None:
    source = _uneven()
    drawn = PerAttribute(attribute="writer", way=3, shot=1, query=1).sample(source, range(6000), 0)
    counts = np.bincount(source.attributes["writer"][drawn.support_ids[:, 0]], minlength=8)
    assert counts[:2].tolist() == [0, 0]
    assert stats.chisquare(counts[2:]).pvalue > 0.001


def test_classes_and_images_of_a_value_are_drawn_uniformly() -> None:
    source = _uneven()
    drawn = PerAttribute(attribute="writer", way=3, shot=1, query=1).sample(source, range(6000), 1)
    last = source.attributes["writer"][drawn.support_ids[:, 0]] == 7
    for images in (drawn.support_ids[last], drawn.query_ids[last]):
        counts = np.bincount(images.ravel(), minlength=len(source))[-24:]
        assert stats.chisquare(counts).pvalue > 0.001


def test_more_shots_keep_classes_and_queries() -> None:
    label, writer = np.repeat(np.arange(6), 40), np.tile(np.repeat(np.arange(4), 10), 6)
    source = from_arrays(np.zeros((240, 1)), label, attributes={"writer": writer})
    few, many = (PerAttribute("writer", way=4, shot=shot, query=3).sample(source, range(50), 5) for shot in (1, 6))
    np.testing.assert_array_equal(few.class_ids, many.class_ids)
    np.testing.assert_array_equal(few.query_ids, many.query_ids)
    np.testing.assert_array_equal(few.support_ids, many.support_ids[:, ::6])


def test_the_command_line_reaches_it() -> None:
    settings = {"way": 5, "shot": 1, "query": 15, "disjoint": None}
    task = find_task("per_attribute:attribute=writer/way=0/query=0", settings)
    assert task == PerAttribute("writer", way=0, shot=1, query=0)
    assert task.label == "per-writer all-way 1-shot all-query"


def test_glyphs_serve_one_shot_and_one_query() -> None:
    source = load(alphabets=2, characters=8, drawers=3)
    drawn = PerAttribute(query=1).sample(source, range(200), 0)
    drawer = source.attributes["drawer"]
    np.testing.assert_array_equal(drawer[drawn.support_ids], drawer[drawn.query_ids[:, :1]].repeat(5, axis=1))
    assert set(drawer[drawn.query_ids[:, 0]]) == set(range(6))


def test_intervals_speak_about_values_and_refuse_images_and_classes() -> None:
    rng = np.random.default_rng(0)
    label, writer = np.repeat(np.arange(6), 120), np.tile(np.repeat(np.arange(30), 4), 6)
    centres, hands = rng.normal(size=(6, 8)), rng.uniform(0.3, 3, size=30)
    vectors = centres[label] + hands[writer][:, None] * rng.normal(size=(720, 8))
    source = from_arrays(vectors, label, attributes={"writer": writer})
    result = evaluate(source, {"p": find_learner("prototypes")}, [PerAttribute("writer", query=3)], episodes=3000)
    (row,) = result.rows
    assert row.notes == [f"{what}: the same classes recur with every value" for what in ("images", "classes")]
    assert row.intervals["images"] is row.intervals["classes"] is None
    drawn = PerAttribute("writer", query=3).sample(source, range(3000), 0)
    scores = _scores(source, drawn)
    owner = writer[drawn.support_ids[:, 0]]
    means = np.array([scores[owner == w].mean() for w in range(30)])
    low, high = row.intervals["values"]
    # Writers differ so much that episodes add little: nearly the plain interval of 30 writers' means.
    assert (high - low) == pytest.approx(2 * stats.t.ppf(0.975, 29) * means.std(ddof=1) / np.sqrt(30), rel=0.1)
    assert high - low > 3 * (row.intervals["episodes"][1] - row.intervals["episodes"][0])


def _scores(source: Source, drawn) -> np.ndarray:
    support, query = source.store[drawn.support_ids], source.store[drawn.query_ids]
    nearest = ((query[:, :, None] - support[:, None]) ** 2).sum(-1).argmin(-1)
    return (nearest == drawn.query_labels).mean(1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PerAttribute(way=1), "way is 1: it must be at least 2, or 0 for all classes of a drawer"),
        (lambda: PerAttribute(shot=0), "shot is 0: it must be at least 1"),
        (lambda: PerAttribute(query=-1), "query is -1: it must be at least 0"),
        (
            lambda: PerAttribute("writr").sample(_uneven(), range(1), 0),
            "unknown attribute 'writr': did you mean 'writer'?",
        ),
        (
            lambda: PerAttribute("writer", way=9, query=2).sample(_uneven(), range(1), 0),
            "per-writer 9-way 1-shot 2-query needs 9 classes with 3 images each of one writer, and no writer of array has "
            "more than 8 such classes: lower way, shot or query",
        ),
        (
            lambda: PerAttribute("writer", way=0, shot=3, query=0).sample(_uneven(), range(1), 0),
            "per-writer all-way 3-shot all-query needs 2 classes with 4 images each of one writer, and no writer of array "
            "has more than 3 images of a class: lower way, shot or query",
        ),
    ],
)
def test_what_cannot_be_served_is_refused(make, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        make()
    assert str(caught.value) == message


def test_omniglot_has_one_drawing_of_a_drawer_and_cannot_serve(omniglot: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        PerAttribute(query=1).sample(omniglot, range(1), 0)
    assert str(caught.value) == (
        "per-drawer 5-way 1-shot 1-query needs 5 classes with 2 images each of one drawer, and no drawer of omniglot has "
        "more than 1 image of a class: another attribute or source is needed"
    )
