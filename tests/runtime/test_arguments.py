"""Arguments of a wrong type are refused in one line, those of a right one pass as they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from jaxtyping import Float

from fairshot.runtime.arguments import check_fields, checked
from fairshot.runtime.errors import FairshotError


class Thing:
    """Something that can be given."""


@checked
def everything(  # noqa: PLR0913 one of each type
    data: Any = None,
    *others: int,
    whole: int = 0,
    number: float | None = None,
    yes: bool = False,
    word: str = "",
    where: Path | str | None = None,
    kept: Path | str | Thing | None = None,
    counts: int | Sequence[int] = 1,
    names: Sequence[str] = (),
    table: Mapping[str, int] | None = None,
    how: Literal["auto", "serial"] = "auto",
    call: Callable[[int], None] | None = None,
    array: Float[np.ndarray, " n"] | None = None,
    **more: str,
) -> dict[str, Any]:
    """Gives what it was given."""
    return {name: value for name, value in locals().items() if name not in ("data", "others", "more")}


REFUSED = {
    "whole is '5': give a whole number": {"whole": "5"},
    "whole is 5.0: give a whole number": {"whole": 5.0},
    "whole is True: give a whole number": {"whole": True},
    "whole is None: give a whole number": {"whole": None},
    "number is '0.5': give a number or None": {"number": "0.5"},
    "number is False: give a number or None": {"number": False},
    "yes is 'no': give True or False": {"yes": "no"},
    "yes is 1: give True or False": {"yes": 1},
    "word is 5: give text": {"word": 5},
    "where is 5: give a path or None": {"where": 5},
    "where is empty: give a path or None": {"where": ""},
    "kept is a list: give a path, a Thing or None": {"kept": [1]},
    "counts is '1': give a whole number or a list of whole numbers": {"counts": "1"},
    "counts is a list: give a whole number or a list of whole numbers": {"counts": [1, 2.5]},
    "counts is an array: give a whole number or a list of whole numbers": {"counts": np.array([1.0, 2.0])},
    "names is 'a': give a list": {"names": "a"},
    "table is 5: give a mapping or None": {"table": 5},
    "how is 'gpu': give 'auto' or 'serial'": {"how": "gpu"},
    "how is a list: give 'auto' or 'serial'": {"how": []},
    "call is 5: give a function or None": {"call": 5},
    "word is a bytes: give text": {"word": b"xxx"},
}


@pytest.mark.parametrize(("message", "given"), REFUSED.items(), ids=list(REFUSED))
def test_what_is_of_another_type_is_refused(message: str, given: dict[str, Any]) -> None:
    with pytest.raises(FairshotError) as caught:
        everything(**given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "given", "taken"),
    [
        ("whole", np.int64(5), 5),
        ("number", 2, 2),
        ("number", np.float32(0.5), 0.5),
        ("number", float("inf"), float("inf")),
        ("yes", np.bool_(True), True),
        ("where", "a", "a"),
        ("where", Path("a"), Path("a")),
        ("where", None, None),
        ("counts", np.int32(3), 3),
        ("counts", np.array([2, 5]), [2, 5]),
        ("counts", (2, 5), (2, 5)),
        ("counts", range(2, 4), [2, 3]),
        ("names", [], []),
        ("how", "serial", "serial"),
        ("call", print, print),
    ],
)
def test_what_fits_is_taken_and_numbers_of_numpy_become_plain(name: str, given: Any, taken: Any) -> None:
    found = everything(**{name: given})[name]
    assert found == taken
    assert type(found) is type(taken)


def test_shapes_and_anything_else_are_left_to_others() -> None:
    vector = np.zeros(3)
    assert everything(5, 1, 2, array=vector, other=5)["array"] is vector


def test_a_call_that_no_signature_has_fails_as_in_python() -> None:
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'path'"):
        checked(lambda path: path)()


def test_fields_of_a_frozen_dataclass_are_checked() -> None:
    @dataclass(frozen=True)
    class Task:
        way: int = 5
        shares: float | None = None

        def __post_init__(self) -> None:
            check_fields(self)

    assert type(Task(way=np.int64(3)).way) is int  # type: ignore[arg-type]
    with pytest.raises(FairshotError, match=r"^way is 2\.5: give a whole number$"):
        Task(way=2.5)  # type: ignore[arg-type]
    with pytest.raises(FairshotError, match=r"^shares is 'equal': give a number or None$"):
        Task(shares="equal")  # type: ignore[arg-type]
