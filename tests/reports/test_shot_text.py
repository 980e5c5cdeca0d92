"""The drawing of scores against shots with characters: where things stand."""

import io

from rich.console import Console

from fairshot.reports.shot_text import BLOCKS, draw_curve, render_curves
from tests.reports.charts.examples import make_curve


def test_the_drawing_by_hand() -> None:
    drawn = draw_curve(make_curve(), ascii_only=True).splitlines()
    grid = [line[8:].ljust(52) for line in drawn[:12]]
    # 30% to 80% and a little air: 28% at the bottom, 82% at the top, 11 steps of 4.91 points between them
    assert drawn[0].startswith("  82.0 |")
    assert drawn[11].startswith("  28.0 |")
    # (82 - 70) / 4.91 = 2.4, (82 - 60) / 4.91 = 4.5, (82 - 40) / 4.91 = 8.6
    assert [(line, column) for line in range(12) for column in range(52) if grid[line][column] == "o"] == [
        (2, 51),
        (4, 26),
        (9, 0),
    ]
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
        assert shown[encoding].endswith(" shots\n"), "the sentence stands below the table, and once"
    assert "(░ new classes, ▒ usual CI)" in shown["utf-8"]
    assert "(. new classes, : usual CI)" in shown["ascii"]
    assert BLOCKS["point"] in shown["utf-8"]
    assert shown["ascii"].isascii()


def test_without_an_interval_for_classes_at_every_point_the_sampler_stands_alone() -> None:
    curve = make_curve(wide=None)
    file = io.StringIO()
    render_curves([curve], Console(file=file, width=80))
    assert "mine, 5-way: accuracy in percent (▒ usual CI)" in file.getvalue()
    assert "░" not in file.getvalue()
