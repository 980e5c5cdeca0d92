"""Pages in a real browser: every chart is alive, tables are sorted, nothing is requested, nobody is harmed."""

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairshot.reports.pages.several import write_report
from tests.paths import RESULTS
from tests.reports.pages.test_page import evaluation

AXE = importlib.util.find_spec("axe_playwright_python")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: make browser"),
]
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
SHOWN = ("centroid_table2", "score_glyphs", "two_sides_snapshots", "coverage", "overfitting_control")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


class Visit:
    """A page that was opened, with all that it complained about and asked for."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.page = browser.new_page(viewport={"width": options.pop("width", 1100), "height": 900}, **options)
        self.complaints, self.requests = list[str](), list[str]()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.page.goto(path.as_uri())
        if options.get("java_script_enabled", True):
            count = self.count("figure.chart")
            self.page.wait_for_function(f"document.querySelectorAll('.alive svg').length === {count}", timeout=30_000)

    def count(self, selector: str) -> int:
        return len(self.page.query_selector_all(selector))

    @property
    def outside(self) -> list[str]:
        return [url for url in self.requests if not url.startswith(("file:", "data:"))]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evaluation().report(tmp_path_factory.mktemp("page") / "report.html")


def test_every_chart_is_drawn_and_nothing_is_asked_for(browser: Any, page: Path) -> None:
    visit = Visit(browser, page)
    assert visit.count(".alive svg") == visit.count("figure.chart") == 12
    assert visit.complaints == []
    assert visit.outside == []


def test_tables_are_sorted_by_a_click_and_by_the_keyboard(browser: Any, page: Path) -> None:
    visit = Visit(browser, page)
    table = visit.page.query_selector("table")
    heading = table.query_selector_all("th button")[1]
    values = "table => [...table.tBodies[0].rows].map(row => Number(row.cells[1].dataset.value))"
    heading.click()
    first = table.evaluate(values)
    heading.press("Enter")
    assert first == sorted(first, reverse=True)
    assert table.evaluate(values) == sorted(first)
    assert table.query_selector_all("th")[1].get_attribute("aria-sort") == "ascending"


def test_rows_are_filtered_by_what_they_hold(browser: Any, page: Path) -> None:
    visit = Visit(browser, page)
    visit.page.fill("#filter", "ridge")
    shown = visit.page.query_selector_all("section table tbody tr:not([hidden])")
    assert shown
    assert all("ridge" in row.inner_text() for row in shown)
    visit.page.fill("#filter", "")
    assert not visit.page.query_selector_all("tbody tr[hidden]")


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, {"width": 360}, {"java_script_enabled": False}])
def test_dark_narrow_and_without_scripts(browser: Any, page: Path, options: dict[str, Any]) -> None:
    visit = Visit(browser, page, **dict(options))
    assert visit.complaints == []
    if options.get("java_script_enabled", True):
        wide = visit.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 1  # what is too wide scrolls by itself
    else:
        assert all(svg.is_visible() for svg in visit.page.query_selector_all(".drawn svg"))


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_of_a_committed_result_opens_without_an_error(browser: Any, tmp_path: Path, name: str) -> None:
    visit = Visit(browser, write_report([RESULTS / f"{name}.json"], tmp_path / "report.html"))
    assert visit.count(".alive svg") == visit.count("figure.chart") > 0
    assert visit.complaints == []
    assert visit.outside == []


FAULTS = """axe.run().then(found => found.violations
  .filter(one => ['serious', 'critical'].includes(one.impact))
  .map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 120)).slice(0, 3).join(' | ')))"""


@pytest.mark.skipif(AXE is None, reason="axe-playwright-python is not installed: make setup")
@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark"}], ids=["light", "dark"])
def test_axe_finds_no_serious_fault(browser: Any, page: Path, options: dict[str, Any]) -> None:
    visit = Visit(browser, page, **options, bypass_csp=True)
    assert AXE is not None
    visit.page.add_script_tag(path=str(Path(str(AXE.origin)).parent / "axe.min.js"))
    assert visit.page.evaluate(FAULTS) == []
