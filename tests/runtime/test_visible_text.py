import pytest

from fairshot.runtime.visible_text import visible


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
