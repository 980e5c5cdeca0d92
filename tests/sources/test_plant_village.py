from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file


def test_the_copy_at_hand_is_all_novel() -> None:
    data_file("wild/plantvillage38_84.zip")
    source = find_source("plant_village")
    assert (source.name, source.store.shape) == ("plant_village:copy=wild", (1140, 3, 84, 84))
    assert len(source.notes) == 1
    part = find_part("plant_village/all-novel/novel")
    assert (len(part.classes), part.name) == (38, "plant_village:copy=wild/all-novel/novel")
