"""Pictures of scores: what stands in them, and how they are written."""

import base64
import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from fairshot.reports.charts.theme import INK, PAPER
from fairshot.reports.pictures import draw_pictures, file_endings, refuse_pictures, sample_sheets, write_pictures
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.concepts import Concept
from tests.panels import datasets
from tests.reports.charts.examples import HARD, PUBLISHED, make_gallery, make_scored

SVG = "{http://www.w3.org/2000/svg}"
SAFE = "a--b-----c---d---e-.f--g"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every picture, written once, beside a file that is not one."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "mine.txt").write_text("keep me")
    (folder / "plane.svg").write_text("old")
    write_pictures(make_scored(), make_gallery(), folder)
    return folder


def marks(folder: Path, name: str, kind: str) -> list[list[ElementTree.Element]]:
    """The elements of every mark of a kind, in the order in which they are drawn."""
    root = ElementTree.parse(folder / name).getroot()
    return [list(group) for group in root.iter(f"{SVG}g") if f"mark-{kind} role-mark" in group.get("class", "")]


def words(folder: Path, name: str) -> set[str]:
    return {element.text or "" for element in ElementTree.parse(folder / name).getroot().iter(f"{SVG}text")}


def pixels(element: ElementTree.Element) -> np.ndarray:
    address = element.get("href") or element.attrib["{http://www.w3.org/1999/xlink}href"]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("L"))


def test_the_plane(folder: Path) -> None:
    assert {"copy", HARD[-23:].rjust(24, "…"), "people"} <= words(folder, "plane.svg")
    faint, points = marks(folder, "plane.svg", "symbol")
    assert len(faint) == 2, "classes of people alone"
    assert [point.get("fill") for point in points][:2] == [INK, PAPER], "people, and copy, which is a yardstick"
    assert [point.attrib["d"].count("L") for point in points] == [9, 0, 0], "a star and two circles"
    assert [len(bars) for bars in marks(folder, "plane.svg", "rule")] == [2, 2], "for each that has intervals"


@pytest.mark.parametrize(
    ("name", "yardstick"),
    [
        ("copy", True),
        ("warped:strength=0.5", True),
        ("fresh", True),
        ("warp_editor", False),
        ("mine.py:generate", False),
    ],
)
def test_rings_are_what_nobody_had_to_train(name: str, yardstick: bool) -> None:
    scored = make_scored()
    rows = [row.model_copy(update={"learner": name}) if row.learner == "copy" else row for row in scored.rows]
    drawn = dict(draw_pictures(scored.model_copy(update={"rows": rows}), None))["plane.svg"].to_dict()
    sets = next(rows for rows in datasets(drawn) if "fill" in rows[0])
    assert (sets[1]["fill"] == PAPER) == yardstick


def test_published_models_are_marked_in_another_way() -> None:
    drawn = dict(draw_pictures(make_scored(published=PUBLISHED), None))
    sets = next(rows for rows in datasets(drawn["plane.svg"].to_dict()) if "shape" in rows[0])
    rows = [row for row in sets if row["shape"] == "diamond"]
    assert [(row["label"], row["diversity"], row["recognizability"]) for row in rows] == [
        ("VAE-NS", 1.5, 0.85),
        ("VAE-STN", 2.0, 0.75),
        ("", 1.3, 0.95),
    ]
    assert all("left" not in row and "below" not in row for row in rows), "nothing is known of their intervals"
    assert "diamonds: published" in str(drawn["plane.svg"].to_dict()["title"])
    plain = dict(draw_pictures(make_scored(), None))["plane.svg"].to_dict()
    assert not [row for rows in datasets(plain) for row in rows if row.get("shape") == "diamond"]


def test_ranks_of_originality_are_drawn_in_order() -> None:
    drawn = dict(draw_pictures(make_scored(), None))["originality-ranks.svg"].to_dict()
    rows = [row for rows in datasets(drawn) for row in rows if "rank" in row]
    assert [(row["name"], row["rank"], row["originality"]) for row in rows[:3]] == [
        ("copy", 1, 0.5),
        ("copy", 2, 1.0),
        ("copy", 3, 2.0),
    ]
    assert {row["colour"] for row in rows if row["name"] == "human"} == {INK}


def test_rows_of_concepts(folder: Path) -> None:
    assert {"1", "first", "0.10", "4", "a < b", "0.90"} <= words(folder, "concepts-simclr.svg")
    (strips,) = marks(folder, "concepts-simclr.svg", "image")
    expected = make_gallery().neighbours.drawings
    assert np.array_equal(pixels(strips[0]), np.concatenate(list(expected), axis=1))
    assert np.array_equal(pixels(strips[1]), np.concatenate(list(expected[:2]), axis=1))
    assert [strip.get("width") for strip in strips] == ["104", "52"]
    assert len(marks(folder, "concepts-simclr.svg", "rect")[0]) == 2, "a frame for the first of each row"
    assert len(marks(folder, "concepts-simclr.svg", "rule")[0]) == 1, "ranks 2 and 3 are not shown"


def test_neighbours_are_coloured_by_class_and_exemplars_framed_on_top(folder: Path) -> None:
    assert [len(images) for images in marks(folder, "tsne.svg", "image")] == [2, 2]
    frames, legend = marks(folder, "tsne.svg", "symbol")
    assert [frame.get("stroke") for frame in frames] == [INK, INK]
    assert len({square.get("fill") for square in legend}) == 2
    assert {"x", HARD} <= words(folder, "tsne.svg")


def test_originality_of_sets_and_of_people(folder: Path) -> None:
    assert {"copy", HARD[-23:].rjust(24, "…") + ": none", "people"} <= words(folder, "originality.svg")
    assert [len(points) for points in marks(folder, "originality.svg", "symbol")] == [1 + 2]
    alone = dict(draw_pictures(make_scored(originality={}), make_gallery()))
    assert "originality.svg" not in alone, "people alone have nothing to be compared with"


def test_sheets_of_all_sets_show_the_same_classes_in_the_same_rows() -> None:
    first, second = (np.full((2, 4, 4), tone, np.uint8) for tone in (0, 255))
    people = [Concept("x", 1, 0.1, first), Concept("y", 2, 0.2, second)]
    others = [Concept("y", 1, 0.1, second), Concept("x", 2, 0.3, first)]
    sheets = sample_sheets({"people": people, "copy": others})
    assert sheets["people"] == sheets["copy"]


def test_files_are_named_written_and_others_left(folder: Path) -> None:
    wanted = ["plane.svg", "originality.svg", "originality-ranks.svg", "tsne.svg"]
    wanted += [
        f"concepts-{critic}{name}.svg" for name in (f"-{SAFE}", "-copy", "") for critic in ("simclr", "prototypes")
    ]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*wanted, "mine.txt"])
    assert (folder / "mine.txt").read_text() == "keep me"
    assert (folder / "plane.svg").read_text().startswith("<svg")
    with pytest.raises(FairshotError) as refused:
        refuse_pictures(folder / "mine.txt")
    assert str(refused.value) == f"--pictures writes into a folder, and {folder / 'mine.txt'} is a file: name another"
    refuse_pictures(folder / "new")
    refuse_pictures(None)


def test_names_of_files_are_safe_and_differ() -> None:
    found = file_endings(["runs/a", "runs-a", "Runs/A", "../..", "warped:strength=0.5", "x" * 200])
    assert found["runs/a"] == "runs-a"
    assert found["runs-a"] == "runs-a-2"
    assert found["Runs/A"] == "Runs-A-3"
    assert found["../.."] == "samples"
    assert found["warped:strength=0.5"] == "warped-strength-0.5"
    assert len(found["x" * 200]) == 60
