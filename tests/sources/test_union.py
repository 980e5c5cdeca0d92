"""Many sources as one: the same images, classes apart, and nothing of another part can be reached."""

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import find_recipe
from fairshot.sources.source import Source
from fairshot.sources.store import apply_recipe
from fairshot.sources.union import JoinedSource, join


def _source(name: str, classes: int, channels: int, start: int = 0, size: int = 32) -> Source:
    labels = np.repeat(np.arange(classes), 4)
    images = (np.arange(len(labels)) + start).astype(np.uint8)[:, None, None, None]
    store = np.broadcast_to(images, (len(labels), channels, size, size)).copy()
    names = tuple(f"c{number}" for number in range(classes))
    return apply_recipe(Source.create(name, store, labels, class_names=names), find_recipe("32-colour"))


@pytest.fixture
def both() -> JoinedSource:
    drawings, photos = _source("drawings", 3, 1), _source("photos", 5, 3, 100)
    return join([drawings.select_classes(np.array([0, 2])), photos.select_classes(np.array([1, 2, 4]))])


def test_images_are_read_as_from_their_own_source(both: JoinedSource) -> None:
    assert both.store.shape == (32, 3, 32, 32)
    values = both.read(slice(None))[:, 0, 0, 0].tolist()
    assert values == [0, 1, 2, 3, 8, 9, 10, 11, *range(104, 112), *range(116, 120)]
    mixed = both.read(np.array([9, 0, 19]))
    assert mixed[:, 2, 5, 5].tolist() == [105, 0, 119]
    assert np.asarray(both.store)[:3, 0, 0, 0].tolist() == [0, 1, 2]


def test_classes_have_the_names_of_their_sources(both: JoinedSource) -> None:
    names = [both.class_names[number] for number in both.classes]
    assert names == ["drawings:c0", "drawings:c2", "photos:c1", "photos:c2", "photos:c4"]
    assert both.parent_names == ("drawings", "photos")


def test_an_image_of_another_part_cannot_be_reached(both: JoinedSource) -> None:
    with pytest.raises(FairshotError, match="image 4 is not in drawings\\+photos: it belongs to another part"):
        both.rows(np.array([4]))


def test_a_part_of_joined_sources_has_parts_of_its_own(both: JoinedSource) -> None:
    some = both.select_classes(both.classes[[1, 3]])
    assert [part.classes.tolist() for part in some.parts] == [[2], [2]]
    assert some.image_ids.tolist() == [8, 9, 10, 11, 20, 21, 22, 23]
    assert some.fingerprint != both.fingerprint


def test_what_does_not_go_together_is_refused() -> None:
    first = _source("a", 2, 1)
    with pytest.raises(FairshotError, match=r"^a is of a source that is joined already: name each source once$"):
        join([first, first])
    raw = Source.create("b", np.zeros((4, 1, 28, 28), np.uint8), np.zeros(4, np.int64), class_names=("c",))
    with pytest.raises(FairshotError, match="a has the recipe 32-colour and b raw: give all the same one"):
        join([first, raw])
