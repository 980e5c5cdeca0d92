import io
import os
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from fairshot.runtime import archives
from fairshot.runtime.archives import open_archive, read_only_file, refuse_climbing, refuse_web_page
from fairshot.runtime.errors import FairshotError

FILES = {"top/b/2.txt": b"two", "top/a.txt": b"one", "top/b/1.bin": bytes(range(256)) * 40, "top/empty": b""}


def make_folder(path: Path, files: dict[str, bytes] = FILES) -> Path:
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


def make_zip(path: Path, files: dict[str, bytes] = FILES) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("top/", b"")
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def make_tar(path: Path, files: dict[str, bytes] = FILES) -> Path:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        folder = tarfile.TarInfo("top")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def contents(path: Path) -> tuple[list[str], list[bytes]]:
    with open_archive(path) as (names, read):
        return names, [read(name) for name in names]


@pytest.mark.parametrize("name", ["folder", "a.zip", "a.tar", "a.tar.gz", "a.tgz"])
def test_zip_tar_and_folder_give_the_same_names_and_bytes(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    make_zip(path) if name == "a.zip" else make_folder(path) if name == "folder" else make_tar(path)
    assert contents(path) == (sorted(FILES), [FILES[name] for name in sorted(FILES)])


def test_links_in_a_tar_are_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        link = tarfile.TarInfo("top/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("top/plain"))
    assert contents(path) == (["top/plain"], [b""])


CLIMBING = [".", "../x", "top/../../x", "/abs", "C:\\x", "C:/x", "..\\x", "\\\\host\\x"]


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize("climbing", CLIMBING)
def test_an_entry_that_climbs_out_is_refused(tmp_path: Path, make, climbing: str) -> None:
    path = make(tmp_path / ("a.zip" if make is make_zip else "a.tar.gz"), {"fine": b"1", climbing: b"2"})
    with pytest.raises(FairshotError) as caught, open_archive(path):
        pass
    # tarfile keeps the name as it is written, zipfile too
    assert str(caught.value) == (
        f"{path} holds an entry that climbs out of its folder ('{climbing}'): do not use this archive"
    )


@pytest.mark.parametrize("name", ["a..b/c", "...", "top/..hidden", "top/C:x", "./top/a"])
def test_names_that_only_look_like_climbing_are_fine(tmp_path: Path, name: str) -> None:
    refuse_climbing(tmp_path, [name])


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz"])
@pytest.mark.parametrize("start", [b"<!DOCTYPE html>", b"\n\n  <html>", b"<?xml version='1.0'?>", b"<HTML lang=en>"])
def test_a_web_page_in_disguise_is_refused(tmp_path: Path, name: str, start: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(start + b"<body>404 not found</body>" * 100)
    with pytest.raises(FairshotError) as caught, open_archive(path):
        pass
    assert str(caught.value) == (
        f"{path} is a web page, not an archive: the address it came from no longer serves the data"
    )


def test_an_archive_is_no_web_page(tmp_path: Path) -> None:
    refuse_web_page(make_zip(tmp_path / "a.zip"))
    (tmp_path / "empty").touch()
    refuse_web_page(tmp_path / "empty")


def test_a_truncated_zip_is_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(FairshotError) as caught, open_archive(path):
        pass
    assert str(caught.value) == f"{path} is not a complete archive (File is not a zip file): fetch it again"


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz"])
def test_a_truncated_tar_is_refused(tmp_path: Path, name: str) -> None:
    path = make_tar(tmp_path / name, {"big": random.Random(0).randbytes(50_000), "bigger": bytes(90_000)})
    path.write_bytes(path.read_bytes()[:30_000])
    with pytest.raises(FairshotError) as caught:
        contents(path)
    reason = (
        "Compressed file ended before the end-of-stream marker was reached"
        if name == "a.tar.gz"
        else "unexpected end of data"
    )
    assert str(caught.value) == f"{path} is not a complete archive ({reason}): fetch it again"


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz"])
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"just some text, nothing else")
    with pytest.raises(FairshotError) as caught, open_archive(path):
        pass
    reason = "File is not a zip file" if name == "a.zip" else "file could not be opened successfully"
    assert str(caught.value).startswith(f"{path} is not a complete archive ({reason}")
    assert str(caught.value).endswith("): fetch it again")
    assert "\n" not in str(caught.value)


def test_a_zip_with_flipped_bytes_in_a_stored_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.txt", b"some plain text")
    path.write_bytes(path.read_bytes().replace(b"plain", b"PLAIN"))
    with pytest.raises(FairshotError) as caught:
        contents(path)
    assert str(caught.value) == f"{path} is not a complete archive (Bad CRC-32 for file 'a.txt'): fetch it again"


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_an_archive_with_flipped_bytes_in_compressed_data_is_refused(tmp_path: Path, name: str) -> None:
    noise = random.Random(0).randbytes(20_000).hex().encode()
    path = (make_zip if name == "a.zip" else make_tar)(tmp_path / name, {"noise": noise})
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = b"\x06\x07" * 100
    path.write_bytes(bytes(data))
    with pytest.raises(FairshotError) as caught:
        contents(path)
    assert str(caught.value) == (
        f"{path} is not a complete archive (Error -3 while decompressing data: invalid distance too far back): fetch it again"
    )


def test_an_error_of_the_reader_passes_through(tmp_path: Path) -> None:
    with pytest.raises(FairshotError) as caught, open_archive(make_zip(tmp_path / "a.zip")):
        raise FairshotError("my own")
    assert str(caught.value) == "my own"


def test_a_large_compressed_tar_is_decompressed_once_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LARGE", 0)
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    names = [f"folder/{name}" for name in "cab"]
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
    with open_archive(tmp_path / "a.tgz") as (members, read):
        assert members == sorted(names)
        assert [read(name).decode() for name in members] == members
        assert len(list((tmp_path / "cache").rglob("*.tar"))) == 1
    assert list((tmp_path / "cache").iterdir()) == []
    damaged = bytearray((tmp_path / "a.tgz").read_bytes())
    damaged[-6] ^= 1
    (tmp_path / "a.tgz").write_bytes(damaged)
    with pytest.raises(FairshotError, match=r"a\.tgz is not a complete archive"), open_archive(tmp_path / "a.tgz"):
        pass


def test_one_file_is_read_from_wherever_it_is(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("annotations/train.json", "1")
        archive.writestr("annotations/not_train.json", "2")
    assert read_only_file(tmp_path / "a.zip", "train.json") == b"1"
    (tmp_path / "train.json").write_text("3")
    assert read_only_file(tmp_path / "train.json", "train.json") == b"3"
    with pytest.raises(FairshotError, match=r"a\.zip holds no val\.json: it must hold one$"):
        read_only_file(tmp_path / "a.zip", "val.json")


def patched(path: Path, local: int, central: int, value: int) -> Path:
    """The first entry's flags or method, in both places where a zip says them."""
    data = bytearray(path.read_bytes())
    data[local] = data[data.find(b"PK\1\2") + central] = value
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("places", "reason"),
    [((6, 8, 1), r"File 'a' is encrypted, .*"), ((8, 10, 77), "That compression method is not supported")],
)
def test_what_cannot_be_unpacked_is_said(places: tuple[int, int, int], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"some text")
    with pytest.raises(FairshotError, match=rf"^{path}: cannot unpack a \({reason}\): pack the archive anew$"):
        contents(patched(path, *places))


@pytest.mark.parametrize("name", ["folder", "a.zip", "a.tar"])
def test_an_entry_that_would_fill_the_memory_is_not_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    make_zip(path) if name == "a.zip" else make_folder(path) if name == "folder" else make_tar(path)
    monkeypatch.setattr(archives, "LARGEST", 10_000)
    with pytest.raises(FairshotError) as caught:
        contents(path)
    assert str(caught.value) == (
        f"{path} holds top/b/1.bin with 10,240 bytes, and at most 10,000 are read at once: remove it"
    )


def test_names_that_are_no_utf8_are_written_out(tmp_path: Path) -> None:
    name = os.fsdecode(b"top/\xe9t\xe9")
    for path in (make_folder(tmp_path / "folder", {name: b"1"}), make_tar(tmp_path / "a.tar", {name: b"1"})):
        assert contents(path) == (["top/\\xe9t\\xe9"], [b"1"])
