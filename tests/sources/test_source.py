import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import RAW
from fairshot.sources.source import Source

LABELS = st.lists(st.integers(0, 6), min_size=1, max_size=60).map(np.array)


def make(labels: np.ndarray, *, name: str = "toy", parents: tuple[str, ...] | None = None, seed: int = 0) -> Source:
    store = np.random.default_rng(seed).integers(0, 256, (len(labels), 1, 2, 3), dtype=np.uint8)
    return Source.create(
        name,
        store,
        labels,
        class_names=tuple("abcdefg"),
        parents=parents or ("p", "q", "p", "q", "r", "r", "r"),
        attributes={"drawer": np.arange(len(labels)) % 3},
        class_attributes={"old": np.arange(7) % 2},
    )


@given(LABELS)
def test_members_cover_each_image_exactly_once(labels: np.ndarray) -> None:
    source = make(labels)
    members = source.members
    assert sorted(members.image_ids.tolist()) == list(range(len(labels)))
    assert members.classes.tolist() == sorted(set(labels.tolist()))
    assert members.counts.sum() == len(labels)
    for number, class_id in enumerate(members.classes):
        start = members.starts[number]
        own = members.image_ids[start : start + members.counts[number]]
        assert own.tolist() == np.flatnonzero(labels == class_id).tolist()


@given(LABELS, st.data())
def test_members_of_a_part_are_named_by_the_originals_rows(labels: np.ndarray, data: st.DataObject) -> None:
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(labels), max_size=len(labels))))
    part = make(labels).select(keep)
    assert sorted(part.members.image_ids.tolist()) == np.flatnonzero(keep).tolist()
    for number, class_id in enumerate(part.members.classes):
        start = part.members.starts[number]
        own = part.members.image_ids[start : start + part.members.counts[number]]
        assert (labels[own] == class_id).all()


def test_a_whole_source_names_every_row() -> None:
    source = make(np.array([2, 0, 2, 1]))
    assert len(source) == 4
    assert source.image_ids.tolist() == [0, 1, 2, 3]
    assert source.classes.tolist() == [0, 1, 2]
    assert source.has_images
    assert source.recipe == RAW
    assert source.fingerprint == source.origin == source.content == source.before_recipe


def test_feature_vectors_are_no_images() -> None:
    vectors = Source.create("v", np.zeros((2, 5), np.float32), np.array([0, 1]), class_names=("a", "b"))
    assert not vectors.has_images


def test_select_keeps_names_attributes_and_pixels_together() -> None:
    source = make(np.array([2, 0, 2, 1]))
    part = source.select(np.array([False, True, True, False]), name="some")
    assert part.name == "some"
    assert part.image_ids.tolist() == [1, 2]
    assert part.class_ids.tolist() == [0, 2]
    assert part.class_names == source.class_names
    assert part.attributes["drawer"].tolist() == [1, 2]
    assert part.class_attributes["old"].tolist() == source.class_attributes["old"].tolist()
    assert (part.read(slice(None)) == source.store[[1, 2]]).all()
    assert (part.read(np.array([1])) == source.store[[2]]).all()


def test_select_keeps_the_name_unless_given_another() -> None:
    source = make(np.array([0, 1]))
    assert source.select(np.array([True, False])).name == "toy"


def test_a_part_of_a_part_still_names_images_of_the_original() -> None:
    part = make(np.array([0, 1, 2, 0, 1, 2])).select_classes(np.array([1, 2])).select_classes(np.array([2]))
    assert part.image_ids.tolist() == [2, 5]
    assert part.class_ids.tolist() == [2, 2]


def test_select_classes_takes_all_images_of_these_classes_and_no_others() -> None:
    labels = np.array([3, 1, 3, 0, 1])
    part = make(labels).select_classes(np.array([3, 0, 6]))
    assert part.image_ids.tolist() == [0, 2, 3]
    assert part.classes.tolist() == [0, 3]


def test_parents_are_numbered_in_the_order_of_their_first_class() -> None:
    source = make(np.arange(7))
    assert source.parent_names == ("p", "q", "r")
    assert source.parent_ids.tolist() == [0, 1, 0, 1, 2, 2, 2]
    part = source.select_classes(np.array([1, 4, 2]))
    assert part.parent_names == ("q", "p", "r")
    assert part.parent_ids.tolist() == [0, 1, 2]


def test_without_parents_every_class_hangs_below_the_sources_name() -> None:
    source = Source.create("v", np.zeros((2, 5), np.float32), np.array([0, 1]), class_names=("a", "b"))
    assert source.parents == ("v", "v")


def test_a_fingerprint_does_not_depend_on_the_name() -> None:
    labels = np.array([0, 1, 1])
    one, other = make(labels), make(labels, name="another")
    assert one.fingerprint == other.fingerprint
    keep = np.array([True, False, True])
    assert one.select(keep, name="x").fingerprint == other.select(keep, name="y").fingerprint


def test_a_fingerprint_does_not_depend_on_the_name_without_parents_either() -> None:
    """Else renaming a file or folder would change its episodes."""
    one, other = (
        Source.create(name, np.zeros((2, 5), np.float32), np.array([0, 1]), class_names=("a", "b"))
        for name in ("one", "other")
    )
    assert one.fingerprint == other.fingerprint


def test_a_fingerprint_depends_on_every_kind_of_content() -> None:
    def create(store=1, labels=(0, 1), names=("a", "b"), parents=("p", "q"), drawer=(1, 2), old=(0, 1)) -> str:
        return Source.create(
            "toy",
            np.full((2, 3), store, np.float32),
            np.array(labels),
            class_names=names,
            parents=parents,
            attributes={"drawer": np.array(drawer)},
            class_attributes={"old": np.array(old)},
        ).fingerprint

    prints = [
        create(),
        create(store=2),
        create(labels=(1, 0)),
        create(names=("a", "c")),
        create(parents=("p", "p")),
        create(drawer=(2, 1)),
        create(old=(1, 1)),
    ]
    assert len(set(prints)) == len(prints)


def test_the_same_part_by_two_routes_has_one_fingerprint() -> None:
    source = make(np.array([0, 1, 2, 0, 1, 2]))
    direct = source.select(np.array([False, False, True, False, False, True]), name="direct")
    stepwise = source.select_classes(np.array([1, 2])).select_classes(np.array([2]), name="stepwise")
    assert direct.fingerprint == stepwise.fingerprint
    assert direct.origin == stepwise.origin


def test_different_parts_have_different_fingerprints() -> None:
    source = make(np.array([0, 1, 2, 0, 1, 2]))
    parts = [source, *(source.select_classes(np.array([c])) for c in range(3)), source.select(np.zeros(6, dtype=bool))]
    assert len({part.fingerprint for part in parts}) == 5


def test_a_part_that_holds_everything_is_the_whole() -> None:
    source = make(np.array([0, 1, 2]))
    assert source.select(np.ones(3, dtype=bool), name="all").fingerprint == source.fingerprint


def test_rows_tell_where_an_image_stands_and_padding_stays_padding() -> None:
    part = make(np.array([0, 1, 2, 0, 1, 2])).select_classes(np.array([1, 2]))
    rows = part.rows(np.array([[5, 1, -1], [2, 4, 4]]))
    assert rows.tolist() == [[3, 0, -1], [1, 2, 2]]
    assert (part.read(np.array([3])) == part.store[[5]]).all()


def test_rows_of_nothing_are_nothing() -> None:
    assert make(np.array([0, 1])).rows(np.zeros((0, 3), dtype=np.int64)).shape == (0, 3)


def test_an_image_of_another_part_raises() -> None:
    part = make(np.array([0, 1, 2, 0])).select_classes(np.array([0]), name="toy/base")
    with pytest.raises(FairshotError) as caught:
        part.rows(np.array([[0, 3], [2, 1]]))
    assert str(caught.value) == "image 2 is not in toy/base: it belongs to another part"
