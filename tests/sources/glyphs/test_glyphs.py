import shutil
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy import ndimage

from fairshot.runtime.errors import FairshotError
from fairshot.sources.glyphs import glyphs, strokes
from fairshot.sources.images.contact_sheet import contact_sheet
from fairshot.sources.source import Source

BINARY = [trait for trait in glyphs.TRAITS if trait != "strokes"]
TOUCHING = np.ones((3, 3))


@pytest.fixture(scope="module")
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAIRSHOT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield patch


@pytest.fixture(scope="module")
def world(private_cache: pytest.MonkeyPatch) -> Source:
    return glyphs.load(alphabets=12, characters=20, drawers=5, takes=2)


@pytest.fixture(scope="module")
def tiny(private_cache: pytest.MonkeyPatch) -> Source:
    return glyphs.load(alphabets=2, characters=3, drawers=2, takes=2)


def block(source: Source) -> np.ndarray:
    """The images by alphabet, character, drawer and take."""
    sizes = len(source.parent_names), -1, len(np.unique(source.attributes["drawer"])) // len(source.parent_names)
    return source.store.reshape(*sizes, source.attributes["take"].max() + 1, *source.store.shape[1:])


def ink(source: Source) -> np.ndarray:
    return source.store[:, 0] == 0


def test_same_seed_same_bytes(tiny: Source) -> None:
    assert tiny.content == "4bee7f97fb723708dbcf639531b0e642", (
        "drawings changed: raise glyphs.VERSION and renew this hash"
    )


def test_another_seed_draws_another_world(private_cache: pytest.MonkeyPatch, tiny: Source) -> None:
    other = glyphs.load(alphabets=2, characters=3, drawers=2, takes=2, seed=1)
    assert other.content != tiny.content
    assert (other.store != tiny.store).mean() > 0.05


def test_names_and_order(tiny: Source) -> None:
    assert tiny.name == "glyphs"
    assert tiny.class_names[:4] == (
        "alphabet000/character00",
        "alphabet000/character01",
        "alphabet000/character02",
        "alphabet001/character00",
    )
    assert list(tiny.class_names) == sorted(tiny.class_names)
    assert tiny.parents == ("alphabet000",) * 3 + ("alphabet001",) * 3
    assert tiny.store.shape == (24, 1, 105, 105)
    assert tiny.store.dtype == np.uint8
    np.testing.assert_array_equal(tiny.class_ids, np.arange(24) // 4)
    np.testing.assert_array_equal(tiny.attributes["drawer"], [0, 0, 1, 1] * 3 + [2, 2, 3, 3] * 3)
    np.testing.assert_array_equal(tiny.attributes["take"], [0, 1] * 12)
    assert set(tiny.class_attributes) == set(glyphs.TRAITS)


@pytest.mark.parametrize(
    "bigger", [{"alphabets": 3}, {"characters": 5}, {"drawers": 4}, {"takes": 3}], ids=lambda bigger: next(iter(bigger))
)
def test_a_bigger_world_holds_the_smaller(
    private_cache: pytest.MonkeyPatch, tiny: Source, bigger: dict[str, int]
) -> None:
    grown = glyphs.load(**({"alphabets": 2, "characters": 3, "drawers": 2, "takes": 2} | bigger))
    np.testing.assert_array_equal(block(grown)[:2, :3, :2, :2], block(tiny))
    characters = bigger.get("characters", 3)
    first = [k * characters + j for k in range(2) for j in range(3)]
    for trait, values in tiny.class_attributes.items():
        np.testing.assert_array_equal(grown.class_attributes[trait][first], values)


def test_the_second_load_does_not_draw_again(private_cache: pytest.MonkeyPatch, tiny: Source) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glyphs, "invent_characters", None)
        again = glyphs.load(alphabets=2, characters=3, drawers=2, takes=2)
    assert isinstance(again.store, np.memmap)
    assert again.fingerprint == tiny.fingerprint
    assert again.class_names == tiny.class_names


def test_black_on_white_inside_the_canvas(world: Source) -> None:
    assert set(np.unique(world.store)) == {0, 255}
    border = np.ones((105, 105), dtype=bool)
    border[1:-1, 1:-1] = False
    assert not ink(world)[:, border].any()


def test_as_much_ink_as_omniglot(world: Source) -> None:
    share = ink(world).mean(axis=(1, 2))
    # Omniglot: 0.0805 on average, from 0.009 to 0.153 for 98% of the drawings.
    assert 0.065 < share.mean() < 0.095
    assert share.min() > 0.009
    assert share.max() < 0.25


def test_strokes_are_as_wide_as_omniglots(world: Source) -> None:
    widths = []
    for picture in ink(world)[::40]:
        depth = ndimage.distance_transform_edt(np.pad(picture, 1))
        widths.append(2 * np.median(depth[(depth == ndimage.maximum_filter(depth, 3)) & (depth > 0)]) - 1)
    # Omniglot: 5 pixels nearly always, by the same measure.
    assert 3 <= np.min(widths) <= np.max(widths) <= 7
    assert 4 < np.mean(widths) < 5.5


@pytest.mark.parametrize("trait", BINARY)
def test_traits_are_balanced_in_the_default_world(trait: str) -> None:
    column = glyphs.TRAITS.index(trait)
    values = [traits[column] for k in range(0, 30, 2) for traits in _traits(k)]
    assert 0.15 < np.mean(values) < 0.85


@cache
def _traits(k: int) -> list[list[int]]:
    return [character.traits for character in glyphs.invent_characters(0, k, 30)]


def test_a_dot_is_a_small_piece_of_its_own(world: Source) -> None:
    def has_speck(picture: np.ndarray) -> bool:
        pieces, count = ndimage.label(picture, TOUCHING)
        return count > 1 and bool((np.bincount(pieces.ravel())[1:] <= 100).any())

    specks = np.array([has_speck(picture) for picture in ink(world)])
    dotted = world.class_attributes["dot"][world.class_ids] == 1
    assert specks[dotted].mean() > 0.95
    assert specks[~dotted].mean() < 0.02


def test_a_loop_encloses_paper(world: Source) -> None:
    holes = np.array([ndimage.label(~picture)[1] > 1 for picture in ink(world)])
    looped = world.class_attributes["loop"][world.class_ids] == 1
    assert holes[looped].mean() > 0.9
    # Strokes that cross each other may enclose paper, too.
    assert holes[~looped].mean() < 0.4


def test_wide_drawings_are_wide(world: Source) -> None:
    # A dot does not count.
    plain = world.class_attributes["dot"][world.class_ids] == 0
    wide = np.array([np.ptp(np.nonzero(p)[1]) > np.ptp(np.nonzero(p)[0]) for p in ink(world)[plain]])
    said = world.class_attributes["wide"][world.class_ids][plain] == 1
    assert (wide == said).mean() > 0.85


def test_symmetric_characters_look_alike_in_the_mirror(world: Source) -> None:
    def impression(drawings: np.ndarray) -> np.ndarray:
        """All drawings of a character laid over each other: the slants of many hands even out, the character stays."""
        boxes = [picture[ndimage.find_objects(picture.astype(int))[0]].astype(float) for picture in drawings]
        blurred = [ndimage.gaussian_filter(box, 2) for box in boxes]
        return sum(ndimage.zoom(box, (40 / box.shape[0], 40 / box.shape[1]), order=1) for box in blurred)

    pictures = [impression(ink(world)[world.class_ids == c]) for c in world.classes]
    uneven = np.array([np.abs(picture - picture[:, ::-1]).sum() / picture.sum() for picture in pictures])
    even = world.class_attributes["symmetric"] == 1
    assert np.median(uneven[even]) < 0.6 * np.median(uneven[~even])
    assert (uneven[even][:, None] < uneven[~even]).mean() > 0.9


@pytest.mark.parametrize(
    ("curves", "expected"),
    [
        ([[[-30, 0], [30, 0]], [[0, -20], [0, 20]]], {"crossing": 1, "symmetric": 1, "curved": 0, "wide": 1}),
        ([[[-30, 0], [30, 0]], [[0, 0], [0, 40]]], {"crossing": 0, "symmetric": 1, "curved": 0, "wide": 1}),
        ([[[-10, -30], [-10, 30]], [[-10, 30], [20, 30]]], {"crossing": 0, "symmetric": 0, "curved": 0, "wide": 0}),
    ],
    ids=["plus", "tee", "ell"],
)
def test_traits_of_hand_made_characters(curves: list, expected: dict[str, int]) -> None:
    straight = np.array([np.linspace(*ends, strokes.POINTS) for ends in np.array(curves, dtype=float)])
    character = glyphs.Character(straight, np.zeros((2, 3), dtype=np.int64), 0.0, False)
    traits = dict(zip(glyphs.TRAITS, character.traits, strict=True))
    assert traits == {"strokes": 2, "loop": 0, "dot": 0} | expected


def test_a_ring_is_curved_and_closed() -> None:
    families = {family.name: family for family in strokes.FAMILIES}
    ring = strokes.ride(families["ring"], np.full((1, 3), 0.5), facet=0.0)
    square = strokes.ride(families["ring"], np.full((1, 3), 0.5), facet=np.pi / 2)
    line = strokes.ride(families["line"], np.full((1, 3), 0.5), facet=0.0)
    assert strokes.bending(50 * ring[None]) > 0.95
    assert strokes.bending(50 * square[None]) < 0.3
    assert [round(strokes.loop_width(curve), 1) for curve in (ring, square, line)] == [1.0, 1.0, 0.0]


@given(seed=st.integers(0, 2**40), k=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_characters_of_an_alphabet_are_all_different(seed: int, k: int) -> None:
    looks = np.array([strokes.impression(c.curves) for c in glyphs.invent_characters(seed, k, 12)])
    assert (looks @ looks.T - np.eye(12)).max() < 0.995


def test_characters_of_one_alphabet_are_harder_to_tell_apart(world: Source) -> None:
    images = np.array([_shrunk(image) for image in world.store[:, 0]])
    rng = np.random.default_rng(0)
    errors = {within: _prototype_error(images, 20, within, rng) for within in (False, True)}
    # Omniglot's own ratio is 1.36 (20 ways) to 1.45 (5 ways).
    assert errors[True] > 1.15 * errors[False]
    assert errors[False] < 0.7


def _shrunk(image: np.ndarray) -> np.ndarray:
    return np.asarray(Image.fromarray(image).resize((28, 28), Image.Resampling.BILINEAR)).ravel() / 255.0


def _prototype_error(images: np.ndarray, way: int, within: bool, rng: np.random.Generator) -> float:
    """Nearest of the mean of five drawings, tested on the other five, of characters of one or of any alphabet."""
    by_class = images.reshape(12, 20, 10, -1)
    wrong = []
    for _ in range(100):
        alphabet = np.full(way, rng.integers(12)) if within else rng.integers(12, size=way)
        character = rng.permutation(20)[:way]
        drawings = by_class[alphabet, character][:, rng.permutation(10)]
        prototypes, queries = drawings[:, :5].mean(axis=1), drawings[:, 5:].reshape(5 * way, -1)
        distance = (prototypes**2).sum(axis=1) - 2 * queries @ prototypes.T
        wrong.append((distance.argmin(axis=1) != np.repeat(np.arange(way), 5)).mean())
    return float(np.mean(wrong))


@pytest.mark.parametrize("name", ["alphabets", "characters", "drawers", "takes"])
@pytest.mark.parametrize("number", [0, -3])
def test_impossible_numbers_are_refused(name: str, number: int) -> None:
    with pytest.raises(FairshotError) as caught:
        glyphs.load(**{name: number})
    assert str(caught.value) == f"glyphs cannot have {name}={number}: ask for 1 or more"


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        glyphs.load(seed=-1)
    assert str(caught.value) == "glyphs cannot have seed=-1: a seed is 0 or more"


def test_a_world_bigger_than_the_disk_is_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**9))
    with pytest.raises(FairshotError) as caught:
        glyphs.load(alphabets=1000, characters=100)
    assert str(caught.value) == (
        f"2000000 glyphs need 22.1 GB, {tmp_path} has 1.0 GB free: ask for less, or set FAIRSHOT_CACHE to a bigger disk"
    )
    assert not list((tmp_path / "sources").iterdir())


def test_contact_sheet_shows_classes_evenly(tiny: Source) -> None:
    sheet = np.asarray(contact_sheet(tiny, classes=2, drawings=3))
    assert sheet.shape == (2 * 106 + 1, 3 * 106 + 1)
    np.testing.assert_array_equal(sheet[1:106, 107:212], tiny.store[1, 0])
    np.testing.assert_array_equal(sheet[107:212, 1:106], tiny.store[20, 0])
    assert set(np.unique(sheet[[0, 106, 212]])) == {200}


def test_contact_sheet_in_colour_with_gaps() -> None:
    store = np.zeros((3, 3, 4, 6), dtype=np.uint8)
    store[:, 0] = 90
    source = Source.create("reds", store, np.array([0, 0, 1]), class_names=("a", "b"))
    sheet = contact_sheet(source, classes=9, drawings=9)
    assert (sheet.mode, sheet.size) == ("RGB", (2 * 7 + 1, 2 * 5 + 1))
    assert sheet.getpixel((1, 1)) == (90, 0, 0)
    assert sheet.getpixel((8, 6)) == (255, 255, 255)


def test_contact_sheet_refuses_what_it_cannot_show(tiny: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        contact_sheet(tiny, classes=0, drawings=3)
    assert str(caught.value) == "no contact sheet of 0 classes and 3 drawings: ask for 1 or more of each"
    vectors = Source.create("vectors", np.zeros((2, 5), dtype=np.float32), np.array([0, 1]), class_names=("a", "b"))
    with pytest.raises(FairshotError) as caught:
        contact_sheet(vectors, classes=1, drawings=1)
    assert str(caught.value) == "vectors holds feature vectors: a contact sheet needs images"
