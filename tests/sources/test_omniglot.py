import io
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.data import find_data
from fairshot.runtime.errors import FairshotError
from fairshot.sources import omniglot as module
from fairshot.sources.omniglot import _plain_bits, load
from fairshot.sources.source import Source

FINGERPRINT = "2ad8efaa31eeb3306e855115e4fa5a53"  # of the official drawings, read on any machine
MINIATURE = {  # set, alphabet, characters; two drawings each
    "images_background": {"Greek": 2, "Alphabet_of_the_Magi": 1},
    "images_evaluation": {"ULOG": 1, "Angelic": 2},
}


def png(number: int, *, size: int = 105, mode: str = "1") -> bytes:
    rng = np.random.default_rng(number)
    buffer = io.BytesIO()
    Image.fromarray(rng.integers(0, 2, (size, size)).astype(np.uint8) * 255).convert(mode).save(buffer, "PNG")
    return buffer.getvalue()


def hand_made(bits: np.ndarray, *, filters: int = 0, blocks: int = 1, extra: bytes = b"") -> bytes:
    """A PNG of 1-bit rows, each with the given filter byte, in one or more blocks of data."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    height, width = bits.shape
    rows = b"".join(bytes([filters]) + np.packbits(row).tobytes() for row in bits)
    data = zlib.compress(rows)
    cuts = np.linspace(0, len(data), blocks + 1).astype(int)
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    body = b"".join(chunk(b"IDAT", data[start:stop]) for start, stop in pairwise(cuts))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + body + chunk(b"IEND", b"")


def write_miniature(
    folder: Path, *, packed: bool, change: Callable[[str, bytes], bytes | None] = lambda _, data: data
) -> None:
    """The official layout with few drawings; `change` may alter a drawing, or leave it out by returning None."""
    number = 0
    for name, alphabets in MINIATURE.items():
        files: dict[str, bytes] = {}
        for alphabet, characters in alphabets.items():
            for character in range(1, characters + 1):
                for drawer in (2, 1):
                    member = f"{name}/{alphabet}/character{character:02d}/{number:04d}_{drawer:02d}.png"
                    data = change(member, png(number * 10 + drawer))
                    files |= {member: data} if data is not None else {}
                number += 1
        (folder / "omniglot").mkdir(exist_ok=True)
        if packed:
            with zipfile.ZipFile(folder / "omniglot" / f"{name}.zip", "w") as archive:
                archive.writestr(f"{name}/", b"")
                for member, data in files.items():
                    archive.writestr(member, data)
                archive.writestr(f"__MACOSX/{name}/Greek/character01/._0000_01.png", b"rubbish")
        else:
            for member, data in files.items():
                (folder / "omniglot" / member).parent.mkdir(parents=True, exist_ok=True)
                (folder / "omniglot" / member).write_bytes(data)


@pytest.fixture
def miniature(monkeypatch: pytest.MonkeyPatch, data_folder: Path, tmp_path: Path) -> Path:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "SETS", {"images_background": (3, 6), "images_evaluation": (3, 6)})
    return data_folder


def test_the_real_omniglot_has_its_published_counts(omniglot: Source) -> None:
    assert omniglot.store.shape == (32_460, 1, 105, 105)
    assert omniglot.store.dtype == np.uint8
    assert len(omniglot.class_names) == len(set(omniglot.class_names)) == len(omniglot.classes) == 1623
    assert (omniglot.members.counts == 20).all()
    assert len(omniglot.parent_names) == 50
    background = omniglot.class_attributes["background"]
    assert background.tolist() == [1] * 964 + [0] * 659
    assert np.unique(omniglot.parent_ids[:964]).tolist() == list(range(30))
    assert np.unique(omniglot.parent_ids[964:]).tolist() == list(range(30, 50))


def test_the_real_omniglot_is_the_official_one(omniglot: Source) -> None:
    assert omniglot.fingerprint == FINGERPRINT


def test_classes_stand_in_the_order_of_the_published_splits(omniglot: Source) -> None:
    assert omniglot.class_names[0] == "Alphabet_of_the_Magi/character01"
    assert omniglot.class_names[963] == "Tifinagh/character55"
    assert omniglot.class_names[964] == "Angelic/character01"
    assert omniglot.class_names[1622] == "ULOG/character26"
    assert list(omniglot.class_names[:964]) == sorted(omniglot.class_names[:964])
    assert list(omniglot.class_names[964:]) == sorted(omniglot.class_names[964:])
    assert omniglot.class_ids.tolist() == sorted(omniglot.class_ids.tolist())
    assert omniglot.parents == tuple(name.split("/")[0] for name in omniglot.class_names)


def test_every_character_is_drawn_once_by_each_of_20_people(omniglot: Source) -> None:
    assert omniglot.attributes["drawer"].tolist() == list(range(1, 21)) * 1623


def test_ink_is_black_on_white_paper(omniglot: Source) -> None:
    sample = omniglot.store[::100]
    assert np.unique(sample).tolist() == [0, 255]
    assert 0.9 < (sample == 255).mean() < 1


def test_the_one_known_pair_of_equal_drawings_is_there(omniglot: Source) -> None:
    braille = np.flatnonzero(omniglot.class_ids == omniglot.class_names.index("Braille/character01"))
    drawers = omniglot.attributes["drawer"][braille]
    third, nineteenth = (omniglot.store[braille[drawers == drawer][0]] for drawer in (3, 19))
    assert (third == nineteenth).all()
    assert not (third == omniglot.store[braille[0]]).all()


def test_plain_bits_agree_with_pillow_on_real_drawings(omniglot: Source) -> None:
    path = find_data("omniglot", "images_evaluation")
    if path.suffix != ".zip":
        pytest.skip("needs images_evaluation.zip; here it is unpacked")
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".png")][::400]
        plain = 0
        for name in names:
            data = archive.read(name)
            bits = _plain_bits(data)
            if bits is not None:
                plain += 1
                assert (bits == np.asarray(Image.open(io.BytesIO(data)))).all()
    assert plain > 0.9 * len(names)


def test_plain_bits_agree_with_pillow_on_hand_made_drawings() -> None:
    for seed in range(5):
        bits = np.random.default_rng(seed).integers(0, 2, (105, 105), dtype=np.uint8)
        data = hand_made(bits)
        found = _plain_bits(data)
        assert found is not None
        assert found.dtype == np.uint8
        assert (found == bits).all()
        assert (np.asarray(Image.open(io.BytesIO(data))) == bits).all()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(hand_made(np.eye(105, dtype=np.uint8), filters=2), id="filtered rows"),
        pytest.param(hand_made(np.eye(105, dtype=np.uint8), blocks=2), id="two blocks of data"),
        pytest.param(hand_made(np.eye(104, dtype=np.uint8)), id="another size"),
        pytest.param(hand_made(np.eye(105, dtype=np.uint8))[:-60], id="cut short"),
        pytest.param(png(0, mode="L"), id="8 bits"),
        pytest.param(png(0, mode="RGB"), id="colour"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"GIF89a" + bytes(100), id="no PNG"),
    ],
)
def test_plain_bits_leave_other_files_to_pillow(data: bytes) -> None:
    assert _plain_bits(data) is None


@pytest.mark.parametrize("variant", ["filters", "blocks"])
def test_unusual_but_valid_drawings_are_decoded_all_the_same(miniature: Path, variant: str) -> None:
    bits = np.eye(105, dtype=np.uint8)
    data = hand_made(bits, filters=1) if variant == "filters" else hand_made(bits, blocks=3)
    expected = np.asarray(Image.open(io.BytesIO(data))).astype(np.uint8) * 255
    write_miniature(miniature, packed=True, change=lambda member, old: data if "0000_01" in member else old)
    source = load()
    where = source.class_names.index("Greek/character01")
    assert (source.store[np.flatnonzero(source.class_ids == where)[0], 0] == expected).all()


def test_packed_and_unpacked_give_the_same_source(miniature: Path) -> None:
    write_miniature(miniature, packed=True)
    packed = load()
    shutil.rmtree(miniature / "omniglot")
    write_miniature(miniature, packed=False)
    unpacked = load()
    assert packed.fingerprint == unpacked.fingerprint
    assert (packed.store == unpacked.store).all()
    assert packed.class_names == (
        "Alphabet_of_the_Magi/character01",
        "Greek/character01",
        "Greek/character02",
        "Angelic/character01",
        "Angelic/character02",
        "ULOG/character01",
    )
    assert packed.parents[0] == "Alphabet_of_the_Magi"
    assert packed.attributes["drawer"].tolist() == [1, 2] * 6
    assert packed.class_attributes["background"].tolist() == [1, 1, 1, 0, 0, 0]


def test_the_pixels_are_those_that_pillow_sees(miniature: Path) -> None:
    write_miniature(miniature, packed=False)
    source = load()
    for path in (miniature / "omniglot").rglob("*.png"):
        label = source.class_names.index("/".join(path.parts[-3:-1]))
        row = np.flatnonzero((source.class_ids == label) & (source.attributes["drawer"] == int(path.stem[-2:])))
        assert (source.store[row[0], 0] == np.asarray(Image.open(path)).astype(np.uint8) * 255).all()


def test_the_layout_of_the_official_repository_is_found(miniature: Path) -> None:
    write_miniature(miniature, packed=True)
    (miniature / "omniglot").rename(miniature / "python")
    (miniature / "omniglot").mkdir()
    (miniature / "python").rename(miniature / "omniglot" / "python")
    assert len(load()) == 12


def test_a_changed_archive_is_read_anew(miniature: Path) -> None:
    write_miniature(miniature, packed=True)
    first = load()
    write_miniature(miniature, packed=True, change=lambda member, old: png(77) if "0000_01" in member else old)
    assert load().fingerprint != first.fingerprint


def test_a_missing_archive_says_what_to_do(miniature: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        load()
    assert str(caught.value) == (
        f"omniglot is not here: no images_background in {miniature / 'omniglot'}; run 'fairshot data get omniglot', or let "
        "FAIRSHOT_DATA list the folder that holds omniglot/"
    )


def test_one_archive_of_two_is_not_enough(miniature: Path) -> None:
    write_miniature(miniature, packed=True)
    (miniature / "omniglot" / "images_evaluation.zip").unlink()
    with pytest.raises(FairshotError) as caught:
        load()
    assert str(caught.value).startswith(f"omniglot is not here: no images_evaluation in {miniature / 'omniglot'}; run")


@pytest.mark.parametrize("packed", [True, False])
def test_too_few_drawings_are_refused(miniature: Path, packed: bool) -> None:
    write_miniature(miniature, packed=packed, change=lambda member, old: None if "0003_02" in member else old)
    with pytest.raises(FairshotError) as caught:
        load()
    path = miniature / "omniglot" / ("images_evaluation.zip" if packed else "images_evaluation")
    assert str(caught.value) == (
        f"{path} holds 5 drawings, the official one 6: fetch it again with 'fairshot data get omniglot'"
    )


def test_a_corrupt_drawing_is_named(miniature: Path) -> None:
    write_miniature(miniature, packed=True, change=lambda member, old: b"no image" if "0000_01" in member else old)
    with pytest.raises(FairshotError) as caught:
        load()
    path = miniature / "omniglot" / "images_background.zip"
    message = f"{path}: cannot decode images_background/Greek/character01/0000_01.png: fetch it again"
    assert str(caught.value) == message


def test_a_drawing_that_breaks_off_is_named(miniature: Path) -> None:
    write_miniature(miniature, packed=True, change=lambda member, old: old[:200] if "0000_01" in member else old)
    with pytest.raises(FairshotError) as caught:
        load()
    path = miniature / "omniglot" / "images_background.zip"
    message = f"{path}: cannot decode images_background/Greek/character01/0000_01.png: fetch it again"
    assert str(caught.value) == message


@pytest.mark.parametrize("wrong", [png(1, mode="L"), png(1, size=28)], ids=["8 bits", "28 x 28"])
def test_a_drawing_of_another_kind_is_named(miniature: Path, wrong: bytes) -> None:
    write_miniature(miniature, packed=True, change=lambda member, old: wrong if "0000_01" in member else old)
    with pytest.raises(FairshotError) as caught:
        load()
    assert str(caught.value) == (
        f"{miniature / 'omniglot' / 'images_background.zip'}: images_background/Greek/character01/0000_01.png is not a "
        "105 x 105 black-and-white image: fetch it again"
    )


def test_a_corrupt_zip_is_refused_and_leaves_no_cache(miniature: Path, tmp_path: Path) -> None:
    write_miniature(miniature, packed=True)
    path = miniature / "omniglot" / "images_background.zip"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FairshotError) as caught:
        load()
    assert str(caught.value) == f"{path} is not a complete archive (File is not a zip file): fetch it again"
    assert list(tmp_path.glob("cache/sources/*")) == []
