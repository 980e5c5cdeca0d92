import pytest

from fairshot.runtime.visible_text import readable, spreadsheet_text, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, é, 漢 and a space", "plain, é, 漢 and a space"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("two\nlines", r"two\nlines"),
        ("abc\u202edcba", r"abc\u202edcba"),
    ],
)
def test_what_would_move_the_cursor_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("name", ["=cmd()|x", "+1", "-2", "@sum", "  =a", "\t=a"])
def test_no_spreadsheet_runs_a_cell(name: str) -> None:
    assert spreadsheet_text(name)[0] in "'\\"


def test_names_that_are_text_stay_as_they_are() -> None:
    assert [spreadsheet_text(name) for name in ("a=b", "ridge", "")] == ["a=b", "ridge", ""]
    assert [readable(name) for name in ("a", "\u00e9", "\udce9t")] == ["a", "\u00e9", "\\xe9t"]
