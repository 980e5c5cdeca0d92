"""Samples however they come: the same drawings give the same images, and what is wrong is said."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.sample_files import (
    Samples,
    from_generated,
    match_classes,
    open_samples,
    read_samples,
    refuse_file,
    save_samples,
)
from fairshot.sources.recipe import find_recipe
from fairshot.sources.source import Source
from fairshot.specs.data import find_part

RECIPE = find_recipe("diversity")


@pytest.fixture(scope="module")
def raw() -> Source:
    return find_part("glyphs:alphabets=2,characters=2,drawers=4")


@pytest.fixture(scope="module")
def wanted() -> np.ndarray:
    return np.asarray(find_part("glyphs:alphabets=2,characters=2,drawers=4", recipe="diversity").store)


def names(source: Source) -> list[str]:
    return [source.class_names[c] for c in source.classes]


def read(path: Path | str, raw: Source, **options: object) -> Samples:
    return read_samples(open_samples(str(path)), names(raw), RECIPE, channels=1, **options)


def test_a_folder_of_class_folders(raw: Source, wanted: np.ndarray, tmp_path: Path) -> None:
    for row in range(len(raw)):
        folder = tmp_path / raw.class_names[raw.class_ids[row]]
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(raw.store[row, 0]).save(folder / f"{row:03d}.png")
    found = read(tmp_path, raw)
    assert np.array_equal(found.images, wanted)
    assert np.array_equal(found.labels, raw.class_ids)
    assert found.notes[0] == (
        f"{tmp_path}: 32 samples of 105 x 105 pixels, grey, dark on light, resized to 50 x 50 and cut into ink and paper"
    )
    assert found.notes[1] == (f"{tmp_path} has 8 samples a class where 20 are usual: single classes are noisier")


@pytest.mark.parametrize("keys", [("X", "y"), ("images", "labels")])
@pytest.mark.parametrize("form", ["dark", "light", "fractions", "colour last", "colour first"])
def test_arrays_of_any_polarity_range_and_colour(
    keys: tuple[str, str], form: str, raw: Source, wanted: np.ndarray, tmp_path: Path
) -> None:
    drawings = np.asarray(raw.store)[:, 0]
    images = {
        "dark": drawings,
        "light": 255 - drawings,
        "fractions": 1 - drawings / 255.0,
        "colour last": np.repeat(drawings[..., None], 3, axis=3),
        "colour first": np.repeat(255 - drawings[:, None], 3, axis=1),
    }[form]
    order = np.random.default_rng(0).permutation(len(raw))
    labels = np.array(raw.class_names)[raw.class_ids]
    np.savez(tmp_path / "drawn.npz", **{keys[0]: images[order], keys[1]: labels[order]})
    found = read(tmp_path / "drawn.npz", raw)
    assert np.array_equal(found.images, wanted[order])
    assert np.array_equal(found.labels, raw.class_ids[order])
    polarity = "dark on light" if form in ("dark", "colour last") else "light on dark"
    assert polarity in found.notes[0]
    assert ("in colour, made grey" in found.notes[0]) == form.startswith("colour")


def test_ink_can_be_said(raw: Source, wanted: np.ndarray, tmp_path: Path) -> None:
    np.savez(tmp_path / "drawn.npz", X=np.asarray(raw.store), y=raw.class_ids)
    assert np.array_equal(read(tmp_path / "drawn.npz", raw, ink="dark").images, wanted)
    assert read(tmp_path / "drawn.npz", raw, ink="light").images.mean() > 128


def test_what_nothing_tells_is_said(raw: Source, tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (8, 50, 50)).astype(np.uint8)
    np.savez(tmp_path / "noise.npz", X=noise, y=np.repeat(np.arange(4), 2))
    found = read(tmp_path / "noise.npz", raw)
    assert (
        f"{tmp_path}/noise.npz may be dark on light, light on dark or some of each, nothing tells: say ink=dark or "
        "ink=light"
    ) in found.notes


def test_a_generator_gives_images_by_class(raw: Source, wanted: np.ndarray) -> None:
    drawn = wanted.reshape(4, 8, 1, 50, 50) / 255.0
    for images in (drawn, drawn[:, :, 0], drawn.astype(np.float32)):
        found = read_samples(from_generated("mine.py:f", images, names(raw)), names(raw), RECIPE, channels=1)
        assert np.array_equal(found.images, wanted)
        assert np.array_equal(found.labels, np.repeat(np.arange(4), 8))
    with pytest.raises(FairshotError) as refused:
        from_generated("mine.py:f", drawn[:3], names(raw))
    assert str(refused.value) == (
        "mine.py:f gave an array of shape (3, 8, 1, 50, 50) for 4 exemplars: it must return "
        "(exemplars, count, height, width), or with channels"
    )
    with pytest.raises(FairshotError, match="gave no image: it must return `count` of them"):
        from_generated("mine.py:f", drawn[:, :0], names(raw))


def test_classes_are_found_by_name_by_its_end_and_by_number() -> None:
    known = ("Greek/alpha", "Greek/beta", "Latin/a", "Latin/beta")
    assert match_classes(["Latin/beta", "Greek/alpha"], known, "them") == [3, 0]
    assert match_classes(["a", "alpha"], known, "them") == [2, 0]
    assert match_classes(["3", "0"], known, "them") == [3, 0]
    assert match_classes(["3"], ("1", "2", "3"), "them") == [2], "names go before numbers"
    with pytest.raises(FairshotError) as several:
        match_classes(["beta"], known, "them")
    assert str(several.value) == (
        "'beta' is the name of 2 classes of them, such as Greek/beta and Latin/beta: name the folders by their parent too"
    )
    with pytest.raises(FairshotError, match="unknown class of them 'Latin/bet': did you mean 'Latin/beta'"):
        match_classes(["Latin/bet"], known, "them")
    with pytest.raises(FairshotError, match="unknown class of them '4': give names, or numbers from 0 to 3"):
        match_classes(["0", "4"], known, "them")
    many = [f"Greek/letter{number}" for number in range(150)]
    with pytest.raises(FairshotError, match=r"there are: Greek/letter0, Greek/letter1, Greek/letter10 and 147 more$"):
        match_classes(["@@@"], many, "them")


def test_missing_classes_and_single_samples(raw: Source, tmp_path: Path) -> None:
    kept = raw.class_ids < 3
    np.savez(tmp_path / "some.npz", X=np.asarray(raw.store)[kept], y=raw.class_ids[kept])
    found = read(tmp_path / "some.npz", raw)
    assert found.notes[2] == (
        f"{tmp_path}/some.npz has no sample of 1 of 4 classes, such as 'alphabet001/character01': the others are judged alone, beside "
        "the drawings of people of the same classes"
    )
    np.savez(tmp_path / "one.npz", X=np.asarray(raw.store)[:9], y=raw.class_ids[:9])
    with pytest.raises(FairshotError) as refused:
        read(tmp_path / "one.npz", raw)
    assert str(refused.value) == (
        f"{tmp_path}/one.npz has one sample of 'alphabet000/character01': diversity needs two at least, 20 are usual"
    )


def test_what_is_no_sample(raw: Source, tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as refused:
        open_samples(str(tmp_path / "nothing"))
    assert str(refused.value) == (
        f"there are no samples {tmp_path / 'nothing'}: give a folder of images for each class, an .npz file with images "
        "and labels, path.py:generator, human, or a yardstick such as copy"
    )
    np.savez(tmp_path / "odd.npz", pictures=np.zeros(3))
    with pytest.raises(FairshotError, match="holds pictures: it needs images and labels, or X and y"):
        open_samples(str(tmp_path / "odd.npz"))
    np.savez(tmp_path / "vectors.npz", X=np.zeros((4, 3)), y=np.arange(4))
    with pytest.raises(FairshotError, match=r"vectors\.npz holds feature vectors: samples are judged by their pixels"):
        read(tmp_path / "vectors.npz", raw)


def test_blank_samples_are_told(raw: Source, tmp_path: Path) -> None:
    images = np.asarray(raw.store).copy()
    images[:3] = 255
    np.savez(tmp_path / "drawn.npz", X=images, y=raw.class_ids)
    found = read(tmp_path / "drawn.npz", raw)
    assert f"{tmp_path}/drawn.npz has 3 blank samples of 32: nothing is drawn on them" in found.notes
    with pytest.raises(FairshotError) as refused:
        read_samples(from_generated("f", np.zeros((4, 3, 1, 1)), names(raw)), names(raw), RECIPE, channels=1)
    assert str(refused.value) == (
        "all 12 samples of f are blank at 50 x 50 pixels: give images with something drawn on them"
    )


def test_numbers_are_told_by_the_names_they_stand_for(raw: Source, tmp_path: Path) -> None:
    file, kept = tmp_path / "n.npz", raw.class_ids < 3
    for first, ending in ((0, ""), (1, ", and none is 0: if yours begin at 1, subtract 1")):
        np.savez(file, X=np.asarray(raw.store)[kept], y=raw.class_ids[kept] + first)
        stand = ", ".join(f"{first + step} is {names(raw)[first + step]}" for step in range(3))
        told = f"{file} has numbers for classes: {stand}{ending}"
        assert told in read(file, raw).notes
    np.savez(file, X=np.asarray(raw.store), y=np.array(names(raw))[raw.class_ids])
    assert not any("has numbers for" in note for note in read(file, raw).notes)
    np.savez(file, X=np.asarray(raw.store), y=raw.class_ids - 1)
    with pytest.raises(FairshotError, match="'-1': give names, or numbers from 0 to 3"):
        read(file, raw)


def test_what_is_saved_is_read_again(raw: Source, wanted: np.ndarray, tmp_path: Path) -> None:
    file = tmp_path / "new" / "saved.npz"
    save_samples(wanted, [raw.class_names[c] for c in raw.class_ids], file)
    found = read(file, raw)
    assert np.array_equal(found.images, wanted)
    assert np.array_equal(found.labels, raw.class_ids)
    for place in (tmp_path / "saved.png", tmp_path):
        with pytest.raises(FairshotError, match=r"name an \.npz file, such as exemplars\.npz"):
            refuse_file(place)
    refuse_file(None)
    with pytest.raises(FairshotError) as refused:
        refuse_file(tmp_path / "own.npz", ["copy", str(tmp_path / "other" / ".." / "own.npz")])
    assert str(refused.value) == (
        f"{tmp_path / 'own.npz'} holds samples that are to be judged: save the exemplars in another file"
    )


def test_an_error_names_the_set(raw: Source, tmp_path: Path) -> None:
    np.savez(tmp_path / "odd.npz", X=np.full((8, 5, 5), np.nan), y=np.arange(8) // 2)
    with pytest.raises(FairshotError) as refused:
        open_samples(str(tmp_path / "odd.npz"))
    assert str(refused.value) == (
        f"{tmp_path / 'odd.npz'}: X has NaN or infinite values, first in row 0: remove or repair these rows"
    )
    with pytest.raises(FairshotError) as refused:
        from_generated("mine.py:f", np.full((4, 2, 5, 5), -1.0), names(raw))
    assert str(refused.value) == (
        "mine.py:f: X has pixel values from -1 to -1: give 0 to 255, or fractions from 0 to 1"
    )


def test_drawings_in_sixteen_bits_and_on_transparent_paper(raw: Source, wanted: np.ndarray, tmp_path: Path) -> None:
    for row in range(len(raw)):
        folder = tmp_path / raw.class_names[raw.class_ids[row]]
        folder.mkdir(parents=True, exist_ok=True)
        drawing = raw.store[row, 0]
        clear = np.stack([np.zeros_like(drawing)] * 3 + [255 - drawing], axis=2)
        picture = Image.fromarray(clear) if row % 2 else Image.fromarray(drawing.astype(np.uint16) * 257)
        picture.save(folder / f"{row:03d}.png")
    assert np.array_equal(read(tmp_path, raw).images, wanted)


def test_white_ink_on_transparent_paper_is_light_on_dark(raw: Source, wanted: np.ndarray, tmp_path: Path) -> None:
    for row in range(len(raw)):
        folder = tmp_path / raw.class_names[raw.class_ids[row]]
        folder.mkdir(parents=True, exist_ok=True)
        drawing = raw.store[row, 0]
        Image.fromarray(np.stack([np.full_like(drawing, 255)] * 3 + [255 - drawing], axis=2)).save(
            folder / f"{row:03d}.png"
        )
    found = read(tmp_path, raw)
    assert ", light on dark, " in found.notes[0]
    assert np.array_equal(found.images, wanted)


@pytest.mark.parametrize("path", ["", "a" * 300, "a" * 300 + ".npz", "~nobody-of-this-name/x"])
def test_a_name_that_no_samples_can_have(path: str) -> None:
    with pytest.raises(FairshotError) as refused:
        open_samples(path)
    named = path or "''"
    assert str(refused.value) == (
        f"there are no samples {named}: give a folder of images for each class, an .npz file with images and labels, "
        "path.py:generator, human, or a yardstick such as copy"
    )


def test_a_minority_of_negatives_is_told(raw: Source, tmp_path: Path) -> None:
    images, file = np.asarray(raw.store).copy(), tmp_path / "drawn.npz"
    for count, told in ((1, "1 sample"), (2, "2 samples")):
        images[count - 1] = 255 - images[count - 1]
        np.savez(file, X=images, y=raw.class_ids)
        found = read(file, raw)
        assert ", dark on light, " in found.notes[0]
        assert (
            f"{file} has {told} of 32 with more ink than paper: if these are negatives, invert them; if all are, say "
            "ink=dark or ink=light"
        ) in found.notes
        grey = read_samples(open_samples(str(file)), names(raw), find_recipe("84"), channels=1)
        assert any(f"has {told} of 32 with more ink than paper" in note for note in grey.notes), "ink may stay dark"
    np.savez(file, X=np.asarray(raw.store), y=raw.class_ids)
    assert not any("more ink than paper" in note for note in read(file, raw).notes)


def test_one_blank_sample_is_one(raw: Source, tmp_path: Path) -> None:
    images = np.asarray(raw.store).copy()
    images[5] = 255
    np.savez(tmp_path / "drawn.npz", X=images, y=raw.class_ids)
    found = read(tmp_path / "drawn.npz", raw)
    assert f"{tmp_path}/drawn.npz has 1 blank sample of 32: nothing is drawn on it" in found.notes
    assert not any("more ink than paper" in note for note in found.notes)


@pytest.mark.parametrize("keys", [("X", "y"), ("images", "labels")])
def test_class_names_tell_what_numbers_stand_for(keys: tuple[str, str], raw: Source, tmp_path: Path) -> None:
    file, last = tmp_path / "drawn.npz", len(names(raw)) - 1
    tables = {keys[0]: np.asarray(raw.store), keys[1]: last - raw.class_ids, "class_names": np.array(names(raw)[::-1])}
    np.savez(file, **tables)
    found = read(file, raw)
    assert np.array_equal(found.labels, raw.class_ids)
    assert not any("has numbers for" in note for note in found.notes)


def test_two_pairs_of_arrays_are_one_too_many(raw: Source, tmp_path: Path) -> None:
    file, store = tmp_path / "both.npz", np.asarray(raw.store)
    np.savez(file, X=store, y=raw.class_ids, images=store, labels=raw.class_ids)
    with pytest.raises(FairshotError) as refused:
        open_samples(str(file))
    assert str(refused.value) == (
        f"{file} holds X, images, labels, y: it needs images and labels, or X and y, not both"
    )


def test_an_error_about_a_class_names_the_set(raw: Source, tmp_path: Path) -> None:
    file = tmp_path / "drawn.npz"
    whole = "unknown class of the drawings of people '4': give names, or numbers from 0 to 3"
    alike = "'character00' is the name of 2 classes of the drawings of people, such as alphabet000/character00 and "
    for labels, text in (
        (raw.class_ids + 1, f"{file}: {whole}"),
        (
            np.array(["character00", "character01"])[raw.class_ids % 2],
            f"{file}: {alike}alphabet001/character00: name the folders by their parent too",
        ),
    ):
        np.savez(file, X=np.asarray(raw.store), y=labels)
        with pytest.raises(FairshotError) as refused:
            read(file, raw)
        assert str(refused.value) == text


def test_images_of_no_size_from_a_generator(raw: Source) -> None:
    with pytest.raises(FairshotError) as refused:
        from_generated("mine.py:f", np.zeros((4, 3, 0, 0)), names(raw))
    assert str(refused.value) == (
        "mine.py:f: X has shape (12, 0, 0), without a pixel: give images of 1 x 1 pixels or more"
    )


def test_samples_behind_links_are_read(raw: Source, wanted: np.ndarray, tmp_path: Path) -> None:
    for row in range(len(raw)):
        folder = tmp_path / "real" / raw.class_names[raw.class_ids[row]]
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(raw.store[row, 0]).save(folder / f"{row:03d}.png")
    (tmp_path / "linked" / "alphabet000").mkdir(parents=True)
    (tmp_path / "linked" / "alphabet001").symlink_to(tmp_path / "real" / "alphabet001")
    for name in ("character00", "character01"):
        (tmp_path / "linked" / "alphabet000" / name).symlink_to(tmp_path / "real" / "alphabet000" / name)
    assert np.array_equal(read(tmp_path / "linked", raw).images, wanted)
