"""Two kinds of episodes side by side."""

import io

from rich.console import Console

from fairshot.reports.sides import render_sides
from tests.reports.test_evaluations import FIXED, make_result, make_row


def test_beside_two_kinds_of_episodes_a_fixed_list_is_told_apart() -> None:
    rows = [make_row("a", task, 0.5) for task in ("5-way", "within-parent 5-way")]
    fixed = make_row("a", "Lake's 20 runs", 0.5).model_copy(update={"scores": [0.4, 0.6]})
    texts = []
    for extra in (fixed, make_row("a", "closed 5-way", 0.5)):
        console = Console(file=io.StringIO(), width=80)
        render_sides(make_result(*rows, extra), console)
        texts.append(console.file.getvalue())
    assert FIXED in texts[0]
    assert ["learner", "episodes", "of", "accuracy", "such", "episodes"] in [
        line.split() for line in texts[0].splitlines()
    ]
    assert "Such episodes" not in texts[1]
    assert ["learner", "episodes", "of", "accuracy", "usual", "CI"] in [line.split() for line in texts[1].splitlines()]
