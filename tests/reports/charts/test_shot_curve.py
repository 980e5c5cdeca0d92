"""The drawing of scores against shots: where things stand, in characters and as SVG."""

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from fairshot.reports.charts.shot_curve import BLOCKS, draw_curve, refuse_plot, render_curves, svg, write_svg
from fairshot.results.schema import ShotCurve, ShotPoint
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.uniform import Uniform

SVG = "{http://www.w3.org/2000/svg}"


def make_curve(learner: str = "mine", family: str = "5-way", wide: float | None = 0.1) -> ShotCurve:
    points = [
        ShotPoint(
            shot=shot,
            value=value,
            intervals={
                "episodes": (value - 0.03, value + 0.03),
                "classes": (value - wide, value + wide) if wide else None,
            },
        )
        for shot, value in ((1, 0.4), (4, 0.6), (16, 0.7))
    ]
    return ShotCurve(learner=learner, family=family, metric="accuracy", points=points, gains=[], sentence="So it is.")


def test_the_drawing_by_hand() -> None:
    drawn = draw_curve(make_curve(), ascii_only=True).splitlines()
    grid = [line[8:].ljust(52) for line in drawn[:12]]
    # 30% to 80% and a little air: 28% at the bottom, 82% at the top, 11 steps of 4.91 points between them
    assert drawn[0].startswith("  82.0 |")
    assert drawn[11].startswith("  28.0 |")
    # (82 - 70) / 4.91 = 2.4, (82 - 60) / 4.91 = 4.5, (82 - 40) / 4.91 = 8.6
    assert [(line, column) for line in range(12) for column in range(52) if grid[line][column] == "o"] == [
        (2, 51), (4, 26), (9, 0),
    ]  # fmt: skip
    assert grid[0][51] == "."  # 80%: the upper end at 16 shots
    assert grid[11][0] == "."  # 30%: the lower end at 1 shot
    assert grid[8][0] == ":"  # 43%: the sampler's upper end
    assert grid[0][0] == " "
    assert drawn[12] == "       +" + "-" * 52
    assert drawn[13] == "        1                         4                       16 shots"
    assert max(map(len, drawn)) < 70


def test_other_characters_where_the_console_cannot_show_blocks() -> None:
    shown = {}
    for encoding in ("utf-8", "ascii"):
        file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        render_curves([make_curve()], Console(file=file, width=80))
        file.flush()
        shown[encoding] = file.buffer.getvalue().decode(encoding)
        assert shown[encoding].endswith("\nSo it is.\n")
    assert "(░ new classes, ▒ sampler)" in shown["utf-8"]
    assert "(. new classes, : sampler)" in shown["ascii"]
    assert BLOCKS["point"] in shown["utf-8"]
    assert shown["ascii"].isascii()


def test_without_an_interval_for_classes_at_every_point_the_sampler_stands_alone() -> None:
    curve = make_curve(wide=None)
    file = io.StringIO()
    render_curves([curve], Console(file=file, width=80))
    assert "mine, 5-way: accuracy in percent (▒ sampler)" in file.getvalue()
    assert "░" not in file.getvalue()


def test_the_svg_is_well_formed_with_a_panel_for_each_family_and_two_bands_for_each_learner(tmp_path: Path) -> None:
    curves = [make_curve(name, family) for family in ("5-way", "20-way") for name in ("a<b & 'c'", "ridge")]
    write_svg(curves, tmp_path / "deep" / "shots.svg")
    root = ElementTree.parse(tmp_path / "deep" / "shots.svg").getroot()
    assert root.attrib["viewBox"] == "0 0 640 800"
    panels = root.findall(f"{SVG}g")
    assert len(panels) == 2
    for panel in panels:
        assert len(panel.findall(f"{SVG}polygon")) == 4
        assert len(panel.findall(f"{SVG}polyline")) == 2
        texts = [text.text for text in panel.findall(f"{SVG}text")]
        assert {"a<b & 'c'", "ridge", "1", "4", "16", "30", "80"} <= set(texts)
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[:3] == ["a<b & 'c', 1 shot: 40.0", "a<b & 'c', 4 shots: 60.0", "a<b & 'c', 16 shots: 70.0"]


def test_higher_scores_stand_higher_and_more_shots_further_right() -> None:
    circles = list(ElementTree.fromstring(svg([make_curve()])).iter(f"{SVG}circle"))
    x, y = ([float(circle.attrib[name]) for circle in circles] for name in ("cx", "cy"))
    assert y[0] > y[1] > y[2]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.02)  # 1, 4, 16 on a log scale


@pytest.mark.parametrize(
    ("path", "tasks", "message"),
    [
        ("a.png", [], "--plot draws SVG, and a.png does not end in .svg: name it a.svg"),
        (
            "a.svg",
            [Uniform(shot=1), Uniform(shot=2), Uniform(way=6, shot=5)],
            "--plot draws the score against at least 3 numbers of shots, and 2 were given: ask for --shot 1,2,5,10",
        ),
        (
            "a.svg",
            [MetaDataset()],
            "--plot draws the score against at least 3 numbers of shots, and these tasks have none to set: ask for "
            "--shot 1,2,5,10",
        ),
    ],
)
def test_nothing_to_draw_gives_one_clear_line(path: str, tasks: list, message: str) -> None:
    with pytest.raises(FairshotError) as raised:
        refuse_plot(Path(path), tasks)
    assert str(raised.value) == message
