from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file


def test_the_copy_at_hand_is_all_novel() -> None:
    data_file("wild/tinyimagenet200_64.zip")
    source = find_source("tiny_imagenet")
    assert (source.name, source.store.shape) == ("tiny_imagenet:copy=wild", (4000, 3, 64, 64))
    assert len(source.notes) == 1
    part = find_part("tiny_imagenet/all-novel/novel")
    assert (len(part.classes), part.name) == (200, "tiny_imagenet:copy=wild/all-novel/novel")


def test_classes_that_mini_imagenet_trains_on_can_be_left_out() -> None:
    data_file("wild/tinyimagenet200_64.zip")
    data_file("multidomain32/multidomain32_jpeg_mosaics.zip")
    rest = find_part("tiny_imagenet/without-mini/novel")
    mini = {part: find_part(f"mini_imagenet:copy=small/ravi/{part}", recipe="raw") for part in ("base", "val", "novel")}
    theirs = {part: {source.class_names[one] for one in source.classes} for part, source in mini.items()}
    everything = set(find_source("tiny_imagenet").class_names)
    assert {rest.class_names[one] for one in rest.classes} == everything - theirs["base"] - theirs["val"]
    assert len(rest.classes) == 180
