"""What more classes would bring, drawn."""

from fairshot.audits.findings import Precision
from fairshot.reports.charts.precision import precision_chart
from tests.panels import datasets


def test_curves_of_a_mean_and_of_a_difference_with_one_point_and_now() -> None:
    curve = [
        Precision(units=5, mean=0.04, difference=None),
        Precision(units=10, mean=0.03, difference=0.02),
        Precision(units=20, mean=0.02, difference=0.01),
    ]
    drawn = precision_chart(curve, "classes", 12).to_dict()
    values = [row for rows in datasets(drawn) for row in rows]
    widths = {(row["what"], row["units"], round(row["width"], 9)) for row in values if "what" in row}
    assert widths == {
        *(("a mean", 5, 4.0), ("a mean", 10, 3.0), ("a mean", 20, 2.0)),
        *(("a difference of two learners", 10, 2.0), ("a difference of two learners", 20, 1.0)),
    }
    assert {"width": 1.0} in values
    assert {"units": 12} in values
    assert any(row.get("text") == "now: 12" for row in values)
