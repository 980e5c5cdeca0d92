"""Samples given as files, arrays, functions, objects and specs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics
from fairshot.scoring.sample_sets import Request, draw_samples
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
