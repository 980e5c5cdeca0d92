"""Progress of long commands."""

import io
import time

import pytest

from fairshot.reports import progress as module
from fairshot.reports.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "shown"), [(0.0, True), (60.0, False)])
def test_progress_appears_late_on_standard_error_with_a_running_estimate(
    patience: float, shown: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(module, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as report:
        report("prototypes, 5-way", 512, 1024, 0.637)
        time.sleep(0.2)
    assert ("63.7%" in screen.getvalue()) == shown
    assert capsys.readouterr().out == ""
