"""Pictures of scores: what stands in them, and how they are written."""

import base64
import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from fairshot.reports.charts.svg import Axes, apart, span, ticks
from fairshot.reports.pictures import draw_pictures, file_endings, refuse_pictures, write_pictures
from fairshot.results.schema import Row, SourceName
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.concepts import Concept, Gallery, NeighbourMap
from fairshot.scoring.sample_scores import BandScore, ClassScores, SampleScores

SVG = "{http://www.w3.org/2000/svg}"
POINTS = {"copy": (0.0, 1.0), "a <b> & c": (0.8, 0.7), "human": (1.2, 0.9)}


def make_row(name: str, metric: str, value: float) -> Row:
    interval = None if name == "copy" else (value - 0.05, value + 0.05)
    return Row(
        learner=name, task="20-way", part="glyphs", metric=metric, episodes=9, episodes_key="k", value=value,
        intervals={"classes": interval},
    )  # fmt: skip


def make_scored(**changed: object) -> SampleScores:
    bands = [
        BandScore(low=low, high=low + 1, share=0.5, recognizability=share, human=0.8)
        for low, share in ((0.0, 0.9), (1.0, None))
    ]
    none = [band.model_copy(update={"recognizability": None, "share": 0.0}) for band in bands]
    values = {"diversity": 1.0, "recognizability": 0.5}
    found = SampleScores(
        seed=0, source=SourceName(name="glyphs", fingerprint="f", recipe="diversity"), episodes_key="k",
        rows=[make_row(n, m, v) for n, point in POINTS.items() for m, v in zip(values, point, strict=True)],
        critic="mine", critics={}, recogniser="prototypes", classes=2, samples_a_class={}, way=20, times=500,
        pool=POINTS, neighbours=5,
        by_class=[ClassScores(samples=n, name=c, exemplar=0, values=values) for n in POINTS for c in "xy"],
        originality={"copy": bands, "a <b> & c": none}, agreement=[],
    )  # fmt: skip
    return found.model_copy(update=changed)


def make_gallery() -> Gallery:
    rng = np.random.default_rng(0)
    drawings = np.where(rng.random((4, 10, 11)) < 0.3, 0, 255).astype(np.uint8)
    concepts = [Concept("first", 1, 0.1, drawings), Concept("a < b", 4, 0.9, drawings[:2])]
    neighbours = NeighbourMap(("x", "y"), rng.random((4, 2)), np.array([0, 0, 1, 1]), np.arange(4) % 2 == 0, drawings)
    return Gallery({name: {"simclr": concepts, "prototypes": concepts} for name in POINTS}, neighbours)


def parsed(name: str, found: SampleScores | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(dict(draw_pictures(found or make_scored(), make_gallery()))[name])


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def pixels(element: ElementTree.Element) -> np.ndarray:
    data = base64.b64decode(element.attrib["href"].partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(data)).convert("L"))


def test_the_plane() -> None:
    root = parsed("plane.svg")
    assert {"copy", "a <b> & c", "people"} <= set(words(root))
    faint = [circle for circle in root.iter(f"{SVG}circle") if circle.get("fill-opacity")]
    assert len(faint) == 2, "classes of people alone"
    rings = [circle.get("fill") for circle in root.iter(f"{SVG}circle") if not circle.get("fill-opacity")]
    assert rings.count("white") == 1, "copy is a yardstick"
    stars = [path for path in root.iter(f"{SVG}path") if path.attrib["d"].endswith("Z")]
    assert len(stars) == 1
    bars = [path for path in root.iter(f"{SVG}path") if path.get("stroke") in ("#000", "#d55e00")]
    assert len(bars) == 4, "two for each that has intervals"


def test_points_stand_where_they_belong() -> None:
    axes = Axes(10, 20, 100, 200, (0.0, 2.0), (0.5, 1.0))
    assert (axes.x(0), axes.x(1), axes.x(2)) == (10, 60, 110)
    assert (axes.y(0.5), axes.y(1.0)) == (220, 20)
    assert ticks(0.13, 0.98) == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert ticks(0, 3000)[:3] == [0, 500, 1000]
    assert span([1.0, 1.0]) == (0.5, 1.5)
    low, high = span([0.0, 1.0], 0, 1)
    assert -0.05 < low < 0
    assert 1 < high < 1.05
    assert apart([5, 5, 40, 6], 12) == [5, 17, 41, 29]


def test_rows_of_concepts() -> None:
    root = parsed("concepts-simclr.svg")
    assert {"1", "first", "0.10", "4", "a < b", "0.90"} <= set(words(root))
    strips = list(root.iter(f"{SVG}image"))
    expected = make_gallery().neighbours.drawings
    assert np.array_equal(pixels(strips[0]), np.concatenate(list(expected), axis=1))
    assert np.array_equal(pixels(strips[1]), np.concatenate(list(expected[:2]), axis=1))
    red = [box for box in root.iter(f"{SVG}rect") if box.get("stroke") == "#d00000"]
    assert [box.get("x") for box in red] == ["210.5", "210.5"], "the first of each row"
    assert sum("stroke-dasharray" in path.attrib for path in root.iter(f"{SVG}path")) == 1, (
        "ranks 2 and 3 are not shown"
    )


def test_neighbours_are_coloured_by_class_and_exemplars_framed() -> None:
    root = parsed("tsne.svg")
    assert len(list(root.iter(f"{SVG}image"))) == 4
    assert sum(box.get("stroke") == "#d00000" for box in root.iter(f"{SVG}rect")) == 2
    assert {"x", "y"} <= set(words(root))


def test_originality_of_sets_and_of_people() -> None:
    root = parsed("originality.svg")
    assert {"copy", "a <b> & c: none", "people"} <= set(words(root))
    assert len(list(root.iter(f"{SVG}circle"))) == 1 + 2
    alone = dict(draw_pictures(make_scored(originality={}), make_gallery()))
    assert "originality.svg" not in alone, "people alone have nothing to be compared with"


def test_files_are_named_written_and_others_left(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    (tmp_path / "plane.svg").write_text("old")
    written = write_pictures(make_scored(), make_gallery(), tmp_path)
    assert [path.name for path in written] == [
        "plane.svg", "originality.svg", "tsne.svg",
        "concepts-simclr-copy.svg", "concepts-prototypes-copy.svg",
        "concepts-simclr-a--b----c.svg", "concepts-prototypes-a--b----c.svg",
        "concepts-simclr.svg", "concepts-prototypes.svg",
    ]  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["mine.txt", *(path.name for path in written)])
    assert (tmp_path / "mine.txt").read_text() == "keep me"
    assert (tmp_path / "plane.svg").read_text().startswith("<svg")
    with pytest.raises(FairshotError) as refused:
        refuse_pictures(tmp_path / "mine.txt")
    assert str(refused.value) == f"--pictures writes into a folder, and {tmp_path / 'mine.txt'} is a file: name another"
    refuse_pictures(tmp_path / "new")
    refuse_pictures(None)


def test_names_of_files_are_safe_and_differ() -> None:
    found = file_endings(["runs/a", "runs-a", "Runs/A", "../..", "warped:strength=0.5", "x" * 200])
    assert found["runs/a"] == "runs-a"
    assert found["runs-a"] == "runs-a-2"
    assert found["Runs/A"] == "Runs-A-3"
    assert found["../.."] == "samples"
    assert found["warped:strength=0.5"] == "warped-strength-0.5"
    assert len(found["x" * 200]) == 60
