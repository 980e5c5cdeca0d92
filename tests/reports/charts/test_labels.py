"""Names beside points."""

from fairshot.reports.charts.labels import apart, short


def test_labels_move_down_until_none_is_on_another() -> None:
    places = [(0.0, 5.0), (0.0, 5.0), (0.0, -40.0), (0.0, -6.0)]
    assert apart(places, [1.0] * 4, 12) == [5, -7, -40, -19]
    assert apart([(0.0, 5.0), (2.0, 5.0)], [1.0, 1.0], 12) == [5, 5], "side by side"
    assert apart([(0.0, 5.0), (2.0, 5.0)], [3.0, 1.0], 12) == [5, -7], "the first reaches the second"


def test_labels_keep_off_points() -> None:
    assert apart([(0.0, 5.0)], [3.0], 2, [(0.0, 5.0)]) == [5], "its own, at which it begins"
    assert apart([(0.0, 5.0)], [3.0], 2, [(1.0, 6.0), (1.0, 4.5)]) == [2.5]


def test_the_end_of_a_long_name_is_kept() -> None:
    assert short("x" * 24) == "x" * 24
    assert short("runs/" + "x" * 30 + "/final", 10) == "…xxx/final"
