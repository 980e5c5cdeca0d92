"""Another hour, day or year: no answer may depend on when it is given."""

import datetime
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from fairshot.checks.check import Case, LearnerCheck
from fairshot.checks.finding import Outcome
from fairshot.checks.probe import judge, respond, small_probe
from fairshot.checks.stand_in import substituted
from fairshot.checks.watch import installed

HOUR, DAY = 3600, 86400
SHIFTS = {
    "an hour": HOUR,
    **{f"{hours} hours": hours * HOUR for hours in range(2, 24)},
    "a day": DAY,
    **{f"{days} days": days * DAY for days in range(2, 8)},
    "a month": 30 * DAY,
    **{f"{months} months": months * 30 * DAY for months in range(2, 12)},
    "a year": 366 * DAY,
}
FEW = ("an hour", "11 hours", "3 days", "a year")


@dataclass
class Hands:
    """Of a clock that can be set, and that knows whether somebody looked at it."""

    true: Callable[[], float]
    ahead: int = 0
    lookers: set[str] = field(default_factory=set)
    """The files whose code looked."""

    def now(self) -> float:
        """The time it shows."""
        frame: FrameType | None = sys._getframe()
        while frame is not None and _stands_between(frame.f_code.co_filename):
            frame = frame.f_back
        self.lookers.add(frame.f_code.co_filename if frame else "")
        return self.true() + self.ahead

    @property
    def shifts(self) -> dict[str, int]:
        """How far it is to be set: a few times are enough for packages, which time their own work."""
        foreign = all(looker.startswith((*installed(), "<frozen")) for looker in self.lookers)
        return {name: SHIFTS[name] for name in FEW} if foreign else SHIFTS


def _stands_between(file: str) -> bool:
    """Whether code is this module's, or wraps it to check types; both pass on what somebody else asked."""
    return file == __file__ or file.startswith("<@beartype") or file.endswith("jaxtyping/_decorator.py")


class Clock(LearnerCheck):
    """Looks whether the learner looks at the clock; if so, sets it to every hour, some days, the months and a year."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """The first other answer is enough."""
        probe = small_probe(case, episodes=1)
        with ahead() as hands:
            before = respond(case.fresh(), probe)
            if not hands.lookers:
                return "ok", "the clock is not looked at"
            shifts = hands.shifts
            for name, seconds in shifts.items():
                hands.ahead = seconds
                outcome, seen = judge(probe, before, respond(case.fresh(), probe), f"when the clock is {name} ahead")
                if outcome == "leak":
                    return outcome, seen
        return "ok", f"the clock is looked at, and answers stay the same at {len(shifts)} other times"


@contextmanager
def ahead() -> Iterator[Hands]:
    """Inside, Python's functions for date and time of day go by hands that can be moved."""
    hands = Hands(time.time)
    with substituted({**_functions(hands), **_classes(hands)}):
        yield hands


def _functions(hands: Hands) -> dict[Any, Any]:
    """What the module `time` tells of the time of day; stop-watches go on as they are."""
    local, universal, formatted, dated = time.localtime, time.gmtime, time.strftime, time.asctime

    def given(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda seconds=None: function(hands.now() if seconds is None else seconds)

    return {
        time.time: hands.now,
        time.time_ns: lambda: int(hands.now() * 1e9),
        local: given(local),
        universal: given(universal),
        time.ctime: given(time.ctime),
        dated: lambda when=None: dated(local(hands.now()) if when is None else when),
        formatted: lambda form, when=None: formatted(form, local(hands.now()) if when is None else when),
    }


def _classes(hands: Hands) -> dict[Any, Any]:
    """What the module `datetime` tells; a time that was made before still counts as one of its class."""
    moment, day = datetime.datetime, datetime.date

    class Moment(moment, metaclass=_like(moment)):  # type: ignore[metaclass]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return moment.fromtimestamp(hands.now(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return moment.fromtimestamp(hands.now(), datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return moment.fromtimestamp(hands.now())

    class Day(day, metaclass=_like(day)):  # type: ignore[metaclass]
        @classmethod
        def today(cls) -> Any:
            return day.fromtimestamp(hands.now())

    return {moment: Moment, day: Day}


def _like(original: type) -> type:
    class Like(type):
        def __instancecheck__(cls, thing: object) -> bool:
            return isinstance(thing, original)

        def __call__(cls, *arguments: Any, **options: Any) -> Any:
            return original(*arguments, **options)

    return Like
