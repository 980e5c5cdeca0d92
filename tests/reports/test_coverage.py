"""How often intervals held, as a person sees it."""

from fairshot.reports.result_tables import coverage_table
from fairshot.results.schema import read_result
from fairshot.tables.render import to_text
from tests.paths import RESULTS

RESULT = read_result(RESULTS / "coverage.json")


def test_the_table_has_a_line_for_every_setting_and_no_figure_where_no_interval_was_given() -> None:
    never = RESULT.rows[0].model_copy(update={"width": None, "null": 1.0, "value": 0.0})
    table = coverage_table(RESULT.model_copy(update={"rows": [RESULT.rows[1], never]}))
    lines = to_text([table], width=200).splitlines()
    assert sum("5-way 1-shot 15-query" in line for line in lines) == 2
    assert any(line.split()[-4:-2] == ["N/A", "N/A"] for line in lines)
