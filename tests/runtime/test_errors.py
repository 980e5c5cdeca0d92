import pytest

from fairshot.runtime.errors import FairshotError, unknown


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vinyal", "unknown split 'vinyal': did you mean 'vinyals'?"),
        ("LAKE", "unknown split 'LAKE': there are: lake, vinyals, vinyals-alphabets"),
        ("nothing-like-it", "unknown split 'nothing-like-it': there are: lake, vinyals, vinyals-alphabets"),
        ("", "unknown split '': there are: lake, vinyals, vinyals-alphabets"),
    ],
)
def test_an_unknown_name_gets_the_nearest_known_one_or_all(name: str, text: str) -> None:
    error = unknown("split", name, ["vinyals", "lake", "vinyals-alphabets"])
    assert isinstance(error, FairshotError)
    assert str(error) == text


def test_where_nothing_is_known_it_says_none() -> None:
    assert str(unknown("learner", "x", [])) == "unknown learner 'x': there are: none"


def test_any_iterable_of_names_will_do() -> None:
    assert str(unknown("metric", "acuracy", {"accuracy": 1}.keys())) == (
        "unknown metric 'acuracy': did you mean 'accuracy'?"
    )
