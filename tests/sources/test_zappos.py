"""UT-Zappos50K in its official layout: shoes, their kinds and their attributes."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.cli.main import main
from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import find_recipe
from fairshot.sources.zappos import PUBLISHED_IN, PUBLISHED_OUT
from fairshot.specs.data import find_source
from fairshot.tasks.attribute_pair import AttributePair

COLUMNS = [
    "Category.Shoes",
    "Category.Boots",
    "SubCategory.Oxfords",
    "SubCategory.Ankle",
    "HeelHeight.1in...1.3.4in",
    "HeelHeight.2in...2.3.4in",
    "HeelHeight.3in...3.3.4in",
    "HeelHeight.4in...4.3.4in",
    "HeelHeight.5in...over",
    "HeelHeight.Flat",
    "HeelHeight.Under.1in",
    "Material.Suede",
    "ToeStyle.Round Toe",
]
KINDS = [("Shoes", "Oxfords"), ("Boots", "Ankle"), ("Shoes", "Sneakers and Athletic Shoes")]


def has(number: int) -> dict[str, int]:
    """What the shoe of that number has; heels go round."""
    category, kind = KINDS[number % 3]
    heel = [name for name in COLUMNS if name.startswith("HeelHeight")][number % 7]
    owned = {f"Category.{category}", f"SubCategory.{kind}", heel, *(["Material.Suede"] if number % 2 else [])}
    return {name: int(name in owned) for name in COLUMNS}


@pytest.fixture
def home(data_folder: Path) -> Path:
    """84 shoes; the last has no row, and the first row has no shoe."""
    home = data_folder / "zappos"
    for number in range(84):
        folder = home / "ut-zap50k-images-square" / "/".join(KINDS[number % 3]) / f"Brand {number % 5}."
        folder.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (6, 6), (3 * number,) * 3).save(folder / f"{8000000 + number}.{370 + number}.jpg", quality=100)
    (home / "ut-zap50k-data").mkdir()
    with (home / "ut-zap50k-data" / "meta-data-bin.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["CID", *COLUMNS])
        table.writerow(["7000000-1", *[0] * len(COLUMNS)])
        for number in range(83):
            cells = [value or ("" if number % 4 else 0) for value in has(number).values()]
            table.writerow([f"{8000000 + number}-{370 + number}", *cells])
    return home


def test_kinds_and_attributes_are_those_of_the_official_files(home: Path) -> None:
    source = find_source("zappos")
    assert (source.name, source.store.shape) == ("zappos", (83, 3, 6, 6))
    assert source.class_names == ("Boots/Ankle", "Shoes/Oxfords", "Shoes/Sneakers and Athletic Shoes")
    assert source.parents == ("Boots", "Shoes", "Shoes")
    assert source.notes == ("1 images without attributes and 1 rows without an image are left out",)
    assert sorted(source.attributes) == sorted([*COLUMNS, "HeelHeight.High.heel", "HeelHeight.Short.heel"])
    shoes = source.store[:, 0].reshape(83, -1).mean(axis=1) / 3  # what the red tells
    assert np.abs(shoes - np.rint(shoes)).max() < 0.4
    for name in COLUMNS:
        wanted = [has(number)[name] for number in np.rint(shoes).astype(int).tolist()]
        assert source.attributes[name].tolist() == wanted
    counts = {name: int(values.sum()) for name, values in source.attributes.items()}
    height = {name.removeprefix("HeelHeight."): count for name, count in counts.items() if "HeelHeight" in name}
    assert height["High.heel"] == height["4in...4.3.4in"] + height["5in...over"]
    assert height["Short.heel"] == height["Flat"] + height["Under.1in"] + height["1in...1.3.4in"]
    boots = source.attributes["Category.Boots"] == 1
    np.testing.assert_array_equal(boots, source.class_ids == 0)


def test_heights_of_heels_are_never_paired_with_each_other(home: Path) -> None:
    task = AttributePair(shot=2, query=2, least=4, only=("HeelHeight", "Material", "Category"))
    pairs = task.pairs(find_source("zappos"))
    assert any("HeelHeight.High.heel" in pair for pair in pairs)
    assert all(len({name.partition(".")[0] for name in pair}) == 2 for pair in pairs)


def test_pairs_of_attributes_from_the_command_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "evaluate zappos --recipe 4 --task attribute_pair:only=Material.Suede+Category/least=8 --shot 2 --query 4"
    assert main([*command.split(), "--episodes", "20", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["notes"][0] == "1 images without attributes and 1 rows without an image are left out"


def test_images_that_are_not_square_are_read_at_the_recipes_size(home: Path) -> None:
    (home / "ut-zap50k-images-square").rename(home / "ut-zap50k-images")
    assert find_source("zappos", find_recipe("4")).store.shape == (83, 3, 4, 4)


def test_a_changed_table_is_read_anew(home: Path) -> None:
    assert find_source("zappos").attributes["ToeStyle.Round Toe"].sum() == 0
    table = home / "ut-zap50k-data" / "meta-data-bin.csv"
    lines = table.read_text().splitlines()
    assert lines[-1].endswith(",")
    table.write_text("\n".join([*lines[:-1], lines[-1] + "1"]))
    assert find_source("zappos").attributes["ToeStyle.Round Toe"].sum() == 1


def test_the_published_sides_are_disjoint() -> None:
    assert [len(set(side)) for side in (PUBLISHED_IN, PUBLISHED_OUT)] == [36, 30]
    assert not set(PUBLISHED_IN) & set(PUBLISHED_OUT)


def refusal() -> str:
    with pytest.raises(FairshotError) as caught:
        find_source("zappos")
    return str(caught.value)


def test_what_is_missing_is_said(home: Path) -> None:
    table = home / "ut-zap50k-data" / "meta-data-bin.csv"
    text = table.read_text()
    table.write_text(text.replace("\n8", "\n9"))
    assert refusal() == (
        f"none of the 84 images below {home / 'ut-zap50k-images-square'} has a row in {table}: unpack the official "
        "archives as they are, so that CATEGORY/SUBCATEGORY/BRAND/100627.72.jpg is row 100627-72"
    )
    table.write_text("a,b\n1,2\n")
    assert refusal() == f"{table} has no column CID, it begins with a, b: take the official one"
    table.write_text("CID,Material.Suede\n8000000-370,2\n")
    assert refusal() == (f"{table}: 8000000-370 has the value 2: take the official meta-data-bin.csv, of 0 and 1 only")
    table.write_text("CID,Material.Suede\n8000000-370\n")
    assert refusal() == (
        f"{table}: 8000000-370 has 1 cells, the header 2: take the official meta-data-bin.csv, of 0 and 1 only"
    )
    table.write_text(text)
    shoe = next((home / "ut-zap50k-images-square").rglob("8000001*.jpg"))
    shoe.rename(home / "ut-zap50k-images-square" / shoe.name)
    assert refusal().endswith("is 0 folders deep: images belong in CATEGORY/SUBCATEGORY/BRAND/")
    table.unlink()
    assert refusal() == (
        f"zappos is not here: no ut-zap50k-images-square beside ut-zap50k-data/meta-data-bin.csv in {home}; unpack both "
        "archives of UT-Zappos50K there, or let FAIRSHOT_DATA list the folder that holds zappos/"
    )
