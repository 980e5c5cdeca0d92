import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part, find_source
from fairshot.splits.wordnet import DEVICE, load_graph, spans

DEVICES = sorted(spans(load_graph().children)[DEVICE])[:12]
OTHERS = ["n01440764", "n01443537", "n02123045"]  # tench, goldfish, tabby


@pytest.fixture
def photographs(data_folder: Path) -> Path:
    """Four photographs a class of different sizes, in the official layout."""
    for number, wnid in enumerate([*DEVICES, *OTHERS]):
        folder = data_folder / "ilsvrc" / "train" / wnid
        folder.mkdir(parents=True)
        for take in range(4):
            pixels = np.random.default_rng([number, take]).integers(0, 256, (20 + take, 30, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / f"{wnid}_{take}.JPEG")
    return data_folder


def test_the_official_layout_is_read_at_the_recipes_size(photographs: Path) -> None:
    source = find_source("ilsvrc", find_recipe("16"))
    assert (source.name, source.store.shape) == ("ilsvrc", (60, 3, 16, 16))
    assert source.class_names == tuple(sorted([*DEVICES, *OTHERS]))
    assert source.parent_names == ("ilsvrc",)


def test_the_split_brings_84_pixels(photographs: Path) -> None:
    part = find_part("ilsvrc/meta-dataset/novel")
    assert (part.name, len(part), part.store.shape[1:]) == ("ilsvrc/meta-dataset/novel", 48, (3, 84, 84))
    assert {part.class_names[number] for number in part.classes} == set(DEVICES)


def test_photographs_of_many_sizes_need_a_recipe(photographs: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        find_part("ilsvrc")
    assert str(caught.value) == (
        f"{photographs / 'ilsvrc' / 'train'} holds images of 4 sizes, from 30 x 20 to 30 x 23: give recipe=84 (or "
        "another number of pixels) to resize them"
    )


def test_the_folders_of_kaggles_archive_are_found_too(photographs: Path) -> None:
    deep = photographs / "ilsvrc" / "ILSVRC" / "Data" / "CLS-LOC"
    deep.mkdir(parents=True)
    (photographs / "ilsvrc" / "train").rename(deep / "train")
    assert len(find_source("ilsvrc", find_recipe("8"))) == 60


@pytest.mark.parametrize("what", ["ilsvrc/meta-dataset/novel", "folder:{}/ilsvrc/train --recipe 16"])
def test_episodes_of_the_hierarchy_from_the_command_line(
    what: str, photographs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"evaluate {what.format(photographs)} --task hierarchy,hierarchy:variant=appendix --episodes 20 --json"
    assert main(command.split()) == 0
    result = json.loads(capsys.readouterr().out)
    assert [row["task"] for row in result["rows"]] == ["hierarchy released", "hierarchy appendix"]
    seen = [note for note in result["notes"] if "raw pixels" not in note]
    assert seen == ([] if "folder" in what else ["15 of the 1000 classes of ilsvrc are here"])


def test_without_images_it_says_where_they_belong(data_folder: Path) -> None:
    with pytest.raises(FairshotError) as caught:
        find_source("ilsvrc")
    assert str(caught.value) == (
        f"ilsvrc is not here: no folder train in {data_folder / 'ilsvrc'}; unpack ImageNet's training images into it as "
        "train/WNID/IMAGE.JPEG, or let FAIRSHOT_DATA list the folder that holds ilsvrc/"
    )


def test_it_has_no_settings() -> None:
    with pytest.raises(FairshotError) as caught:
        find_source("ilsvrc:size=84")
    assert str(caught.value) == "unknown setting of ilsvrc 'size': there are: none"
