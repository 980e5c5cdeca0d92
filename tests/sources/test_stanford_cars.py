from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file


def test_the_copy_at_hand_is_all_novel() -> None:
    data_file("wild/stanfordcars98_84.zip")
    source = find_source("stanford_cars")
    assert (source.name, source.store.shape) == ("stanford_cars:copy=wild", (1960, 3, 84, 84))
    assert len(source.notes) == 1
    part = find_part("stanford_cars/all-novel/novel")
    assert (len(part.classes), part.name) == (98, "stanford_cars:copy=wild/all-novel/novel")
