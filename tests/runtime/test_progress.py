import pytest

from fairshot.runtime import progress
from fairshot.runtime.progress import Progress


def test_nothing_is_said_of_what_is_over_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    report = Progress("converting toy", 10, "images")
    for done in range(11):
        report(done)
    assert capsys.readouterr().err == ""


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    report = Progress("converting toy", 2000, "images")
    report(1500)
    report(1600)  # too soon
    assert capsys.readouterr().err == "converting toy: 1,500 of 2,000 images\n"


def test_a_bar_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    report = Progress("converting toy", 30, "images")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    report(10)
    report(30)
    first, second = capsys.readouterr().err.lstrip("\r").split("\r")
    assert first == f"[{'#' * 10}{'.' * 20}] converting toy: 10 of 30 images"
    assert second == f"[{'#' * 30}] converting toy: 30 of 30 images\n"
