import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.errors import FairshotError
from fairshot.sources import folder as module
from fairshot.sources.folder import load
from fairshot.sources.images.pictures import open_support


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    root = tmp_path / "birds"
    root.mkdir()
    return root


def pixels(value: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(value).integers(0, 256, shape, dtype=np.uint8)


def save(path: Path, array: np.ndarray, **options) -> np.ndarray:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(array).save(path, **options)
    return array


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(FairshotError) as caught:
        call()
    return str(caught.value)


def test_one_level_gives_classes_below_the_folders_name(birds: Path) -> None:
    expected = [save(birds / name, pixels(i, 6, 5)) for i, name in enumerate(("crow/b.png", "crow/a.png", "tit/c.png"))]
    source = load(str(birds))
    assert source.name == "birds"
    assert source.class_names == ("crow", "tit")
    assert source.parents == ("birds", "birds")
    assert source.class_ids.tolist() == [0, 0, 1]
    assert source.store.shape == (3, 1, 6, 5)
    assert (source.store[:, 0] == np.stack([expected[1], expected[0], expected[2]])).all()
    assert dict(source.attributes) == {}


def test_two_levels_give_parents(birds: Path) -> None:
    for i, name in enumerate(("b/y/1.png", "a/z/1.png", "a/y/1.png", "b/y/2.png", "loose/1.png")):
        save(birds / name, pixels(i, 4, 4))
    source = load(str(birds))
    assert source.class_names == ("a/y", "a/z", "b/y", "loose")
    assert source.parents == ("a", "a", "b", "birds")
    assert source.class_ids.tolist() == [0, 1, 2, 2, 3]


def test_colour_images_have_channels_first(birds: Path) -> None:
    expected = save(birds / "crow/1.png", pixels(0, 6, 5, 3))
    source = load(str(birds))
    assert source.store.shape == (1, 3, 6, 5)
    assert (source.store[0] == expected.transpose(2, 0, 1)).all()


def test_grey_and_colour_mixed_become_colour(birds: Path) -> None:
    colour, grey = save(birds / "crow/1.png", pixels(0, 6, 6, 3)), save(birds / "crow/2.png", pixels(1, 6, 6))
    source = load(str(birds))
    assert (source.store[0] == colour.transpose(2, 0, 1)).all()
    assert (source.store[1] == grey).all()


def test_one_bit_images_are_grey(birds: Path) -> None:
    save(birds / "crow/1.png", pixels(0, 6, 6) > 100)
    assert load(str(birds)).store.shape == (1, 1, 6, 6)
    assert set(np.unique(load(str(birds)).store)) == {0, 255}


def test_images_of_different_sizes_need_a_size(birds: Path) -> None:
    for i, shape in enumerate(((6, 5), (8, 9), (6, 5), (7, 7))):
        save(birds / f"crow/{i}.png", pixels(i, *shape))
    assert refusal(lambda: load(str(birds))) == (
        f"{birds} holds images of 3 sizes, from 5 x 6 to 9 x 8: give recipe=84 (or another number of pixels) to resize "
        "them"
    )


def test_a_size_resizes_bilinearly_to_a_square(birds: Path) -> None:
    arrays = [save(birds / f"crow/{i}.png", pixels(i, *shape)) for i, shape in enumerate(((6, 5), (8, 9), (4, 4)))]
    source = load(str(birds), size=4)
    assert source.store.shape == (3, 1, 4, 4)
    for array, found in zip(arrays, source.store, strict=True):
        assert (found[0] == np.asarray(Image.fromarray(array).resize((4, 4), Image.Resampling.BILINEAR))).all()
    assert (source.store[2, 0] == arrays[2]).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_photographs_are_turned_as_a_person_sees_them(birds: Path, orientation: int) -> None:
    array = pixels(0, 8, 6, 3)
    exif = Image.Exif()
    exif[0x0112] = orientation
    save(birds / "crow/1.png", array, exif=exif)
    turned = {
        1: array,
        2: array[:, ::-1],
        3: array[::-1, ::-1],
        4: array[::-1],
        5: array.transpose(1, 0, 2),
        6: np.rot90(array, -1),
        7: np.rot90(array[::-1], 1),
        8: np.rot90(array, 1),
    }
    if orientation == 7:  # mirrored along the other diagonal
        turned[7] = array[::-1, ::-1].transpose(1, 0, 2)
    source = load(str(birds))
    assert (source.store[0] == turned[orientation].transpose(2, 0, 1)).all()


def test_sixteen_bits_become_the_upper_eight(birds: Path) -> None:
    wide = np.arange(36, dtype=np.uint16).reshape(6, 6) * 1800
    save(birds / "crow/1.png", wide)
    source = load(str(birds))
    assert source.store.shape == (1, 1, 6, 6)
    assert (source.store[0, 0] == wide >> 8).all()


def test_sixteen_bits_among_colour_become_the_upper_eight_too(birds: Path) -> None:
    wide = np.arange(36, dtype=np.uint16).reshape(6, 6) * 1800
    save(birds / "crow/1.png", wide)
    save(birds / "crow/2.png", pixels(1, 6, 6, 3))
    assert (load(str(birds)).store[0] == wide >> 8).all()


def test_transparent_is_seen_on_white_paper_and_says_nothing(birds: Path) -> None:
    clear = save(birds / "crow/1.png", pixels(0, 6, 6, 4))
    palette = Image.fromarray(pixels(1, 6, 6, 3)).quantize(8)
    palette.save(birds / "crow" / "2.png", transparency=bytes([0, 128, 255, 255, 255, 255, 255, 255]))
    share = clear[..., 3:] / 255
    expected = (share * clear[..., :3] + (1 - share) * 255).transpose(2, 0, 1)
    assert np.abs(load(str(birds)).store[0] - expected).max() <= 1


def test_black_ink_on_transparent_paper_can_be_seen(birds: Path) -> None:
    ink = np.zeros((6, 6, 2), np.uint8)
    ink[2, 1:5, 1] = 255
    save(birds / "crow/1.png", ink)
    assert (load(str(birds)).store[0, 0] == 255 - ink[..., 1]).all()


@pytest.mark.parametrize("ending", ["png", "PNG", "bmp", "tif", "tiff", "gif", "pgm"])
def test_lossless_formats_come_back_as_they_were(birds: Path, ending: str) -> None:
    expected = save(birds / f"crow/1.{ending}", pixels(0, 6, 6))
    assert (load(str(birds)).store[0, 0] == expected).all()


@pytest.mark.parametrize("ending", ["jpg", "jpeg", "webp", "JPG"])
def test_lossy_formats_are_read(birds: Path, ending: str) -> None:
    expected = save(birds / f"crow/1.{ending}", np.full((8, 8, 3), 100, np.uint8), quality=95)
    assert np.abs(load(str(birds)).store[0].astype(int) - expected.transpose(2, 0, 1)).max() < 6


def test_hidden_files_and_files_that_are_no_images_are_ignored(birds: Path) -> None:
    save(birds / "crow/1.png", pixels(0, 4, 4))
    save(birds / "crow/.2.png", pixels(1, 4, 4))
    save(birds / ".thumbnails/1.png", pixels(1, 4, 4))
    save(birds / ".git/deep/er/1.png", pixels(1, 4, 4))
    (birds / "crow" / "notes.txt").write_text("seen in the park")
    (birds / "readme.md").write_text("# birds")
    (birds / "empty").mkdir()
    source = load(str(birds))
    assert len(source) == 1
    assert source.class_names == ("crow",)


def test_a_folder_may_lie_below_a_hidden_one(tmp_path: Path) -> None:
    save(tmp_path / ".hidden/birds/crow/1.png", pixels(0, 4, 4))
    assert len(load(str(tmp_path / ".hidden/birds"))) == 1


def test_a_file_that_is_no_image_is_named(birds: Path) -> None:
    save(birds / "crow/1.png", pixels(0, 4, 4))
    (birds / "crow" / "2.png").write_bytes(b"not an image")
    assert refusal(lambda: load(str(birds))) == (
        f"cannot read {birds / 'crow' / '2.png'} as an image: mend or remove it, or leave it out with skip_bad"
    )


@pytest.mark.parametrize(
    ("ending", "text"),
    [("png", "cannot read {} as an image: mend or remove it"), ("jpg", "cannot decode {}: mend or remove it")],
)
def test_an_image_that_breaks_off_is_named(birds: Path, ending: str, text: str) -> None:
    """Pillow looks for a PNG's orientation behind its pixels, so that the first look finds the fault already."""
    path = birds / "crow" / f"2.{ending}"
    save(birds / "crow/1.png", pixels(0, 64, 64))
    save(path, pixels(1, 64, 64))
    path.write_bytes(path.read_bytes()[:1000])
    assert refusal(lambda: load(str(birds))) == f"{text.format(path)}, or leave it out with skip_bad"


def test_a_mended_image_is_read(birds: Path) -> None:
    (birds / "crow").mkdir()
    (birds / "crow" / "1.png").write_bytes(b"")
    refusal(lambda: load(str(birds)))
    save(birds / "crow/1.png", pixels(0, 4, 4))
    assert len(load(str(birds))) == 1


def test_an_image_too_deep_is_named(birds: Path) -> None:
    save(birds / "a/b/c/1.png", pixels(0, 4, 4))
    assert refusal(lambda: load(str(birds))) == (
        f"{birds / 'a/b/c/1.png'} is 3 folders deep: images belong in CLASS/ or PARENT/CLASS/"
    )


def test_an_image_outside_class_folders_is_named(birds: Path) -> None:
    save(birds / "1.png", pixels(0, 4, 4))
    assert refusal(lambda: load(str(birds))) == (
        f"{birds / '1.png'} is in no class folder: images belong in CLASS/ or PARENT/CLASS/"
    )


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere")
    assert refusal(lambda: load(path)) == f"there is no folder {path}: give a folder of class folders with images"


def test_a_folder_without_images_is_refused(birds: Path) -> None:
    (birds / "crow").mkdir()
    (birds / "crow" / "a.txt").touch()
    assert refusal(lambda: load(str(birds))) == (
        f"{birds} holds no images in class folders: expected CLASS/IMAGE.png or PARENT/CLASS/IMAGE.png"
    )


def test_groups_are_those_of_the_pattern_within_each_class(birds: Path) -> None:
    for i, name in enumerate(("crow/7_1.png", "crow/7_2.png", "crow/8_1.png", "tit/7_1.png")):
        save(birds / name, pixels(i, 4, 4))
    assert load(str(birds), groups=r"(\d+)_").attributes["group"].tolist() == [0, 0, 1, 2]
    assert dict(load(str(birds)).attributes) == {}


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\d+_", r"the pattern '\d+_' has no group: put the part that names the group in (brackets)"),
        ("", "the pattern '' has no group: put the part that names the group in (brackets)"),
        ("([a-z]+)_", "the pattern '([a-z]+)_' does not match 7_1.png: every image needs a group"),
        (
            "(",
            "'(' is not a regular expression (missing ), unterminated subpattern at position 0): try '^(track[0-9]+)_'",
        ),
    ],
)
def test_a_pattern_that_gives_no_groups_is_refused(birds: Path, pattern: str, text: str) -> None:
    save(birds / "crow/7_1.png", pixels(0, 4, 4))
    assert refusal(lambda: load(str(birds), groups=pattern)) == text


def test_images_are_decoded_once(birds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(birds / "crow/1.png", pixels(0, 4, 4))
    first = load(str(birds))

    def fail(*_: object) -> None:
        raise AssertionError("decoded again")

    with monkeypatch.context() as patch:
        patch.setattr(module, "pixels", fail)
        assert load(str(birds)).fingerprint == first.fingerprint
    save(birds / "crow/2.png", pixels(1, 4, 4))
    assert len(load(str(birds))) == 2


def test_the_same_images_elsewhere_have_the_same_fingerprint(tmp_path: Path) -> None:
    for place in ("here", "there"):
        save(tmp_path / place / "birds/crow/1.png", pixels(0, 4, 4))
    here, there = (load(str(tmp_path / place / "birds")) for place in ("here", "there"))
    assert here.fingerprint == there.fingerprint


def test_a_link_to_nowhere_is_no_reason_to_stop(birds: Path) -> None:
    save(birds / "crow/1.png", pixels(0, 4, 4))
    (birds / "crow" / "gone.txt").symlink_to(birds / "nowhere")
    assert len(load(str(birds))) == 1


def test_the_home_folder_may_be_abbreviated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    save(tmp_path / "birds/crow/1.png", pixels(0, 4, 4))
    assert load("~/birds").name == "birds"


def test_every_supported_ending_is_written_small_and_with_a_dot() -> None:
    assert all(re.fullmatch(r"\.[a-z]+", ending) for ending in module.ENDINGS)


def test_linked_classes_and_parents_are_read_like_others(birds: Path, tmp_path: Path) -> None:
    for i, name in enumerate(("birds/crow/1.png", "other/tit/1.png", "more/a/x/1.png")):
        save(tmp_path / name, pixels(i, 4, 4))
    (birds / "tit").symlink_to(tmp_path / "other" / "tit")
    (birds / "more").symlink_to(tmp_path / "more" / "a")
    (birds / "crow" / "round").symlink_to(birds)
    assert load(str(birds)).class_names == ("crow", "more/x", "tit")
    save(tmp_path / "other/tit/2.png", pixels(5, 4, 4))
    assert len(load(str(birds))) == 4, "a new image behind a link is seen"


def test_a_folder_with_the_ending_of_an_image_is_a_folder(birds: Path) -> None:
    save(birds / "crow.png/1.png", pixels(0, 4, 4))
    (birds / "tit" / "none.png").mkdir(parents=True)
    assert load(str(birds)).class_names == ("crow.png",)


def test_fractions_and_floats_are_read_alike(birds: Path) -> None:
    levels = pixels(0, 6, 6)
    levels[0, 0] = 255
    for number, divisor in enumerate((1, 255, 255 / (1 + 1e-6))):
        save(birds / f"crow/{number}.tif", (levels / divisor).astype(np.float32))
    assert (load(str(birds)).store == levels).all()


@pytest.mark.parametrize("dtype", [np.uint16, np.int32])
def test_small_numbers_in_many_bits_stay_as_they_are(birds: Path, dtype: type) -> None:
    levels = pixels(0, 6, 6)
    save(birds / "crow/1.tif", levels.astype(dtype))
    assert (load(str(birds)).store[0, 0] == levels).all()


def test_thirty_two_bits_become_the_upper_eight(birds: Path) -> None:
    levels = pixels(0, 6, 6).astype(np.int32)
    levels[0, 0] = 255
    save(birds / "crow/1.tif", levels << 12)
    save(birds / "crow/2.tif", levels << 8)
    assert (load(str(birds)).store[:, 0] == levels).all()


def test_a_float_that_is_no_number_is_refused(birds: Path) -> None:
    save(birds / "crow/1.tif", np.full((4, 4), np.nan, dtype=np.float32))
    assert refusal(lambda: load(str(birds))) == (
        f"cannot decode {birds / 'crow/1.tif'}: mend or remove it, or leave it out with skip_bad"
    )


def test_an_image_of_too_many_pixels_is_named(birds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(birds / "crow/1.png", pixels(0, 6, 6))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    text = f"{birds / 'crow/1.png'} has too many pixels to be read: make it smaller, or remove it"
    assert refusal(lambda: module.pixels(birds / "crow/1.png", 1)) == text
    assert refusal(lambda: load(str(birds))) == f"{text}, or leave it out with skip_bad"


def test_a_large_photograph_is_read_without_a_warning(birds: Path) -> None:
    save(birds / "crow/1.png", pixels(0, 6, 6))
    code = (
        "import sys; from pathlib import Path; from PIL import Image; from fairshot.sources.folder import peek\n"
        "Image.MAX_IMAGE_PIXELS = 20; print(peek(Path(sys.argv[1])))"
    )
    run = [sys.executable, "-W", "default", "-c", code, str(birds / "crow/1.png")]
    ran = subprocess.run(run, capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("(True, (6, 6))\n", "")


@pytest.mark.parametrize("path", ["a" * 300, "~nobody-of-this-name/birds"])
def test_a_name_that_no_folder_can_have_is_refused(path: str) -> None:
    assert refusal(lambda: load(path)) == f"there is no folder {path}: give a folder of class folders with images"


@pytest.mark.parametrize(("first", "second"), [("train", "test"), ("Training", "VALIDATION"), ("testing", "valid")])
def test_a_split_of_images_is_refused(birds: Path, first: str, second: str) -> None:
    for number, name in enumerate(f"{stage}/{kind}/1.png" for stage in (first, second) for kind in ("crow", "tit")):
        save(birds / name, pixels(number, 4, 4))
    one, other = sorted([first, second])
    expected = (
        f"{birds} holds {one}/ and {other}/, and 2 of 2 classes are in more than one of them, such as 'crow': that is a "
        f"split of images, not of classes; give one of them, such as {birds / first}"
    )
    assert refusal(lambda: load(str(birds))) == expected
    assert refusal(lambda: open_support(birds)) == expected
    assert load(str(birds / first)).class_names == ("crow", "tit")


def test_a_split_of_classes_is_read_without_parents_and_noted(birds: Path) -> None:
    for number, name in enumerate(("train/crow", "train/tit", "val/owl", "test/gull")):
        save(birds / name / "1.png", pixels(number, 4, 4))
    for source in (load(str(birds)), load(str(birds))):  # from the files, then from the cache
        assert source.class_names == ("crow", "gull", "owl", "tit")
        assert set(source.parents) == {"birds"}
        assert source.notes == (
            "test/, train/ and val/ hold different classes: they were read as the 4 classes of one source, without parents",
        )
    assert open_support(birds).class_names == ("crow", "gull", "owl", "tit")


def test_other_folders_above_classes_are_parents_as_before(birds: Path) -> None:
    for number, name in enumerate(("train/crow", "tests/crow")):
        save(birds / name / "1.png", pixels(number, 4, 4))
    assert load(str(birds)).parents == ("tests", "train")


def test_a_class_under_two_names_is_noted(birds: Path) -> None:
    for number in range(3):
        for name in ("crow", "tit", "raven"):
            save(birds / name / f"{name}{number}.png", pixels(number + 10 * (name == "tit"), 4, 4))
    for source in (load(str(birds)), load(str(birds))):
        assert source.notes == (
            "the classes 'crow' and 'raven' hold the same images: they are one class under 2 names",
        )


def test_a_class_that_two_parents_share_is_noted(birds: Path) -> None:
    for number, name in enumerate(("sea/gull", "land/gull", "land/tit")):
        save(birds / name / "1.png", pixels(number // 2, 4, 4))
    assert load(str(birds)).notes == (
        "the classes 'land/gull' and 'sea/gull' hold the same images: they are one class under 2 names",
    )


def spoil(birds: Path, count: int) -> list[str]:
    """Some good images of two classes, and as many bad ones of each of three kinds as fit."""
    for number in range(6):
        save(birds / ("crow" if number < 3 else "tit") / f"{number % 2}_{number}.png", pixels(number, 64, 64))
    names = []
    for number in range(count):
        path = birds / "crow" / f"9_bad{number:02d}.jpg"
        save(path, pixels(number, 64, 64))
        path.write_bytes(path.read_bytes()[:1000] if number % 2 else b"nothing")
        names.append(f"crow/{path.name} ({'cannot be decoded' if number % 2 else 'no image'})")
    return names


@pytest.mark.parametrize("count", [2, 10, 13])
def test_all_files_that_cannot_be_read_are_listed_at_once(birds: Path, count: int) -> None:
    names = spoil(birds, count)
    rest = f" and {count - 10} more" if count > 10 else ""
    listed = f"{count} of {count + 6} files in {birds} cannot be read: {', '.join(names[:10])}{rest}"
    assert refusal(lambda: load(str(birds))) == f"{listed}: mend or remove them, or leave them out with skip_bad"
    for _ in range(2):  # from the files, then from the cache
        assert load(str(birds), skip_bad=True).notes == (f"{listed}; they were left out",)
    assert refusal(lambda: load(str(birds))).startswith(listed), "what was skipped once is no permission"


def test_a_folder_without_its_bad_files_is_as_if_they_were_never_there(birds: Path) -> None:
    spoil(birds, 3)
    save(birds / "owl/0_1.png", pixels(7, 64, 64))
    (birds / "owl" / "0_1.png").write_bytes(b"")
    (birds / "crow" / "0_0.png").write_bytes(b"")  # the first of its group
    skipped = load(str(birds), groups=r"^(\d+)_", skip_bad=True)
    assert skipped.notes[0].endswith("; they were left out, and with them all of owl")
    for path in [*birds.glob("crow/9_bad*"), birds / "owl/0_1.png", birds / "crow/0_0.png"]:
        path.unlink()
    clean = load(str(birds), groups=r"^(\d+)_")
    assert (skipped.fingerprint, skipped.origin) == (clean.fingerprint, clean.origin)
    assert skipped.attributes["group"].tolist() == clean.attributes["group"].tolist()
    assert load(str(birds), groups=r"^(\d+)_", skip_bad=True).notes == ()


def test_a_bad_file_that_is_left_out_needs_no_group(birds: Path) -> None:
    spoil(birds, 0)
    (birds / "crow" / "thumbs.png").write_bytes(b"nothing")
    assert load(str(birds), groups=r"^(\d+)_", skip_bad=True).attributes["group"].tolist() == [0, 0, 1, 2, 3, 3]
    save(birds / "crow" / "good.png", pixels(9, 64, 64))
    assert refusal(lambda: load(str(birds), groups=r"^(\d+)_", skip_bad=True)) == (
        r"the pattern '^(\d+)_' does not match good.png: every image needs a group"
    )


def test_a_folder_of_bad_files_alone_is_refused(birds: Path) -> None:
    for name in ("crow", "tit"):
        (birds / name).mkdir()
        (birds / name / "1.png").write_bytes(b"nothing")
    assert refusal(lambda: load(str(birds), skip_bad=True)) == (
        f"2 of 2 files in {birds} cannot be read: crow/1.png (no image), tit/1.png (no image): mend or remove them"
    )


def test_all_support_images_that_cannot_be_read_are_listed_at_once(birds: Path) -> None:
    names = spoil(birds, 4)
    assert refusal(lambda: open_support(birds)) == (
        f"4 of 10 files in {birds} cannot be read: {', '.join(names)}: mend or remove them"
    )
