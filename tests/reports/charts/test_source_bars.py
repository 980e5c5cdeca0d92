"""Bars for each learner, source and setting: nothing twice, nothing summed, in the order of the study."""

from xml.etree import ElementTree

from fairshot.reports.charts.chart import to_svg
from fairshot.reports.charts.source_bars import source_bars
from tests.panels import datasets
from tests.studies.kinds.small_sources import HEADING, SETTINGS, SOURCES, make_result

SVG = "{http://www.w3.org/2000/svg}"


def test_whole_episodes_are_drawn_and_small_ones_of_those_who_answered_no_others() -> None:
    (rows,) = datasets(source_bars(make_result()).to_dict())
    learners = ["k-NN", "Prototypes", "Clusters", "Slow, small episodes"]
    places = [(row["learner"], row["setting"], row["source"]) for row in rows]
    sources = ["Fish", "Marks", "Birds *"]
    assert sorted(places) == sorted(
        (name, setting, label) for name in learners for setting in SETTINGS for label in sources
    )
    found = {
        (row.head, row.setting, row.source, row.small): row for row in make_result().rows if row.metric == "accuracy"
    }
    for row in rows:
        head, _, small = row["learner"].partition(", ")
        kept = found[head, row["setting"], row["source"].removesuffix(" *"), bool(small)]
        assert row["value"] == kept.value
        assert (row["low"], row["high"]) == (kept.quoted or kept.intervals["episodes"])


def test_bars_stand_beside_each_other_and_never_on_top() -> None:
    chart = source_bars(make_result())
    bars = chart.to_dict()["spec"]["layer"][0]["encoding"]
    assert bars["x"]["stack"] is None
    assert bars["yOffset"]["sort"] == list(SETTINGS)
    assert bars["y"]["sort"] == ["Fish", "Marks", "Birds *"]
    words = [text.text for text in ElementTree.fromstring(to_svg(chart)).iter(f"{SVG}text")]
    assert {"k-NN", "Slow, small episodes", "Fish", "Birds *", "one", "many", "trained on", "accuracy"} <= set(words)
    assert "Lines: the interval that the tables quote; * a source that nothing was trained on" in words


def test_a_name_is_never_part_of_a_field() -> None:
    assert len(SOURCES) == 3
    assert HEADING.named("a (b)", "c") == "a (b) (c)"
    rows = [
        row.model_copy(update={"head": "a.b [c]"}) if row.head == "k-NN" else row
        for row in make_result().rows
        if row.metric == "accuracy"
    ]
    assert "a.b [c]" in to_svg(source_bars(make_result().model_copy(update={"rows": rows})))
