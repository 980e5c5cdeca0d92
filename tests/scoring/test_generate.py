"""Variations of anybody's own drawing: files of any size in, a folder for each and a sheet out."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import fairshot as fs
from fairshot.cli.main import main
from fairshot.generators.training.course import train_generator
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.generate import generate
from tests.generators.training.worlds import GENERATORS, PLAN, base


@pytest.fixture
def drawings(tmp_path: Path) -> Path:
    """A tall and a wide drawing, dark on light, in folders that have the same names for them."""
    folder = tmp_path / "mine"
    for name, shape in {"a/one.png": (60, 40), "b/one.png": (30, 200), "two.png": (20, 20)}.items():
        picture = np.full(shape, 255, dtype=np.uint8)
        picture[shape[0] // 2, 5:-5] = 0
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(folder / name)
    return folder


def test_a_trained_generator_draws_after_files(
    drawings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    train_generator(GENERATORS["neural_statistician"], base(), plan=PLAN, out=run)
    assert main(["generate", str(run), str(drawings), "--count", "4", "--out", str(out)]) == 0
    assert capsys.readouterr().out == (
        f"12 drawings by {run}: 4 after each of 3 exemplars.\n"
        f"In {out}: a folder for each, and sheet.png with the exemplars framed in front.\n"
    )
    assert sorted(path.name for path in out.iterdir()) == ["one-1", "one-2", "sheet.png", "two"]
    files = sorted((out / "one-1").iterdir())
    assert [file.name for file in files] == ["001.png", "002.png", "003.png", "004.png"]
    with Image.open(files[0]) as drawing, Image.open(out / "sheet.png") as sheet:
        assert drawing.size == (105, 105)
        assert sheet.size == (115 + 4 * 109, 3 * 115)


def test_copies_are_the_exemplars_in_squares_of_their_paper(drawings: Path) -> None:
    made = fs.generate("copy", drawings, count=2)
    assert (made.images == made.exemplars[:, None]).all()
    assert (made.exemplars[:, [0, -1]] == 255).all()


def test_a_sheet_has_every_exemplar_framed_in_red_and_its_drawings_beside_it(drawings: Path) -> None:
    made = fs.generate("warped", drawings, count=2)
    sheet = np.asarray(made.sheet()).reshape(3, 115, -1, 3)
    for row, exemplar, (first, second) in zip(sheet, made.exemplars, made.images, strict=True):
        assert (row[3:108, 3:108] == exemplar[:, :, None]).all()
        frame = np.ones((111, 111), dtype=bool)
        frame[3:108, 3:108] = False
        assert (row[:111, :111][frame] == [220, 30, 30]).all()
        assert (row[3:108, 115:220] == first[:, :, None]).all()
        assert (row[3:108, 224:329] == second[:, :, None]).all()
        assert (row[:, 329:] == 160).all()


def test_what_draws_nothing_is_refused(drawings: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        generate("nothing", drawings)
    assert str(caught.value) == (
        "nothing is no generator: give one that comes trained, such as latent_diffusion, a folder that 'fairshot train' "
        "made of one, a yardstick such as warped, or path.py:generate"
    )
    with pytest.raises(FairshotError) as caught:
        generate("copy", drawings, count=0)
    assert str(caught.value) == "cannot draw 0 images after each exemplar: say count=20, or 1 at least"
