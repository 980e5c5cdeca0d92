"""The released class splits of Meta-Dataset: every count and every name, for all ten."""

import json
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import Source
from fairshot.specs.meta_dataset_summary import TEN, released
from fairshot.specs.registry import find_module
from fairshot.splits.class_lists import Listed, read_parts, split_listed
from fairshot.splits.ilsvrc import listed_duplicates
from fairshot.splits.ilsvrc import load as load_ilsvrc
from fairshot.splits.omniglot import load as load_omniglot
from tests.conftest import data_file

SIZES = {
    "ilsvrc": (712, 158, 130),
    "omniglot": (883, 81, 659),
    "aircraft": (70, 15, 15),
    "cu_birds": (140, 30, 30),
    "dtd": (33, 7, 7),
    "quickdraw": (241, 52, 52),
    "fungi": (994, 200, 200),
    "vgg_flower": (71, 15, 16),
    "traffic_sign": (0, 0, 43),
    "mscoco": (0, 40, 40),
}
HASHES = {  # of the released names, part by part, so that no list changes where the released ones are not at hand
    "aircraft": "ea9d85dce90da74f",
    "cu_birds": "c8398e29d6d73a97",
    "dtd": "f64d26a839902b83",
    "quickdraw": "d15cd985195f69d9",
    "fungi": "7bea3e158eff14bf",
    "vgg_flower": "889b184b5adaeb55",
    "traffic_sign": "d69a32527162a926",
    "mscoco": "29d16d7f5eb42a4a",
}
LISTED = [name for name in SIZES if name not in ("ilsvrc", "omniglot")]
OURS = {"base": "train", "val": "valid", "novel": "test"}
FIRST = {  # a class of each part that somebody who knows the data set will recognise
    "aircraft": ("A380", "A320", "Spitfire"),
    "cu_birds": ("014.Indigo_Bunting", "", "008.Rhinoceros_Auklet"),
    "mscoco": ("", "person", "bicycle"),
    "vgg_flower": ("038.great masterwort", "", ""),
}


def make(name: str, classes: tuple[str, ...]) -> Source:
    images = np.zeros((len(classes), 1, 1, 1), dtype=np.uint8)
    return Source.create(name, images, np.arange(len(classes)), class_names=classes)


def names(part: Source) -> set[str]:
    return {part.class_names[number] for number in part.classes}


def published(name: str) -> Listed:
    return find_module("splits", name).SPLITS["meta-dataset"]


@pytest.mark.parametrize("name", LISTED)
def test_a_released_split_has_its_sizes(name: str) -> None:
    listed = published(name)
    assert listed.sizes == SIZES[name]
    everything = tuple(one for part in listed.parts.values() for one in part)
    split = find_module("splits", name).load("meta-dataset", make(name, tuple(sorted(everything))))
    assert tuple(len(part.classes) for part in (split.base, split.val, split.novel)) == SIZES[name]
    assert split.name == f"{name}/meta-dataset"
    assert split.novel.notes == ()


@pytest.mark.parametrize("name", LISTED)
def test_every_name_is_in_the_part_that_was_released(name: str) -> None:
    released = json.loads(data_file(f"meta_dataset_splits/{name}_splits.json").read_text())
    assert {part: set(published(name).parts.get(part, ())) for part in OURS} == {
        part: set(map(str.strip, released[theirs])) for part, theirs in OURS.items()
    }


@pytest.mark.parametrize("name", LISTED)
def test_no_name_has_changed_since_the_lists_were_compared(name: str) -> None:
    parts = published(name).parts
    assert fingerprint({part: sorted(parts.get(part, ())) for part in OURS})[:16] == HASHES[name]


@pytest.mark.parametrize("name", LISTED)
def test_counts_of_the_specification_are_those_of_the_source(name: str) -> None:
    spec = json.loads(data_file(f"meta_dataset_splits/specs/{name}_dataset_spec.json").read_text())
    assert tuple(spec["classes_per_split"].values()) == SIZES[name]
    assert (sum(SIZES[name]), sum(spec["images_per_class"].values())) == released(name)


def test_omniglots_characters_are_in_the_parts_that_were_released(omniglot: Source) -> None:
    spec = json.loads(data_file("meta_dataset_splits/specs/omniglot_dataset_spec.json").read_text())
    split = load_omniglot("meta-dataset", omniglot)
    alphabets, start = list(spec["classes_per_superclass"].values()), 0
    characters = [name.replace("-character", "/character") for name in spec["class_names"].values()]
    for part, alphabet_count in zip(("base", "val", "novel"), spec["superclasses_per_split"].values(), strict=True):
        count = sum(alphabets[:alphabet_count])
        alphabets = alphabets[alphabet_count:]
        assert names(getattr(split, part)) == set(characters[start : start + count])
        assert count == SIZES["omniglot"][("base", "val", "novel").index(part)]
        start += count


@pytest.mark.parametrize("part", OURS)
def test_imagenets_classes_are_in_the_parts_that_were_released(part: str) -> None:
    released = json.loads(data_file("meta_dataset_splits/derived_ilsvrc_2012_splits.json").read_text())
    classes = tuple(sorted(one for theirs in OURS.values() for one in released[theirs]))
    split = load_ilsvrc("meta-dataset", make("ilsvrc", classes))
    assert names(getattr(split, part)) == set(released[OURS[part]])
    assert len(names(getattr(split, part))) == SIZES["ilsvrc"][list(OURS).index(part)]


def test_the_published_duplicates_of_imagenet_are_left_out() -> None:
    found = set()
    for other in ("Caltech101", "Caltech256", "CUBirds"):
        text = data_file(f"meta_dataset_splits/specs/ImageNet_{other}_duplicates.txt").read_text()
        files = [line.partition("#")[0].strip() for line in text.splitlines()]
        found |= {(file[:9], int(file[20:].removesuffix(".JPEG"))) for file in files if file}
    assert listed_duplicates() == found
    assert len(found) == 403
    classes, numbers = np.array([0, 0, 1, 1]), np.array([1194, 1195, 1864, -1])
    source = Source.create(
        "ilsvrc",
        np.zeros((4, 1, 1, 1), dtype=np.uint8),
        classes,
        class_names=("n01443537", "n01518878"),
        attributes={"number": numbers},
    )
    assert load_ilsvrc("meta-dataset", source).base.image_ids.tolist() == [1, 3]


def test_all_ten_are_known_with_their_images() -> None:
    images = json.loads(data_file("meta_dataset_splits/specs/ilsvrc_2012_num_leaf_images.json").read_text())
    assert released("ilsvrc") == (len(images), sum(images.values()))
    assert released("omniglot") == (1623, 32_460)
    assert set(TEN) == set(SIZES)


@pytest.mark.parametrize("name", FIRST)
def test_well_known_classes_are_where_they_belong(name: str) -> None:
    for part, example in zip(("base", "val", "novel"), FIRST[name], strict=True):
        assert not example or example in published(name).parts[part]


def test_some_classes_are_split_and_say_how_many_are_there() -> None:
    split = find_module("splits", "dtd").load("meta-dataset", make("dtd", ("banded", "blotchy", "chequered")))
    assert [names(part) for part in (split.base, split.val, split.novel)] == [
        {"blotchy", "chequered"},
        set(),
        {"banded"},
    ]
    assert split.base.notes == ("3 of the 47 classes of meta-dataset are here: 2 of 33 base, 0 of 7 val, 1 of 7 novel",)


def test_a_class_that_nobody_lists_is_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        find_module("splits", "dtd").load("meta-dataset", make("dtd", ("banded", "plaid", "tartan")))
    assert str(caught.value) == (
        "dtd/meta-dataset lists no class 'plaid', nor 1 others of 3: choose another split, such as all-novel"
    )


@pytest.mark.parametrize("novel", [("c",), ("c", "a"), ("c", "c")])
def test_a_list_of_other_sizes_or_with_a_name_twice_cannot_be_made(novel: tuple[str, ...]) -> None:
    with pytest.raises(FairshotError, match="published"):
        Listed({"base": ("a", "b"), "val": (), "novel": novel}, (2, 0, 2), "84", "")


def test_a_file_of_parts_is_read_as_it_looks(tmp_path: Path) -> None:
    file = tmp_path / "parts.txt"
    file.write_text("# comment\nbase\n police car, swan,\n F-16A/B\nval\nnovel\n 001.Élan\n", encoding="utf-8")
    parts = read_parts(file)
    assert parts == {"base": ("police car", "swan", "F-16A/B"), "val": (), "novel": ("001.Élan",)}
    split = split_listed("x", make("toy", ("swan", "001.Élan")), Listed(parts, (3, 0, 1), "raw", ""))
    assert names(split.novel) == {"001.Élan"}
