"""Parquet files: what is missing or damaged is said in one line."""

import sys
from pathlib import Path

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.parquet import parquet_library, readable_parquet


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(FairshotError) as caught, readable_parquet(Path("t.parquet"), ", or save the table as CSV"):
        parquet_library()
    assert str(caught.value) == (
        "reading t.parquet needs pyarrow, which is not installed: pip install 'fairshot[parquet]', or save the table as "
        "CSV"
    )


def test_what_goes_wrong_becomes_one_line_and_our_own_errors_stay() -> None:
    with pytest.raises(FairshotError) as caught, readable_parquet(Path("t.parquet")):
        raise ValueError("bad\n  footer")
    assert str(caught.value) == "cannot read t.parquet as Parquet (bad footer): save the table again"
    with pytest.raises(FairshotError, match=r"^mine$"), readable_parquet(Path("t.parquet")):
        raise FairshotError("mine")
