"""How often intervals held, as a person sees it."""

import io

from rich.console import Console

from fairshot.reports.coverage import render_coverage
from fairshot.results.schema import read_result
from tests.paths import RESULTS

RESULT = read_result(RESULTS / "coverage.json")


def test_the_table_has_a_line_for_every_setting_and_no_figure_where_no_interval_was_given() -> None:
    console = Console(file=io.StringIO(), width=200)
    never = RESULT.rows[0].model_copy(update={"width": None, "null": 1.0, "value": 0.0})
    render_coverage(RESULT.model_copy(update={"rows": [RESULT.rows[1], never]}), console)
    lines = console.file.getvalue().splitlines()
    assert sum("5-way 1-shot 15-query" in line for line in lines) == 2
    assert any(line.split()[-4:-2] == ["-", "-"] for line in lines)
