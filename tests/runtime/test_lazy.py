"""Names of the surface."""

import pytest

from fairshot.reports import progress as bars
from fairshot.runtime.lazy import with_progress


def test_whoever_does_not_ask_for_progress_sees_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bars, "PATIENCE", 0.0)
    monkeypatch.setattr(bars, "PAUSE", 0.0)

    def verb(what: str, *, progress=lambda what, done, whole, mean: None) -> str:
        """Says that a third is done."""
        progress(what, 1, 3, 0.5)
        return what

    asked: list[tuple[object, ...]] = []
    assert with_progress(verb)("drawings") == "drawings"
    assert capsys.readouterr().err == "drawings: 1 of 3 done, 50.0%\n"
    with_progress(verb)("drawings", progress=lambda *news: asked.append(news))
    assert asked == [("drawings", 1, 3, 0.5)]
    assert capsys.readouterr().err == ""


def test_what_reports_nothing_stays_as_it_is() -> None:
    assert with_progress(len) is len
