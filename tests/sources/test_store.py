import argparse
import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.cache import cache_folder
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources import image_file
from fairshot.sources.recipe import RECIPES, Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.sources.store import cook, load_once
from tests.paths import ROOT


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "cache"))


def make(images: int = 10, size: int = 8) -> Source:
    return Source.create(
        "toy",
        np.random.default_rng(0).integers(0, 256, (images, 1, size, size), dtype=np.uint8),
        np.arange(images) % 3,
        class_names=("a", "b", "c/ä"),
        parents=("p", "q", "p"),
        attributes={"drawer": np.arange(images) % 4},
        class_attributes={"old": np.array([1, 0, 1])},
    )


def same(one: Source, other: Source) -> bool:
    return (
        one.name == other.name
        and (one.read(slice(None)) == other.read(slice(None))).all()
        and one.class_ids.tolist() == other.class_ids.tolist()
        and (one.class_names, one.parents) == (other.class_names, other.parents)
        and (one.fingerprint, one.origin) == (other.fingerprint, other.origin)
        and {key: list(values) for key, values in one.attributes.items()}
        == {key: list(values) for key, values in other.attributes.items()}
        and {key: list(values) for key, values in one.class_attributes.items()}
        == {key: list(values) for key, values in other.class_attributes.items()}
    )


def test_a_stored_source_is_the_same_and_made_once() -> None:
    calls: list[Path] = []

    def build(folder: Path) -> Source:
        calls.append(folder)
        return make()

    assert same(load_once("toy", ["key"], build), make())
    again = load_once("toy", ["key"], build)
    assert same(again, make())
    assert isinstance(again.store, np.memmap)
    assert len(calls) == 1
    load_once("toy", ["another key"], build)
    assert len(calls) == 2


def test_a_store_may_be_written_straight_into_the_cache() -> None:
    def build(folder: Path) -> Source:
        images = np.lib.format.open_memmap(folder / "images.npy", mode="w+", dtype=np.uint8, shape=(2, 1, 3, 3))
        images[:] = 7
        return Source.create("flat", images, np.array([0, 1]), class_names=("a", "b"))

    source = load_once("flat", 1, build)
    assert source.store.min() == source.store.max() == 7


def test_a_damaged_store_is_made_again() -> None:
    load_once("toy", 1, lambda _: make())
    (images,) = cache_folder().rglob("images.npy")
    images.write_bytes(images.read_bytes()[:-5])
    assert same(load_once("toy", 1, lambda _: make()), make())


def test_a_store_that_lost_a_file_is_made_again() -> None:
    load_once("toy", 1, lambda _: make())
    (names,) = cache_folder().rglob("class_names.npy")
    names.unlink()
    assert same(load_once("toy", 1, lambda _: make()), make())


def test_a_recipe_changes_the_fingerprint_but_not_the_origin() -> None:
    source = make()
    cooked = cook(source, find_recipe("4"))
    assert cooked.fingerprint != source.fingerprint
    assert cooked.origin == source.origin
    keep = np.arange(10) < 5
    assert cooked.select(keep).origin == source.select(keep).origin
    assert cooked.select(keep).fingerprint != source.select(keep).fingerprint


def test_recipes_that_store_the_same_pixels_share_them() -> None:
    source = make()
    one, other = cook(source, Recipe("one", 4, mean=0.5)), cook(source, Recipe("other", 4, deviation=2.0))
    assert one.content == other.content
    assert one.fingerprint != other.fingerprint  # a learner sees other numbers
    assert (one.recipe.name, other.recipe.name) == ("one", "other")
    assert len(list((cache_folder() / "sources").iterdir())) == 1


def test_different_pixels_have_different_fingerprints() -> None:
    source = make()
    recipes = [Recipe("a", 4), Recipe("b", 5), Recipe("c", 4, "nearest"), Recipe("d", 4, invert=True)]
    assert len({cook(source, recipe).fingerprint for recipe in recipes}) == 4


def test_a_recipe_that_changes_no_pixel_stores_nothing() -> None:
    source = make()
    cooked = cook(source, Recipe("half", mean=0.5))
    assert cooked.store is source.store
    assert cooked.content == source.content
    assert cooked.origin == source.origin
    assert cooked.fingerprint != source.fingerprint  # a learner sees other numbers
    assert cooked.recipe.name == "half"


def test_cooking_keeps_classes_parents_and_attributes() -> None:
    source = make()
    cooked = cook(source, find_recipe("4"))
    assert same(replace(cooked, store=source.store, content=source.content), source)
    assert cooked.store.shape == (10, 1, 4, 4)


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.array(cook(make(), find_recipe("4")).store)
    monkeypatch.setattr(image_file, "PART", 3 * 16)
    monkeypatch.setenv("FAIRSHOT_CACHE", str(cache_folder() / "other"))
    assert (cook(make(), find_recipe("4")).store == whole).all()


def test_each_rotation_becomes_classes_of_its_own() -> None:
    source = make()
    cooked = cook(source, RECIPES["centroid"])
    assert cooked.store.shape == (40, 1, 28, 28)
    assert cooked.class_names == tuple(
        f"{name}/rot{turn:03d}" for turn in (0, 90, 180, 270) for name in ("a", "b", "c/ä")
    )
    assert cooked.parents[3:6] == ("p/rot090", "q/rot090", "p/rot090")  # a turned alphabet is one of its own
    assert len(set(cooked.parents)) == 8
    assert cooked.class_ids.tolist() == [turn * 3 + label for turn in range(4) for label in source.class_ids]
    assert cooked.attributes["drawer"].tolist() == source.attributes["drawer"].tolist() * 4
    assert cooked.class_attributes["old"].tolist() == [1, 0, 1] * 4
    assert cooked.class_attributes["rotation"].tolist() == [0] * 3 + [90] * 3 + [180] * 3 + [270] * 3
    for turn, rotation in enumerate((0, 90, 180, 270)):
        expected = RECIPES["centroid"].cook(source.store, rotation)
        assert (cooked.store[turn * 10 : turn * 10 + 10] == expected).all()


def test_rotations_are_other_images_and_so_another_origin() -> None:
    source = make()
    assert cook(source, RECIPES["centroid"]).origin != source.origin
    assert cook(source, RECIPES["centroid"]).origin == cook(cook(source, find_recipe("8")), RECIPES["centroid"]).origin


def test_notes_survive_cooking() -> None:
    source = replace(make(), notes=("synthetic",))
    assert cook(source, find_recipe("4")).notes == ("synthetic",)


def test_a_part_is_never_cooked_as_if_it_were_the_whole() -> None:
    """The cache knows the whole by its content: a part stored under that name would be served as the whole."""
    source = make()
    part = source.select_classes(np.array([1, 2]))
    try:
        cooked = cook(part, find_recipe("4"))
    except FairshotError:
        pass
    else:
        assert (cooked.read(slice(None)) == find_recipe("4").cook(part.read(slice(None)))).all()
    assert len(cook(source, find_recipe("4"))) == 10


def test_images_that_have_the_recipes_size_already_are_not_copied() -> None:
    source = make(size=4)
    cooked = cook(source, find_recipe("4"))
    assert cooked.store is source.store
    assert not (cache_folder() / "sources").exists()
    # As if they had been copied: the same fingerprints as when they were.
    assert cooked.content == fingerprint(source.content, find_recipe("4").key)
    assert cooked.origin == source.origin
    assert cook(source, Recipe("dark", 4, invert=True)).store is not source.store


def test_rotations_are_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.array(cook(make(), RECIPES["centroid"]).store)
    monkeypatch.setattr(image_file, "PART", 7 * 28 * 28)  # parts of seven images, of which each turn has ten
    monkeypatch.setenv("FAIRSHOT_CACHE", str(cache_folder() / "other"))
    assert (cook(make(), RECIPES["centroid"]).store == whole).all()


def test_the_benchmark_kills_resumes_and_evaluates(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("store_benchmark", ROOT / "benchmarks" / "store.py")
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    arguments = argparse.Namespace(images=3000, episodes=2, folder=tmp_path / "store")
    benchmark.kill_on_the_way(arguments)
    benchmark.run_stage(arguments, "write")
    killed, written = (json.loads(line) for line in capfd.readouterr().out.splitlines())
    assert killed["parts of 16 MB noted"] >= 1
    assert written["images made"] <= 3000 - 792 * killed["parts of 16 MB noted"]  # 792 images are a part
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path / "store"))
    assert benchmark.evaluate(3000, 2)["accuracy"] > 0.5
