from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import RAW, RECIPES, Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.sources.store import apply_recipe
from fairshot.splits.omniglot import load as load_split


def drawings(count: int = 6, size: int = 105, seed: int = 0) -> np.ndarray:
    """Drawings like Omniglot's: ink 0 on paper 255, a few thick strokes each."""
    rng = np.random.default_rng(seed)
    images = np.full((count, 1, size, size), 255, dtype=np.uint8)
    for image in images[:, 0]:
        for _ in range(4):
            row, column = rng.integers(5, size - 40, 2)
            height, width = rng.permutation([3, rng.integers(10, 40)])
            image[row : row + height, column : column + width] = 0
    return images


def by_pillow(
    images: np.ndarray, size: int, change: Callable[[Image.Image], Image.Image] = lambda image: image
) -> np.ndarray:
    """Resized one by one: as Pillow's bilinear filter does on 8-bit grey."""
    resized = [
        change(Image.fromarray(image[0]).convert("L")).resize((size, size), Image.Resampling.BILINEAR)
        for image in images
    ]
    return np.stack([np.asarray(image) for image in resized])[:, None]


def read(name: str, images: np.ndarray, rotation: int = 0) -> np.ndarray:
    return RECIPES[name].scale(RECIPES[name].apply(images, rotation))


@pytest.mark.parametrize(("name", "size"), [("omniglot-eval", 24), ("omniglot-eval-koch", 105)])
def test_omniglot_eval_resizes_bilinearly_and_leaves_paper_light(name: str, size: int) -> None:
    images = drawings()
    expected = by_pillow(images, size) / 255 - 0.5
    found = read(name, images)
    assert found.dtype == np.float32
    assert found.shape == (6, 1, size, size)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert found.max() == 0.5
    assert np.median(found) == 0.5  # paper


def test_diversity_is_ink_one_paper_zero_and_nothing_between() -> None:
    images = drawings()
    grey = by_pillow(images, 50).astype(np.float64)
    low, high = grey.min(axis=(1, 2, 3), keepdims=True), grey.max(axis=(1, 2, 3), keepdims=True)
    expected = (1 - (grey - low) / (high - low) > 0.5).astype(np.float32)
    found = read("diversity", images)
    assert (found == expected).all()
    assert set(np.unique(found)) == {0, 1}
    assert 0 < found.mean() < 0.5


def test_a_faint_drawing_is_stretched_before_it_is_cut() -> None:
    images = drawings(2)
    faint = (255 - (255 - images) // 4).astype(np.uint8)
    assert (read("diversity", faint) == read("diversity", images)).all()


def test_blank_paper_has_no_ink_under_diversity() -> None:
    """The published pipeline divides zero by zero there, and NaN > 0.5 is no ink."""
    assert read("diversity", np.full((1, 1, 105, 105), 255, dtype=np.uint8)).sum() == 0


def test_diversity_grey_is_inverted_and_keeps_its_greys() -> None:
    images = drawings()
    found = read("diversity-grey", images)
    np.testing.assert_allclose(found, 1 - by_pillow(images, 50) / 255, atol=1e-6)
    assert ((found > 0.1) & (found < 0.9)).any()


def test_meta_dataset_is_three_equal_inverted_channels_from_minus_one_to_one() -> None:
    torch = pytest.importorskip("torch")
    images = drawings()
    expected = torch.nn.functional.interpolate(
        torch.from_numpy(255 - images).float(), size=(84, 84), mode="bilinear", align_corners=True
    ).numpy()
    found = read("meta-dataset", images)
    assert found.shape == (6, 3, 84, 84)
    assert (found == found[:, :1]).all()
    np.testing.assert_allclose(found[:, :1], 2 * (expected / 255 - 0.5), atol=1.01 / 255)  # rounded to 8 bits
    assert (found.min(), found.max()) == (-1, 1)
    assert np.median(found) == -1  # paper


@given(
    hnp.arrays(np.uint8, st.tuples(st.just(2), st.sampled_from([1, 3]), st.integers(2, 12), st.integers(2, 12))),
    st.integers(2, 20),
)
def test_corners_agree_with_torch(images: np.ndarray, size: int) -> None:
    torch = pytest.importorskip("torch")
    exact = torch.nn.functional.interpolate(
        torch.from_numpy(images).double(), size=(size, size), mode="bilinear", align_corners=True
    ).numpy()
    found = Recipe("x", size, "corners").apply(images)
    between = np.abs(exact - np.floor(exact) - 0.5) < 1e-3  # a tie may fall either way
    assert (found == np.rint(exact))[~between].all()
    assert (np.abs(found - exact) < 0.5 + 1e-3).all()


def test_corners_keep_the_corners() -> None:
    images = np.random.default_rng(0).integers(0, 256, (1, 1, 105, 105), dtype=np.uint8)
    found = Recipe("x", 84, "corners").apply(images)
    assert (found[0, 0, ::83, ::83] == images[0, 0, ::104, ::104]).all()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_centroid_rotates_the_one_bit_image_then_takes_nearest_neighbours(rotation: int) -> None:
    images = drawings()
    expected = []
    for image in images:
        one_bit = Image.fromarray(image[0]).convert("1").rotate(rotation)
        small = one_bit.resize(
            (28, 28)
        )  # Pillow takes nearest neighbours for 1-bit images whatever filter is asked for
        expected.append(1 - np.asarray(small).astype(np.float32))
    found = read("centroid", images, rotation)
    assert (found[:, 0] == np.stack(expected)).all()
    assert set(np.unique(found)) == {0, 1}
    assert found.mean() < 0.5


def test_rotation_comes_before_resizing() -> None:
    """From 8 to 4 pixels nearest neighbours take every second pixel, beginning with the second: the order shows."""
    images = np.arange(64, dtype=np.uint8).reshape(1, 1, 8, 8)
    found = Recipe("x", 4, "nearest").apply(images, 90)
    assert (found[0, 0] == np.rot90(images[0, 0])[1::2, 1::2]).all()
    assert not (found[0, 0] == np.rot90(images[0, 0, 1::2, 1::2])).all()


def test_centroid_ccn_is_inverted_bilinear_and_standardised() -> None:
    images = drawings()
    expected = (1 - by_pillow(images, 32) / 255 - 0.086) / 0.235
    np.testing.assert_allclose(read("centroid-ccn", images), expected, atol=1e-5)


def test_raw_changes_nothing_but_the_scale() -> None:
    images = np.random.default_rng(0).integers(0, 256, (2, 3, 5, 7), dtype=np.uint8)
    assert (RAW.apply(images) == images).all()
    np.testing.assert_allclose(RAW.scale(images), images / 255, atol=1e-7)


def test_colour_is_resized_channel_by_channel() -> None:
    images = np.random.default_rng(0).integers(0, 256, (2, 3, 32, 32), dtype=np.uint8)
    found = find_recipe("16").apply(images)
    for channel in range(3):
        assert (found[:, channel] == find_recipe("16").apply(images[:, channel : channel + 1])[:, 0]).all()
    whole = np.asarray(Image.fromarray(images[0].transpose(1, 2, 0)).resize((16, 16), Image.Resampling.BILINEAR))
    assert (found[0].transpose(1, 2, 0) == whole).all()


def test_three_channels_stay_as_they_are_where_three_are_wanted() -> None:
    images = np.random.default_rng(0).integers(0, 256, (2, 3, 84, 84), dtype=np.uint8)
    np.testing.assert_allclose(read("meta-dataset", images), 1 - 2 * (images / 255), atol=1e-6)


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_recipe_is_found_by_its_name_and_says_what_it_is(name: str) -> None:
    assert find_recipe(name).name == name
    assert find_recipe(name).about


def test_only_the_centroid_recipe_makes_classes_of_rotations() -> None:
    turning = {name: recipe.rotations for name, recipe in RECIPES.items() if recipe.rotations != (0,)}
    assert turning == {"centroid": (0, 90, 180, 270)}


def test_a_number_is_a_recipe() -> None:
    recipe = find_recipe("84")
    assert (recipe.size, recipe.filter, recipe.invert, recipe.mean, recipe.deviation) == (84, "bilinear", False, 0, 1)
    assert recipe.apply(drawings(1)).shape == (1, 1, 84, 84)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("omniglot-evil", "unknown recipe 'omniglot-evil': did you mean 'omniglot-eval'?"),
        ("0", "the recipe 0 asks for images of 0 pixels: give at least 1"),
        ("-3", "the recipe -3 asks for images of -3 pixels: give at least 1"),
    ],
)
def test_an_unknown_recipe_is_refused(name: str, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        find_recipe(name)
    assert str(caught.value) == message


def test_a_size_that_cannot_be_meant_is_refused() -> None:
    assert find_recipe("4096").size == 4096
    with pytest.raises(FairshotError) as caught:
        find_recipe("100000")
    assert str(caught.value) == "the recipe 100000 asks for images of 100000 x 100000 pixels: give at most 4096"


def test_the_value_range_does_not_change_what_is_stored() -> None:
    assert Recipe("a", 32, mean=0.5, about="x").key == Recipe("b", 32, deviation=2.0).key
    keys = [Recipe("a", 32), Recipe("a", 33), Recipe("a", 32, "nearest"), Recipe("a", 32, invert=True)]
    keys += [Recipe("a", 32, binarise=True), Recipe("a", 32, rotations=(0, 90))]
    assert len({str(recipe.key) for recipe in keys}) == len(keys)


def test_the_published_mean_ink_of_the_weak_novel_part(omniglot: Source) -> None:
    novel = load_split("weak", omniglot).novel
    assert len(novel) == 3000
    recipe = RECIPES["diversity"]
    ink = [recipe.scale(recipe.apply(novel.read(slice(start, start + 500)))).mean() for start in range(0, 3000, 500)]
    assert round(float(np.mean(ink)), 4) == 0.0780


@pytest.mark.parametrize("name", ["omniglot-eval", "diversity-grey", "centroid-ccn"])
def test_real_drawings_agree_with_pillow_too(omniglot: Source, name: str) -> None:
    """Pillow's own way: open as 1 bit, convert to grey, resize."""
    images, recipe = omniglot.store[::3000], RECIPES[name]
    assert recipe.size is not None
    for image, found in zip(images, recipe.apply(images), strict=True):
        grey = Image.fromarray(image[0] > 0).convert("L").resize((recipe.size, recipe.size), Image.Resampling.BILINEAR)
        assert (found[0] == (255 - np.asarray(grey) if recipe.invert else np.asarray(grey))).all()


def test_a_source_under_a_recipe_scales_as_the_recipe_says(omniglot: Source) -> None:
    prepared = apply_recipe(omniglot.select(np.ones(len(omniglot), dtype=bool)), RECIPES["omniglot-eval"])
    assert prepared.store.shape == (32_460, 1, 24, 24)
    assert prepared.recipe is RECIPES["omniglot-eval"]
    assert (prepared.store[77] == RECIPES["omniglot-eval"].apply(omniglot.store[77:78])[0]).all()
