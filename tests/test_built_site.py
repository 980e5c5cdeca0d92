"""The site that `make docs` built: the report of every study opens in a browser without an error and asks for nothing."""

from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT
from tests.reports.pages.test_browser import CHROMIUM, Visit, browser, sync_api

__all__ = ["browser"]

SITE = ROOT / "build" / "site"
PAGES = sorted(SITE.glob("studies/*.html"))
pytestmark = [
    pytest.mark.skipif(not PAGES, reason="the site is not built: make docs"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: make browser"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_study_opens_without_an_error(browser: Any, page: Path) -> None:
    assert sync_api
    visit = Visit(browser, page)
    assert visit.complaints == []
    assert visit.outside == []
    visit.page.close()
