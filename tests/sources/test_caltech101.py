from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file


def test_the_copy_at_hand_is_all_novel() -> None:
    data_file("wild/caltech101_84.zip")
    source = find_source("caltech101")
    assert (source.name, source.store.shape) == ("caltech101:copy=wild", (2020, 3, 84, 84))
    assert len(source.notes) == 1
    part = find_part("caltech101/all-novel/novel")
    assert (len(part.classes), part.name) == (101, "caltech101:copy=wild/all-novel/novel")
