"""Files of charts: well formed whatever things are called, the same every time, and in need of nothing beside them."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshot.reports.charts.chart import UNPRINTABLE, save, to_html, to_svg
from fairshot.reports.charts.shot_curve import shot_chart
from fairshot.runtime.errors import FairshotError
from tests.panels import datasets
from tests.reports.charts.examples import HARD, make_curve

SVG = "{http://www.w3.org/2000/svg}"
names = st.text(st.characters(), min_size=1, max_size=12) | st.sampled_from(
    [HARD, "</script>", "\x00\x1b[31m", "\ud800"]
)


def shown(text: str) -> str:
    """As it stands in a picture, but for spaces, which XML may fold."""
    return "".join(UNPRINTABLE.sub("\ufffd", text).split())


@settings(max_examples=12, deadline=None)
@given(st.lists(names, min_size=3, max_size=3, unique_by=shown))
def test_no_name_breaks_a_picture(words: list[str]) -> None:
    learner, other, family = words
    root = ElementTree.fromstring(to_svg(shot_chart([make_curve(learner, family), make_curve(other, family)])))
    texts = {shown(text.text or "") for text in root.iter(f"{SVG}text")}
    assert {shown(learner), shown(other), shown(f"Accuracy against shots, {family}")} <= texts | {""}
    assert shown(learner) in shown(root.findtext(f"{SVG}title") or "")


def test_every_format_holds_the_chart(tmp_path: Path) -> None:
    chart = shot_chart([make_curve(HARD)])
    for ending in ("svg", "png", "json"):
        save(chart, tmp_path / "deep" / f"a.{ending}")
    assert (tmp_path / "deep" / "a.svg").read_text() == to_svg(shot_chart([make_curve(HARD)])), "the same every time"
    assert (tmp_path / "deep" / "a.png").read_bytes().startswith(b"\x89PNG")
    assert next(datasets(json.loads((tmp_path / "deep" / "a.json").read_text())))[0]["learner"] == HARD
    with pytest.raises(FairshotError) as refused:
        save(chart, tmp_path / "a.gif")
    assert str(refused.value) == (
        f"a chart is written as .svg, .png, .html, .json, and {tmp_path / 'a.gif'} is none: name it a.svg"
    )


def test_a_page_has_its_library_inside_and_no_name_ends_its_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairshot.reports.charts.chart.library", lambda: "/* the library */")
    page = to_html(shot_chart([make_curve("</script><script>alert(1)</script>")]))
    assert page.count("</script>") == 2
    assert "/* the library */" in page
    assert not re.search(r'(src|href)="', page)
    spec = json.loads(re.search(r'vegaEmbed\("#chart", (.*), \{renderer', page)[1])
    assert "</script><script>" in spec["description"]


def test_places_are_rounded_so_that_machines_agree() -> None:
    drawn = to_svg(shot_chart([make_curve()]))
    assert not re.search(r'="[^"]*\d\.\d{3,}', drawn)
    assert "prefers-color-scheme:dark" in drawn
