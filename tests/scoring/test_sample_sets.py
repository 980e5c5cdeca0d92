"""Samples given as files, arrays, functions, objects and specs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics
from fairshot.scoring.sample_sets import Request, draw_samples, name_sets
from fairshot.scoring.score import score
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part
from tests.scoring.small_world import ON, PROTOCOL, value


def test_exemplars_at_random_and_somebodys_generator(critics: Critics, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\n"
        "def shifted(exemplars, count, seed):\n"
        "    assert exemplars.shape[1:] == (1, 50, 50) and set(np.unique(exemplars)) == {0, 1}\n"
        "    return np.stack([np.roll(exemplars, step - 1, 3) for step in range(count)], 1)\n"
    )
    for how in ("central", "random"):
        one = score([f"{file}:shifted"], critic=critics, on=ON, count=3, protocol=replace(PROTOCOL, exemplars=how))
        assert value(one, f"{file}:shifted", "copies") == 1, "a shift by a pixel is a copy still"
        assert value(one, f"{file}:shifted", "diversity") > 0
    with pytest.raises(FairshotError, match="fresh drawings can be had of glyphs alone, and these are of folder"):
        score(["fresh"], critic=critics, on=_folder(tmp_path), protocol=PROTOCOL)


def _folder(tmp_path: Path) -> str:
    from PIL import Image

    part = find_part(ON)
    for row in range(len(part)):
        folder = tmp_path / "people" / part.class_names[part.class_ids[row]]
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(part.store[part.image_ids[row], 0]).save(folder / f"{row}.png")
    return f"folder:{tmp_path / 'people'}"


def test_what_is_said_of_ink_is_not_said_of_yardsticks() -> None:
    part, recipe = find_part(ON, recipe="diversity"), find_recipe("diversity")
    shown = recipe.scale(part.read(slice(0, None, 10)))
    for spec in ("copy", "fresh"):
        request = Request(part=part, exemplars=shown, recipe=recipe, on=ON, count=2)
        drawn = [draw_samples(spec, replace(request, ink=ink)).images for ink in ("auto", "dark", "light")]
        assert np.array_equal(drawn[0], drawn[1])
        assert np.array_equal(drawn[0], drawn[2])
        assert drawn[0].mean() < 128


def shifted(exemplars: np.ndarray, count: int, seed: int) -> np.ndarray:
    return np.stack([np.roll(exemplars, step, axis=3) for step in range(count)], axis=1)


class Shifting:
    def generate(self, exemplars: np.ndarray, count: int, seed: int) -> np.ndarray:
        return shifted(exemplars, count, seed)


def test_one_set_however_it_is_given(critics: Critics, tmp_path: Path) -> None:
    part, recipe = find_part(ON, recipe="diversity"), find_recipe("diversity")
    shown = recipe.scale(part.read(slice(0, None, 10)))
    request = Request(part=part, exemplars=shown, recipe=recipe, on=ON, count=3)
    images = shifted(shown, 3, 0)
    labels = np.repeat([part.class_names[c] for c in part.classes], 3)
    flat = (255 * images.reshape(-1, *shown.shape[2:])).astype(np.uint8)
    np.savez(tmp_path / "mine.npz", images=flat, labels=labels)
    given = [shifted, Shifting, Shifting(), images, (flat, labels), tmp_path / "mine.npz", str(tmp_path / "mine.npz")]
    wanted = draw_samples(shifted, request, name="mine").images
    for one in given:
        samples = draw_samples(one, request, name="mine")
        assert samples.name == "mine"
        assert np.array_equal(samples.images[np.argsort(samples.labels, kind="stable")], wanted), one
    with pytest.raises(FairshotError, match=r"the samples of mine are an int: give a folder, an .npz file, an array"):
        draw_samples(3, request, name="mine")


def test_names_of_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert name_sets({"mine": shifted, "people": "human"}) == {"mine": shifted, "human": "human"}
    assert name_sets("copy") == {"copy": "copy"}
    assert name_sets(["copy", "mine=noise", "copy"]) == {"copy": "copy", "mine": "noise"}
    assert name_sets(("copy", shifted)) == {"copy": "copy", "shifted": shifted}
    assert name_sets("warped:strength=0.5") == {"warped:strength=0.5": "warped:strength=0.5"}
    pair = (np.zeros((2, 4, 4)), np.zeros(2))
    assert list(name_sets(pair)) == ["samples"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b").mkdir()
    assert name_sets("a=b") == {"a=b": "a=b"}, "a folder is no label"


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        ([], "no samples were given: name at least one set, such as 'copy'"),
        ({"human": "copy"}, "'human' is what the drawings of people are called: give the samples another name"),
        (
            [Shifting(), Shifting()],
            "two sets of samples are called Shifting: give them names of their own, as a dictionary",
        ),
    ],
)
def test_names_that_cannot_be(samples: object, reason: str) -> None:
    with pytest.raises(FairshotError) as refused:
        name_sets(samples)
    assert str(refused.value) == reason
