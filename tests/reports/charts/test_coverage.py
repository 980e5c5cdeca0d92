"""How often intervals held, as a chart of the committed study."""

from xml.etree import ElementTree

from fairshot.reports.charts.chart import to_svg
from fairshot.reports.charts.coverage import coverage_chart
from fairshot.results.schema import read_result
from tests.paths import RESULTS

SVG = "{http://www.w3.org/2000/svg}"


def test_both_counts_are_told_and_all_forty_benchmarks_drawn_twice() -> None:
    root = ElementTree.fromstring(to_svg(coverage_chart(read_result(RESULTS / "coverage.json"))))
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "the usual 95% interval: holds in 2 of 40" in words
    assert "fairshot, new classes: holds in 36 of 40" in words
    rules = [group for group in root.iter(f"{SVG}g") if "mark-rule role-mark" in group.get("class", "")]
    assert sorted(map(len, rules)) == [1, 1, 1, 40, 40]
