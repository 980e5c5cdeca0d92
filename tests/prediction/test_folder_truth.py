import pytest

from fairshot.prediction.folder_truth import with_truth
from fairshot.prediction.predictions import Prediction


def row(file: str, label: str, *, unknown: bool = False) -> Prediction:
    return Prediction(file, label, 0.9, "other", 0.1, unknown=unknown)


def test_folders_with_the_names_of_classes_tell_the_truth() -> None:
    rows = [row("new/cat/1.png", "cat"), row("new/dog/2.png", "cat"), row("new/dog/3.png", "dog", unknown=True)]
    told, scored = with_truth(rows, ["cat", "pets/dog"])
    assert [one.truth for one in told] == ["cat", "pets/dog", "pets/dog"]
    assert scored is not None
    assert (scored.right, scored.images) == (1, 3)


@pytest.mark.parametrize("file", ["new/1.png", "new/horse/1.png", "row 3"])
def test_where_one_folder_names_no_class_nothing_is_scored(file: str) -> None:
    rows = [row("new/cat/1.png", "cat"), row(file, "cat")]
    told, scored = with_truth(rows, ["cat", "dog"])
    assert scored is None
    assert [one.truth for one in told] == [None, None]
