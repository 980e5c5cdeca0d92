"""How far a long conversion is, on standard error: a bar on a terminal, a line now and then elsewhere."""

import sys
import time

from fairshot.runtime.visible_text import visible

PATIENCE = (10.0, 2.0)  # seconds before anything is said: by lines, and by a bar on a terminal
PAUSES = (10.0, 0.2)  # seconds between two lines, and between two bars on a terminal
WIDTH = 30  # signs of a bar


def say(text: str) -> None:
    """One line about something that went on in spite of a fault."""
    print(f"fairshot: {visible(text)}", file=sys.stderr, flush=True)


class Progress:
    """Called with how many of the whole are done; says nothing of what is over at once."""

    def __init__(self, what: str, whole: int, unit: str) -> None:
        self.what, self.whole, self.unit = what, whole, unit
        self._shown = time.monotonic() + PATIENCE[sys.stderr.isatty()]
        self._bar = False

    def __call__(self, done: int) -> None:
        terminal = sys.stderr.isatty()
        now = time.monotonic()
        if now < self._shown and not (self._bar and done == self.whole):
            return
        self._shown = now + PAUSES[terminal]
        counts = f"{self.what}: {done:,} of {self.whole:,} {self.unit}"
        if not terminal:
            print(counts, file=sys.stderr, flush=True)
            return
        self._bar = True
        marks = "#" * (WIDTH * done // max(self.whole, 1))
        ending = "\n" if done == self.whole else ""
        print(f"\r[{marks:.<{WIDTH}}] {counts}", end=ending, file=sys.stderr, flush=True)
