import json
import os
from pathlib import Path

import numpy as np
import pytest

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.sources.images.hdf5_classes import CHECKSUMS
from fairshot.sources.images.imports import import_copy
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part, find_source
from fairshot.specs.registry import find_module
from tests.sources import layouts
from tests.sources.layouts import lay_out
from tests.sources.records import write_hdf5, write_records


def bring(name: str, *files: Path, link: bool = False) -> list[Path]:
    return import_copy(name, find_module("sources", name).COPIES, files, link=link)


def packed(name: str, home: Path) -> list[Path]:
    """The official files of a source, somewhere else."""
    if name == "vgg_flower":
        layouts.flowers(home)
        return [home / name / "102flowers.tgz", home / name / "imagelabels.mat"]
    if name == "fungi":
        layouts.fungi(home)
        return [home / name / "fungi_train_val.tgz", home / name / "train_val_annotations.tgz"]
    if name == "mscoco":
        layouts.coco(home)
        return [home / name / "train2017.zip", home / name / "annotations_trainval2017.zip"]
    if name == "quickdraw":
        layouts.drawings(home)
        return sorted((home / name / "numpy_bitmap").iterdir())
    files, archive = {
        "aircraft": (layouts.aircraft(), "fgvc-aircraft-2013b.tar.gz"),
        "cu_birds": (layouts.birds(), "CUB_200_2011.tgz"),
        "dtd": (layouts.textures(), "dtd-r1.0.1.tar.gz"),
        "traffic_sign": (layouts.signs(), "GTSRB_Final_Training_Images.zip"),
    }[name]
    return [lay_out(files, home / archive)]


SOURCES = ["aircraft", "cu_birds", "dtd", "quickdraw", "fungi", "vgg_flower", "traffic_sign", "mscoco"]


@pytest.mark.parametrize("name", SOURCES)
def test_one_command_a_source(name: str, data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = packed(name, tmp_path / "downloads")
    assert main(["data", "import", name, *map(str, files)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(files)
    assert all(line.endswith(": read to its end, nothing is damaged") for line in lines)
    assert len(find_source(name, find_recipe("8"))) > 2
    assert all(file.exists() for file in files)


@pytest.mark.parametrize("name", ["aircraft", "traffic_sign", "fungi"])
def test_a_flipped_byte_is_found_and_nothing_is_left_behind(name: str, data_folder: Path, tmp_path: Path) -> None:
    files = packed(name, tmp_path / "downloads")
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 16
    files[0].write_bytes(data)
    with pytest.raises(FairshotError, match=r"is damaged \(.*\): fetch it again$"):
        bring(name, *files)
    assert [path for path in data_folder.rglob("*") if path.is_file()] == []


def test_a_complete_archive_of_something_else_is_taken_away_again(data_folder: Path, tmp_path: Path) -> None:
    file = lay_out({"README": b"nothing"}, tmp_path / "dtd-r1.0.1.tar.gz")
    with pytest.raises(FairshotError, match="holds no images in class folders"):
        bring("dtd", file)
    assert [path for path in data_folder.rglob("*") if path.is_file()] == []


def test_files_may_be_linked(data_folder: Path, tmp_path: Path) -> None:
    (file,) = packed("dtd", tmp_path / "downloads")
    (target,) = bring("dtd", file, link=True)
    assert os.readlink(target) == str(file)
    assert len(find_source("dtd")) == 4


def test_the_second_import_is_refused(data_folder: Path, tmp_path: Path) -> None:
    (file,) = packed("dtd", tmp_path / "downloads")
    bring("dtd", file)
    with pytest.raises(FairshotError, match=r"dtd-r1\.0\.1\.tar\.gz is there already: delete it first"):
        bring("dtd", file)


def test_other_names_and_missing_files_say_what_is_wanted(data_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cats.zip").touch()
    wanted = (
        "102flowers or jpg and imagelabels.mat, packed or unpacked, or a folder of Meta-Dataset's records or of one "
        "HDF5 file a class"
    )
    with pytest.raises(FairshotError) as caught:
        bring("vgg_flower", tmp_path / "cats.zip")
    assert str(caught.value) == f"{tmp_path / 'cats.zip'} is not named like a file of vgg_flower: give {wanted}"
    with pytest.raises(FairshotError) as caught:
        bring("vgg_flower", tmp_path / "dogs.zip")
    assert str(caught.value) == f"there is no {tmp_path / 'dogs.zip'}: give {wanted}"


def test_records_are_imported_as_a_folder(data_folder: Path, tmp_path: Path) -> None:
    folder = write_records(tmp_path / "dtd")
    assert bring("dtd", folder) == [data_folder / "dtd" / "records"]
    assert len(find_source("dtd")) == 6


def test_damaged_records_are_not_kept(data_folder: Path, tmp_path: Path) -> None:
    folder = write_records(tmp_path / "dtd")
    data = bytearray((folder / "1.tfrecords").read_bytes())
    data[-20] ^= 1
    (folder / "1.tfrecords").write_bytes(data)
    with pytest.raises(FairshotError, match="record 2 does not have its checksum"):
        bring("dtd", folder)
    assert not (data_folder / "dtd" / "records").exists()


def test_hdf5_is_imported_with_the_hashes_of_its_files(data_folder: Path, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="needs h5py: pip install 'fairshot[hdf5]'", exc_type=ImportError)
    assert bring("dtd", write_hdf5(tmp_path / "dtd", h5py)) == [data_folder / "dtd" / "hdf5"]
    file = data_folder / "dtd" / "hdf5" / "0.h5"
    assert (file.parent / CHECKSUMS).is_file()
    data = bytearray(file.read_bytes())
    data[-300] ^= 1
    file.write_bytes(data)
    with pytest.raises(FairshotError, match=r"0\.h5 is damaged"):
        find_source("dtd")


def test_imagenets_synsets_and_records(data_folder: Path, tmp_path: Path) -> None:
    folder = lay_out(layouts.class_folders("train", ("n01440764", "n03196217"), ending=".JPEG"), tmp_path / "in")
    bring("ilsvrc", folder / "train", link=True)
    assert len(find_source("ilsvrc")) == 4
    assert np.unique(find_source("ilsvrc").attributes["number"]).tolist() == [0, 1]


def test_imagenets_records_have_their_counts_by_part(data_folder: Path, tmp_path: Path) -> None:
    folder = write_records(tmp_path / "ilsvrc_2012")
    spec = json.loads((folder / "dataset_spec.json").read_text())
    spec["class_names"] = {"0": "n01440764", "1": "n02123045", "2": "n03196217"}
    spec["images_per_class"] = {"TRAIN": {"n01440764": 2}, "VALID": {"n02123045": 3}, "TEST": {"n03196217": 1}}
    (folder / "dataset_spec.json").write_text(json.dumps(spec))
    bring("ilsvrc", folder)
    parts = [find_part(f"ilsvrc/meta-dataset/{part}", recipe="8") for part in ("base", "val", "novel")]
    assert [len(part) for part in parts] == [2, 3, 1]


def test_link_is_for_what_has_no_sha256(data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "import", "omniglot", str(tmp_path), "--link"]) == 2
    assert "omniglot is copied, after its sha256 was compared: leave out --link" in capsys.readouterr().err
