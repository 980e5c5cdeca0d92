from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file


def test_the_copy_at_hand_is_all_novel() -> None:
    data_file("wild/eurosat10_64.zip")
    source = find_source("eurosat")
    assert (source.name, source.store.shape) == ("eurosat:copy=wild", (800, 3, 64, 64))
    assert len(source.notes) == 1
    part = find_part("eurosat/all-novel/novel")
    assert (len(part.classes), part.name) == (10, "eurosat:copy=wild/all-novel/novel")
