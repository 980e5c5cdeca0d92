"""Encoders by name, in front of learners, and by default for colour photographs."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import fairshot as fs
from fairshot.learners.encoders import efficientnet_lite0
from fairshot.learners.encoders.encoder import Encoder
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.specs import encoders
from fairshot.specs.encoders import NONE, find_encoder, in_colour, put_encoders, sight_notes
from fairshot.specs.learners import as_learners

E = "efficientnet-lite0"


def flat(images: np.ndarray) -> np.ndarray:
    return images.reshape(len(images), -1)[:, :6]


def photos(folder: Path, mode: str = "RGB") -> Path:
    random = np.random.default_rng(0)
    for label, number in ((label, number) for label in "abcdef" for number in range(6)):
        path = folder / label / f"{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        pixels = random.integers(0, 256, (9, 8 + number % 2, 3), dtype=np.uint8)
        Image.fromarray(pixels).convert(mode).save(path)
    return folder


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("resnet", "unknown encoder 'resnet': choose efficientnet-lite0, timm:NAME, open_clip:MODEL/WEIGHTS,"),
        ("timm", "cannot read 'timm' as an encoder: write timm:NAME"),
        ("efficientnet-lite0:160", "cannot read 'efficientnet-lite0:160' as an encoder: write efficientnet-lite0"),
        ("efficientnet-lite0:size=big", "size of efficientnet-lite0 is 'big': give a value of type int"),
        ("no.py:net", "there is no file no.py"),
    ],
)
def test_a_wrong_name_gets_one_line(text: str, message: str) -> None:
    with pytest.raises(FairshotError, match=message):
        find_encoder(text)


def test_learners_with_weights_of_their_own_stay_as_they_are() -> None:
    asked = ["ridge", "Ours=prototypes", "prototypes@omniglot-lake", "hausdorff"]
    assert put_encoders(asked, E) == {
        "ridge": f"ridge@{E}",
        "Ours": f"prototypes@{E}",
        "prototypes@omniglot-lake": "prototypes@omniglot-lake",
        "hausdorff": "hausdorff",
    }
    assert put_encoders(asked, NONE) is asked


def test_several_encoders_stand_in_the_names() -> None:
    assert set(put_encoders(["ridge", "svm"], [E, "array:x.npz"])) == {
        f"ridge@{E}",
        f"svm@{E}",
        "ridge@array:x.npz",
        "svm@array:x.npz",
    }
    with pytest.raises(FairshotError, match="'none' means no encoder"):
        put_encoders("ridge", [E, NONE])


def test_functions_modules_and_estimators_of_python() -> None:
    from sklearn.neighbors import KNeighborsClassifier

    crossed = put_encoders({"knn": KNeighborsClassifier(1), "proto": "prototypes"}, flat)
    assert set(crossed) == {"knn", "proto"}
    pixels = np.random.default_rng(0).integers(0, 256, (40, 6, 6), dtype=np.uint8)
    found = fs.evaluate((pixels, np.arange(40) % 4), {"proto": "prototypes"}, way=2, query=3, episodes=20, encoder=flat)
    by_hand = fs.evaluate((flat(pixels) / 255, np.arange(40) % 4), {"proto": "prototypes"}, way=2, query=3, episodes=20)
    assert found.rows[0].value == pytest.approx(by_hand.rows[0].value, abs=0.3)
    with pytest.raises(FairshotError, match="an encoder is given as int"):
        put_encoders("ridge", 5)


@pytest.mark.parametrize(("mode", "colour"), [("RGB", True), ("L", False), ("RGBA", True)])
def test_colour_is_seen_in_the_files(tmp_path: Path, mode: str, colour: bool) -> None:
    files = sorted(photos(tmp_path, mode).rglob("*.png"))
    files[0].write_text("no image")
    assert in_colour(files) is colour


def test_colour_photographs_get_the_usual_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = f"folder:{photos(tmp_path / 'photos')}"
    monkeypatch.setattr(efficientnet_lite0, "weights_file", lambda: tmp_path)
    assert put_encoders(["ridge", "chance"], None, folder) == {"ridge": f"ridge@{E}", "chance": "chance"}
    assert put_encoders("ridge", None, folder, recipe="32") == "ridge"  # somebody said how they are to be looked at
    assert put_encoders("ridge", None, f"folder:{photos(tmp_path / 'grey', 'L')}") == "ridge"
    assert put_encoders("ridge", None, "omniglot/lake/novel") == "ridge"
    monkeypatch.setattr(efficientnet_lite0, "weights_file", lambda: None)
    assert put_encoders("ridge", None, folder) == "ridge"


def test_photographs_are_read_at_the_size_that_the_encoder_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Small(Encoder):
        pixels, plain, warnings = 12, True, ("small made vectors of the images",)
        name = identity = "small"

        def embed(self, images: torch.Tensor) -> torch.Tensor:
            assert images.shape[1:] == (3, 12, 12)
            return images.mean((2, 3))

    monkeypatch.setattr(encoders, "find_encoder", lambda text: Small())
    evaluation = fs.evaluate(f"folder:{photos(tmp_path)}", "ridge", way=2, query=3, episodes=10, encoder=E)
    assert evaluation.result.source.recipe == "12"
    assert list(evaluation.notes) == ["small made vectors of the images"]


@pytest.mark.parametrize(("channels", "cure"), [(3, "give an encoder"), (1, "train a network on other classes")])
def test_who_sees_pixels_is_said_with_the_cure(channels: int, cure: str) -> None:
    source = from_arrays(np.zeros((4, channels, 5, 5), dtype=np.uint8), [0, 0, 1, 1])
    (note,) = sight_notes(as_learners(["ridge", "svm", "chance", "pixels"]), source)
    assert note.startswith("ridge and svm see raw pixels")
    assert cure in note
    assert sight_notes(as_learners(["chance"]), source) == []
    assert sight_notes(as_learners(["ridge"]), from_arrays(np.eye(4), [0, 0, 1, 1])) == []
