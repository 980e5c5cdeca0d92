import os
import time
from collections.abc import Iterator
from typing import Literal

import pytest

from fairshot.runtime.backends import backend
from fairshot.runtime.backends.backend import ordered_map
from fairshot.runtime.errors import FairshotError

Backend = Literal["auto", "serial", "local"]
BACKENDS: tuple[Backend, ...] = ("auto", "serial", "threads", "local")


def later_ones_faster(number: int) -> tuple[int, int]:
    time.sleep(0.05 if number == 0 else 0.0)
    return number * number, os.getpid()


def fail_at_two(number: int) -> int:
    if number == 2:
        raise FairshotError(f"{number} is one too many")
    return number


@pytest.mark.parametrize("name", BACKENDS)
def test_answers_come_in_the_order_of_the_items(name: Backend) -> None:
    answers = list(ordered_map(later_ones_faster, range(12), count=12, backend=name))
    assert [square for square, _ in answers] == [number * number for number in range(12)]


@pytest.mark.parametrize("name", BACKENDS)
def test_no_items_give_no_answers(name: Backend) -> None:
    assert list(ordered_map(fail_at_two, [], count=0, backend=name)) == []


@pytest.mark.parametrize("name", BACKENDS)
def test_an_error_arrives_with_its_text(name: Backend) -> None:
    with pytest.raises(FairshotError) as caught:
        list(ordered_map(fail_at_two, range(5), count=5, backend=name))
    assert str(caught.value) == "2 is one too many"


def test_serial_stays_in_this_process() -> None:
    answers = ordered_map(later_ones_faster, range(3), count=3, backend="serial")
    assert {process for _, process in answers} == {os.getpid()}


def test_local_leaves_this_process() -> None:
    answers = ordered_map(later_ones_faster, range(3), count=3, backend="local")
    assert os.getpid() not in {process for _, process in answers}


def test_auto_stays_here_when_the_work_is_short() -> None:
    answers = ordered_map(later_ones_faster, range(5), count=5)
    assert {process for _, process in answers} == {os.getpid()}


def test_auto_starts_processes_when_the_rest_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "WORTH_SECONDS", 0.1)
    answers = list(ordered_map(later_ones_faster, range(5), count=5))
    assert [square for square, _ in answers] == [0, 1, 4, 9, 16]
    assert answers[0][1] == os.getpid()
    assert os.getpid() not in {process for _, process in answers[1:]}


def test_auto_does_one_item_here_however_slow_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "WORTH_SECONDS", 0.001)
    assert list(ordered_map(later_ones_faster, [0], count=1)) == [(0, os.getpid())]


@pytest.mark.parametrize("name", ["auto", "serial"])
def test_items_are_taken_one_at_a_time(name: Backend) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(5):
            taken.append(number)
            yield number

    answers = ordered_map(abs, items(), count=5, backend=name)
    assert next(answers) == 0
    assert taken == [0]
    assert list(answers) == [1, 2, 3, 4]


def test_local_takes_functions_that_only_exist_here() -> None:
    offset = 10
    assert list(ordered_map(lambda number: number + offset, [1, 2], count=2, backend="local")) == [11, 12]
