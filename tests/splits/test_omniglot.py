import json

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import RECIPES
from fairshot.sources.source import Source
from fairshot.sources.store import apply_recipe
from fairshot.splits.omniglot import SPLITS, load
from tests.conftest import data_file

BACKGROUND = {
    "Alphabet_of_the_Magi": 20,
    "Anglo-Saxon_Futhorc": 29,
    "Arcadian": 26,
    "Armenian": 41,
    "Asomtavruli_(Georgian)": 40,
    "Balinese": 24,
    "Bengali": 46,
    "Blackfoot_(Canadian_Aboriginal_Syllabics)": 14,
    "Braille": 26,
    "Burmese_(Myanmar)": 34,
    "Cyrillic": 33,
    "Early_Aramaic": 22,
    "Futurama": 26,
    "Grantha": 43,
    "Greek": 24,
    "Gujarati": 48,
    "Hebrew": 22,
    "Inuktitut_(Canadian_Aboriginal_Syllabics)": 16,
    "Japanese_(hiragana)": 52,
    "Japanese_(katakana)": 47,
    "Korean": 40,
    "Latin": 26,
    "Malay_(Jawi_-_Arabic)": 40,
    "Mkhedruli_(Georgian)": 41,
    "N_Ko": 33,
    "Ojibwe_(Canadian_Aboriginal_Syllabics)": 14,
    "Sanskrit": 42,
    "Syriac_(Estrangelo)": 23,
    "Tagalog": 17,
    "Tifinagh": 55,
}
EVALUATION = {
    "Angelic": 20,
    "Atemayar_Qelisayer": 26,
    "Atlantean": 26,
    "Aurek-Besh": 26,
    "Avesta": 26,
    "Ge_ez": 26,
    "Glagolitic": 45,
    "Gurmukhi": 45,
    "Kannada": 41,
    "Keble": 26,
    "Malayalam": 47,
    "Manipuri": 40,
    "Mongolian": 30,
    "Old_Church_Slavonic_(Cyrillic)": 45,
    "Oriya": 46,
    "Sylheti": 28,
    "Syriac_(Serto)": 23,
    "Tengwar": 25,
    "Tibetan": 42,
    "ULOG": 26,
}
ROTATIONS = ("/rot000", "/rot090", "/rot180", "/rot270")


@pytest.fixture(scope="module")
def plain() -> Source:
    """Omniglot's 1623 classes with one pixel each, as the real one names them."""
    names = [
        f"{alphabet}/character{number:02d}"
        for alphabets in (BACKGROUND, EVALUATION)
        for alphabet, count in alphabets.items()
        for number in range(1, count + 1)
    ]
    return Source.create(
        "omniglot",
        np.zeros((1623, 1, 1, 1), dtype=np.uint8),
        np.arange(1623),
        class_names=tuple(names),
        parents=tuple(name.split("/")[0] for name in names),
        class_attributes={"background": np.repeat([1, 0], [964, 659])},
    )


@pytest.fixture(scope="module")
def rotated(plain: Source) -> Source:
    return apply_recipe(plain, RECIPES["centroid"])


def names(part: Source) -> set[str]:
    return {part.class_names[number] for number in part.classes}


def test_the_stand_in_has_the_real_classes(plain: Source, omniglot: Source) -> None:
    assert plain.class_names == omniglot.class_names
    assert plain.parents == omniglot.parents
    assert (plain.class_attributes["background"] == omniglot.class_attributes["background"]).all()


@pytest.mark.parametrize(
    ("name", "base", "val", "novel"),
    [
        ("lake", 964, 0, 659),
        ("vinyals", 1028, 172, 423),
        ("vinyals-alphabets", 1204, 0, 419),
        ("mix", 1298, 0, 325),
        ("koch", 1241, 0, 382),
        ("ccn", 964, 0, 659),
        ("weak", 1473, 0, 150),
        ("weak-val", 1423, 50, 150),
        ("meta-dataset", 883, 81, 659),
    ],
)
@pytest.mark.parametrize("turns", [1, 4])
def test_every_published_split_has_its_published_sizes(
    plain: Source, rotated: Source, name: str, base: int, val: int, novel: int, turns: int
) -> None:
    split = load(name, rotated if turns == 4 else plain)
    sizes = [len(part.classes) for part in (split.base, split.val, split.novel)]
    assert sizes == [base * turns, val * turns, novel * turns]
    assert len(split.base_heldout) == 0
    assert split.name == f"omniglot/{name}"
    assert base + val + novel == 1623


def test_no_split_is_left_out_here() -> None:
    assert sorted(SPLITS) == [
        "ccn",
        "drawings",
        "koch",
        "lake",
        "meta-dataset",
        "mix",
        "mod",
        "vinyals",
        "vinyals-alphabets",
        "weak",
        "weak-val",
    ]


def test_every_split_names_the_recipe_of_its_system() -> None:
    assert {name: published.recipe for name, published in SPLITS.items()} == {
        "lake": "omniglot-eval",
        "vinyals": "centroid",
        "vinyals-alphabets": "omniglot-eval",
        "mix": "omniglot-eval",
        "koch": "omniglot-eval-koch",
        "ccn": "centroid-ccn",
        "weak": "diversity",
        "weak-val": "diversity",
        "meta-dataset": "meta-dataset",
        "mod": "omniglot-eval",
        "drawings": "diversity",
    }
    assert all(published.recipe in RECIPES and published.about for published in SPLITS.values())


@pytest.mark.parametrize("name", ["lake", "ccn"])
def test_lake_parts_background_from_evaluation(plain: Source, name: str) -> None:
    split = load(name, plain)
    assert set(split.base.parent_names) == set(BACKGROUND)
    assert set(split.novel.parent_names) == set(EVALUATION)


def test_vinyals_cuts_gurmukhi_after_character_41(plain: Source) -> None:
    split = load("vinyals", plain)
    gurmukhi = {
        part: sorted(name for name in names(getattr(split, part)) if name.startswith("Gurmukhi/"))
        for part in ("base", "novel")
    }
    assert gurmukhi["base"] == [f"Gurmukhi/character{number:02d}" for number in range(1, 42)]
    assert gurmukhi["novel"] == [f"Gurmukhi/character{number:02d}" for number in range(42, 46)]
    assert set(split.val.parent_names) == {"Armenian", "Bengali", "Early_Aramaic", "Hebrew", "Mkhedruli_(Georgian)"}
    assert len(split.novel.parent_names) == 13


def test_vinyals_with_rotations_has_the_published_classes(rotated: Source) -> None:
    split = load("vinyals", rotated)
    assert [len(part.classes) for part in (split.base, split.val, split.novel)] == [4112, 688, 1692]


def test_mod_trains_on_14_drawings_of_a_character_and_holds_out_6(omniglot: Source) -> None:
    split, whole = load("mod", omniglot), load("meta-dataset", omniglot)
    assert (len(split.base), len(split.base_heldout), len(split.novel)) == (883 * 14, 883 * 6, 659 * 20)
    assert set(split.base.members.counts) == {14}
    assert (split.base.classes == whole.base.classes).all()
    assert (split.val.classes == whole.val.classes).all()
    assert split.name == "omniglot/mod"


def test_drawings_has_every_character_and_holds_out_2_drawings_of_each(omniglot: Source) -> None:
    split = load("drawings", omniglot)
    assert (len(split.base), len(split.base_heldout)) == (29_214, 3_246)
    assert set(split.base.members.counts) == {18}
    assert set(split.base_heldout.members.counts) == {2}
    assert len(split.base.classes) == len(split.base_heldout.classes) == 1623
    assert (len(split.val), len(split.novel)) == (0, 0)
    with pytest.raises(FairshotError, match="has no novel part: it has base, base_heldout"):
        split.part("novel")


@pytest.mark.parametrize("name", sorted(set(SPLITS) - {"mod", "drawings"}))
def test_all_rotations_of_a_character_are_in_the_same_part(plain: Source, rotated: Source, name: str) -> None:
    still, turned = load(name, plain), load(name, rotated)
    for part in ("base", "val", "novel"):
        expected = {full + ending for full in names(getattr(still, part)) for ending in ROTATIONS}
        assert names(getattr(turned, part)) == expected


def test_vinyals_alphabets_keeps_gurmukhi_whole_in_base(plain: Source) -> None:
    split = load("vinyals-alphabets", plain)
    assert len(split.base.parent_names) == 38
    assert len(split.novel.parent_names) == 12
    assert "Gurmukhi" in split.base.parent_names
    assert names(split.novel) == {
        name for name in names(load("vinyals", plain).novel) if not name.startswith("Gurmukhi/")
    }


def test_mix_shuffles_all_characters_with_the_published_seed(plain: Source) -> None:
    order = list(plain.class_names)
    np.random.RandomState(0).shuffle(order)  # the published rule
    split = load("mix", plain)
    assert names(split.base) == set(order[:1298])
    assert names(split.novel) == set(order[1298:])


def test_koch_takes_the_ten_alphabets_of_lakes_runs(plain: Source) -> None:
    split = load("koch", plain)
    assert set(split.novel.parent_names) == {
        "Atlantean",
        "Ge_ez",
        "Glagolitic",
        "Gurmukhi",
        "Kannada",
        "Malayalam",
        "Manipuri",
        "Old_Church_Slavonic_(Cyrillic)",
        "Tengwar",
        "Tibetan",
    }
    assert len(split.base.parent_names) == 40
    assert set(split.base.parent_names).isdisjoint(split.novel.parent_names)


def test_weak_takes_the_first_three_characters_of_each_alphabet(plain: Source) -> None:
    assert names(load("weak-val", plain).novel) == names(load("weak", plain).novel)
    novel = names(load("weak", plain).novel)
    assert novel == {
        f"{alphabet}/character{number:02d}" for alphabet in BACKGROUND | EVALUATION for number in (1, 2, 3)
    }


def test_meta_dataset_validates_on_the_five_smallest_background_alphabets(plain: Source) -> None:
    split = load("meta-dataset", plain)
    smallest = sorted(BACKGROUND, key=lambda alphabet: BACKGROUND[alphabet])[:5]
    assert set(split.val.parent_names) == set(smallest)
    assert set(split.novel.parent_names) == set(EVALUATION)
    assert len(split.base.parent_names) == 25


@pytest.mark.parametrize(("part", "file"), [("base", "train"), ("val", "val"), ("novel", "test")])
def test_vinyals_is_what_other_tools_ship(plain: Source, part: str, file: str) -> None:
    sets = json.loads(data_file(f"standard_splits/omniglot_{file}.json").read_text())
    shipped = {
        f"{alphabet}/{character.split('/')[0]}"
        for alphabets in sets.values()
        for alphabet, characters in alphabets.items()
        for character in characters
    }
    assert names(getattr(load("vinyals", plain), part)) == shipped


@pytest.mark.parametrize(("part", "key"), [("base", "train"), ("val", "valid"), ("novel", "test")])
def test_meta_dataset_is_what_meta_dataset_ships(plain: Source, part: str, key: str) -> None:
    shipped = json.loads(data_file("meta_dataset_splits/derived_omniglot_alphabet_splits.json").read_text())
    assert set(getattr(load("meta-dataset", plain), part).parent_names) == set(shipped[key])


def test_the_real_weak_parts_have_their_published_images(omniglot: Source) -> None:
    split = load("weak", omniglot)
    assert (len(split.base), len(split.novel)) == (29_460, 3000)


def test_a_part_of_omniglot_cannot_be_split_as_the_whole(plain: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        load("lake", plain.select_classes(np.arange(1000)))
    assert str(caught.value) == "omniglot/lake needs all 1623 characters, here are 1000 classes"
