import io
import tarfile
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources import cifar100 as module
from fairshot.sources.cifar100 import load

FINE, COARSE = ("apple", "bee", "cup"), ("fruit", "insects")
LABELS = {"train.bin": [2, 0, 1, 1, 0, 2], "test.bin": [1, 2, 0]}
PARENT = {0: 0, 1: 1, 2: 0}


def planes(name: str) -> np.ndarray:
    """Colour planes of random images, [image, channel, height, width]."""
    count = len(LABELS[name])
    return np.random.default_rng(count).integers(0, 256, (count, 3, 32, 32), dtype=np.uint8)


def files() -> dict[str, bytes]:
    """The official binary layout: superclass, class, then the red, green and blue planes of each image."""
    binary = {
        name: b"".join(
            bytes([PARENT[label], label]) + image.tobytes() for label, image in zip(labels, planes(name), strict=True)
        )
        for name, labels in LABELS.items()
    }
    names = {"fine_label_names.txt": FINE, "coarse_label_names.txt": COARSE}
    return binary | {name: ("\n".join(words) + "\n").encode() for name, words in names.items()}


def write_folder(folder: Path, content: dict[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)


def write_tar(path: Path, content: dict[str, bytes]) -> None:
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, data in content.items():
            info = tarfile.TarInfo(f"cifar-100-binary/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


@pytest.fixture
def miniature(monkeypatch: pytest.MonkeyPatch, data_folder: Path, tmp_path: Path) -> Path:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "FILES", {"train.bin": 6, "test.bin": 3})
    return data_folder / "cifar100"


def refusal() -> str:
    with pytest.raises(FairshotError) as caught:
        load()
    return str(caught.value)


def test_the_binary_version_is_read(miniature: Path) -> None:
    write_folder(miniature / "cifar-100-binary", files())
    source = load()
    assert source.name == "cifar100"
    assert source.class_names == FINE
    assert source.parents == ("fruit", "insects", "fruit")
    assert source.class_ids.tolist() == LABELS["train.bin"] + LABELS["test.bin"]
    assert (source.store == np.concatenate([planes("train.bin"), planes("test.bin")])).all()
    assert source.attributes["official_test"].tolist() == [0] * 6 + [1] * 3


def test_folder_loose_files_and_archive_give_the_same(
    miniature: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(miniature / "cifar-100-binary", files())
    folder = load()
    monkeypatch.setenv("FAIRSHOT_DATA", str(tmp_path / "loose"))
    write_folder(tmp_path / "loose" / "cifar100", files())
    loose = load()
    monkeypatch.setenv("FAIRSHOT_DATA", str(tmp_path / "packed"))
    write_tar(tmp_path / "packed" / "cifar100" / "cifar-100-binary.tar.gz", files())
    packed = load()
    assert folder.fingerprint == loose.fingerprint == packed.fingerprint
    assert (packed.store == folder.store).all()


@pytest.mark.parametrize("missing", [{"test.bin"}, {"coarse_label_names.txt", "train.bin"}])
def test_missing_files_are_named(miniature: Path, missing: set[str]) -> None:
    write_folder(miniature / "cifar-100-binary", {name: data for name, data in files().items() if name not in missing})
    assert refusal() == (
        f"{miniature / 'cifar-100-binary'} lacks {', '.join(sorted(missing))}: fetch it again with "
        "'fairshot data get cifar100'"
    )


def test_a_truncated_file_is_named(miniature: Path) -> None:
    content = files()
    write_folder(miniature / "cifar-100-binary", content | {"test.bin": content["test.bin"][:-1]})
    assert refusal() == (
        f"{miniature / 'cifar-100-binary'}: test.bin has {3 * 3074 - 1} bytes, the official one {3 * 3074}: "
        "fetch it again with 'fairshot data get cifar100'"
    )


def test_a_truncated_file_in_an_archive_is_named(miniature: Path) -> None:
    content = files()
    write_tar(miniature / "cifar-100-binary.tar.gz", content | {"train.bin": content["train.bin"][:3074]})
    assert refusal() == (
        f"{miniature / 'cifar-100-binary.tar.gz'}: cifar-100-binary/train.bin has 3074 bytes, the official one {6 * 3074}: "
        "fetch it again with 'fairshot data get cifar100'"
    )


def test_absent_data_says_what_to_do(miniature: Path) -> None:
    assert refusal() == (
        f"cifar100 is not here: no cifar-100-binary in {miniature}; run 'fairshot data get cifar100', or let "
        "FAIRSHOT_DATA list the folder that holds cifar100/"
    )


def test_the_official_sizes_are_those_of_the_official_files() -> None:
    assert module.FILES == {"train.bin": 50_000, "test.bin": 10_000}
    assert module.RECORD == 3074
