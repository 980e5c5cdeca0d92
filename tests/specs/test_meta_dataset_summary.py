from pathlib import Path

import pytest

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
