"""The chart of scores against shots."""

from xml.etree import ElementTree

import pytest

from fairshot.reports.charts.chart import to_svg
from fairshot.reports.charts.shot_curve import shot_chart
from tests.panels import datasets
from tests.reports.charts.examples import HARD, make_curve

SVG = "{http://www.w3.org/2000/svg}"


def test_a_panel_for_each_family_with_a_line_and_two_bands_for_each_learner() -> None:
    curves = [make_curve(name, family) for family in ("5-way", "20-way") for name in (HARD, "ridge")]
    root = ElementTree.fromstring(to_svg(shot_chart(curves)))
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words.count("95% bands: new classes (light), usual CI (dark)") == 2
    assert {HARD, "ridge", "1", "4", "16", "30%", "80%", "Accuracy against shots, 20-way"} <= set(words)
    groups = {kind: root.findall(f".//{SVG}g[@class]") for kind in ("area", "line")}
    drawn = {
        kind: [group for group in found if f"mark-{kind}" in group.get("class", "")] for kind, found in groups.items()
    }
    assert {kind: sum(len(group) for group in found) for kind, found in drawn.items()} == {"area": 8, "line": 4}


def test_higher_scores_stand_higher_and_more_shots_further_right() -> None:
    root = ElementTree.fromstring(to_svg(shot_chart([make_curve()])))
    (marks,) = (group for group in root.iter(f"{SVG}g") if "mark-symbol role-mark" in group.get("class", ""))
    places = [mark.attrib["transform"].removeprefix("translate(").rstrip(")").split(",") for mark in marks]
    x, y = ([float(place[k]) for place in places] for k in (0, 1))
    assert y[0] > y[1] > y[2]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.02)  # 1, 4, 16 on a log scale


def test_without_an_interval_for_classes_the_sampler_stands_alone() -> None:
    spec = shot_chart([make_curve(wide=None)]).to_dict()
    assert {"95% bands: usual CI"} == {
        layer["title"]["subtitle"] for layer in [spec, *spec["layer"]] if "title" in layer
    }
    assert all("low" in row and "wide_low" not in row for rows in datasets(spec) for row in rows)
