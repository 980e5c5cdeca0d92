from pathlib import Path

import pytest
from PIL import Image

import fairshot as fs
from fairshot.cli.main import main
from tests.conftest import data_file
from tests.sources import layouts
from tests.sources.layouts import lay_out
from tests.sources.records import write_records


def test_what_is_here_stands_beside_what_was_released(
    data_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    lay_out(layouts.aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b.tar.gz")
    write_records(data_folder / "dtd" / "records")
    assert main(["data", "show", "meta-dataset"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[0] == "Meta-Dataset: 2 of 10 sources are here as released, and of 0 others a copy"
    rows = {line.split()[0]: line.split()[1:] for line in told.splitlines() if line[:1].islower()}
    assert rows["aircraft"] == ["2", "100", "4", "10,000"]
    assert rows["dtd"] == ["3", "47", "6", "5,640"]
    assert rows["mscoco"] == ["0", "80", "0", "860,001"]


def test_copies_say_what_they_lack() -> None:
    data_file("wild/quickdraw345x100_28.npz")
    data_file("wild/cub_test30_84.zip")
    found = fs.sources.summarise_meta_dataset().found
    assert list(found) == [
        *("ilsvrc", "omniglot", "aircraft", "cu_birds", "dtd"),
        *("quickdraw", "fungi", "vgg_flower", "traffic_sign", "mscoco"),
    ]
    (drawings,) = found["quickdraw"]
    assert (drawings.name, drawings.classes, drawings.images) == ("quickdraw:copy=wild", 345, 34_500)
    assert drawings.lacks
    assert "cu_birds:copy=wild" in [one.name for one in found["cu_birds"]]


def test_a_sheet_shows_what_is_here(data_folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(fs.FairshotError, match="none of Meta-Dataset's ten sources is here"):
        fs.sources.summarise_meta_dataset().sheet()
    lay_out(layouts.aircraft(), data_folder / "aircraft" / "fgvc-aircraft-2013b.tar.gz")
    write_records(data_folder / "dtd" / "records")
    assert main(["data", "show", "meta-dataset", "--sheet", str(tmp_path / "a.png")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"Examples: {tmp_path / 'a.png'}"
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.tobytes() == fs.sources.summarise_meta_dataset().sheet().tobytes()
    (planes,), (textures,) = (fs.sources.summarise_meta_dataset().found[name] for name in ("aircraft", "dtd"))
    assert [len(one.examples(16)) for one in (planes, textures)] == [2, 3]


def test_quick_draw_and_omniglot_have_examples_too() -> None:
    data_file("wild/quickdraw345x100_28.npz")
    data_file("omniglot/images_background.zip")
    found = fs.sources.summarise_meta_dataset().found
    assert [found[name][0].examples(3)[0].size for name in ("omniglot", "quickdraw")] == [(105, 105), (28, 28)]
