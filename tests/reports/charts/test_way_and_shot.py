"""Accuracy against ways and shots: three panels on one scale, a curve with its band for each learner."""

from xml.etree import ElementTree

import pytest

from fairshot.reports.charts.chart import to_svg
from fairshot.reports.charts.way_and_shot import AXES, way_and_shot
from fairshot.results.source_rows import CurvePoint
from tests.panels import datasets
from tests.studies.kinds.small_sources import HEADING, make_result

SVG = "{http://www.w3.org/2000/svg}"
TITLES = ["trained on one, tested on Fish", "trained on many, tested on all", "trained on many, tested on Fish"]


@pytest.mark.parametrize("axis", ["way", "shot"])
def test_every_point_is_drawn_once_with_its_band(axis: str) -> None:
    chart = way_and_shot(make_result(), axis)
    (rows,) = datasets(chart.to_dict())
    points = [point for point in make_result().points if point.axis == axis]
    assert [(row["value"], row["low"], row["high"]) for row in rows] == [
        (point.value, *(point.interval or (None, None))) for point in points
    ]
    assert list(dict.fromkeys(row["setting"] for row in rows)) == TITLES
    words = [text.text for text in ElementTree.fromstring(to_svg(chart)).iter(f"{SVG}text")]
    assert {*TITLES, *HEADING.fast, AXES[axis].title, "accuracy"} <= set(words)


def test_a_point_stands_in_the_middle_of_its_bin_as_the_scale_has_it() -> None:
    def point(low: int, high: int) -> CurvePoint:
        about = {"setting": "it", "learner": "it", "value": 0.5, "interval": None, "episodes": 9}
        return CurvePoint(axis="way", low_x=low, high_x=high, **about)

    assert AXES["way"].place(point(10, 14)) == 12
    assert AXES["shot"].place(point(2, 8)) == 4


def test_bins_are_named_in_words() -> None:
    (rows,) = datasets(way_and_shot(make_result(), "shot").to_dict())
    assert {"1", "2", "3 to 4"} <= {row["bin"] for row in rows}
