"""Vectors in a file: what was embedded once is the same data everywhere."""

from pathlib import Path

import numpy as np
import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.evaluation.embed import embed
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays

ENCODER = "def net(images):\n    return images.reshape(len(images), -1)[:, ::7]\n"


@pytest.fixture
def arrays(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    labels = np.arange(60) % 6
    pixels = (random.integers(0, 60, (60, 8, 8)) + 30 * labels[:, None, None]).astype(np.uint8)
    np.savez(tmp_path / "images.npz", X=pixels, y=labels, groups=np.arange(60) // 6, parents=labels // 3)
    (tmp_path / "net.py").write_text(ENCODER)
    return tmp_path


def test_a_file_of_vectors_gives_the_same_answers(arrays: Path, capsys: pytest.CaptureFixture[str]) -> None:
    images, vectors = f"array:{arrays / 'images.npz'}", arrays / "v.npz"
    assert main(["embed", images, "--encoder", f"{arrays / 'net.py'}:net", "--out", str(vectors)]) == 0
    assert "60 images of 6 classes, 10 numbers each" in capsys.readouterr().out
    shape = {"way": 3, "query": 3, "episodes": 50}
    before = fs.evaluate(images, f"ridge@{arrays / 'net.py'}:net", **shape)
    after = fs.evaluate(f"array:{vectors}", "ridge", **shape)
    assert after.rows[0].value == before.rows[0].value
    assert after.rows[0].episodes_key == before.rows[0].episodes_key  # so that they can be paired
    assert after.rows[0].intervals == before.rows[0].intervals


def test_vectors_of_two_encoders_are_compared_item_by_item(arrays: Path) -> None:
    for name, encode in (("a", lambda x: x.reshape(len(x), -1)[:, :4]), ("b", lambda x: x.reshape(len(x), -1))):
        embed(f"array:{arrays / 'images.npz'}", encode).save(arrays / f"{name}.npz")
        fs.evaluate(
            f"array:{arrays / name}.npz", {name: "ridge"}, way=3, query=3, episodes=40, out=arrays / f"runs-{name}"
        )
    comparisons = fs.compare([arrays / "runs-a", arrays / "runs-b"])
    assert len(comparisons) == 1


def test_groups_parents_and_classes_are_kept(arrays: Path) -> None:
    found = embed(f"array:{arrays / 'images.npz'}", lambda x: x.reshape(len(x), -1))
    found.save(arrays / "v.npz")
    before, after = found.source, fs.data(f"array:{arrays / 'v.npz'}")
    assert after.class_names == before.class_names
    assert after.parents == before.parents
    np.testing.assert_array_equal(after.attributes["group"], before.attributes["group"])


def test_what_cannot_be_embedded_is_said(arrays: Path) -> None:
    with pytest.raises(FairshotError, match="holds 4 vectors and no images: it is embedded already"):
        embed(from_arrays(np.eye(4), [0, 0, 1, 1]), lambda x: x)
    found = embed(f"array:{arrays / 'images.npz'}", lambda x: x.reshape(len(x), -1))
    with pytest.raises(FairshotError, match=r"\.npz"):
        found.save(arrays / "v.csv")
