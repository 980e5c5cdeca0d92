import pytest

from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.labels import over_labels
from fairshot.statistics.intervals.labels_and_test import over_labels_and_test
from fairshot.statistics.intervals.test_images import over_test_images
from tests.statistics.probe_reference import Plain
from tests.statistics.probes import make_probe


@pytest.mark.parametrize("case", [{"seed": 0}, {"seed": 1, "draws": 3}, {"seed": 2, "group": 2}])
def test_both_at_once_are_those_of_the_plain_loops_and_never_less_than_either(case: dict[str, int]) -> None:
    answers = make_probe(**case)
    both, parts = over_labels_and_test(answers), (over_labels(answers), over_test_images(answers))
    assert isinstance(both, Spread)
    assert both.total == pytest.approx(Plain(answers).both(), rel=1e-9)
    totals = [part.total for part in parts if isinstance(part, Spread)]
    assert max(totals) - 1e-15 <= both.total <= sum(totals) + 1e-15


def test_what_one_of_them_lacks_both_lack() -> None:
    one = make_probe().some(slice(0, 1))
    assert over_labels_and_test(one) == "one draw of the labelled images says nothing about others"
