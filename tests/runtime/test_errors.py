import pytest

from fairshot.runtime.errors import FairshotError, unknown, unreadable


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


def test_what_cannot_be_read_is_quoted_with_every_form() -> None:
    assert str(unreadable("a/b/c", "SOURCE", "SOURCE/SPLIT")) == "cannot read 'a/b/c': write SOURCE or SOURCE/SPLIT"
    assert str(unreadable("x", "A", "B", "C")) == "cannot read 'x': write A, B or C"


def test_a_message_is_one_line_that_cannot_move_the_cursor() -> None:
    assert str(FairshotError("there is no folder \x1b[31mred\n  of that name")) == (
        r"there is no folder \x1b[31mred   of that name"
    )
