"""The documentation site: every page is in the menu, every result has a page, notebooks run, links lead somewhere."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.paths import RESULTS, ROOT

DOCS = ROOT / "docs"


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SITE, NOTEBOOKS = load_script("site_pages"), load_script("notebooks")


def menu() -> set[str]:
    files = {file for pages in SITE.NAV.values() for file in pages.values()}
    return files | {"index.md", "changelog.md"}


def test_every_page_is_in_the_menu_and_every_entry_of_the_menu_is_a_page() -> None:
    assert set(SITE.text_pages()) == menu()
    shown = [file for entry in SITE.nav() for file in re.findall(r"[\w/]+\.md", json.dumps(entry))]
    assert len(shown) == len(set(shown)) == len(menu()) + len(SITE.study_files())


def test_links_between_pages_lead_somewhere() -> None:
    pages = SITE.text_pages()
    studies = [f"studies/{path.stem}.md" for path in SITE.study_files()]
    assert all(f"({study})" in pages["reproduction.md"] for study in studies)
    for name, text in pages.items():
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\((?!http)([^)#\s]+)", prose):
            here = (Path(name).parent / target).as_posix().replace("tutorials/../", "")
            assert here in [*pages, *studies] or (DOCS / here).exists(), f"{name}: {target}"


def test_nothing_is_loaded_from_the_network() -> None:
    assert SITE.CONFIG["theme"]["font"] is False
    assert SITE.CONFIG["plugins"] == ["search"]
    assert not re.search(r"https?:", json.dumps(SITE.CONFIG))


def test_the_page_of_a_study_has_its_figure_its_numbers_and_its_report(tmp_path: Path) -> None:
    SITE.write_study(RESULTS / "centroid_table3.json", tmp_path)
    text = (tmp_path / "centroid_table3.md").read_text()
    assert "`fairshot run centroid_table3 --json` (preset reference" in text
    assert "## Published and ours" in text
    (figure,) = set(re.findall(r"\]\((centroid_table3_0\.svg)\)", text))
    assert (tmp_path / figure).read_text().startswith("<svg")
    assert "<h2>Provenance</h2>" in (tmp_path / "centroid_table3_report.html").read_text()


def test_every_committed_result_is_named_and_has_a_command() -> None:
    for path in SITE.study_files():
        facts = SITE.study_facts(path)
        assert facts["title"], path.name
        assert facts["command"].startswith("fairshot "), path.name


def test_the_reference_has_every_name() -> None:
    import fairshot as fs

    text = SITE.reference()
    for name in fs.__all__:
        assert f"### `fs.{name}`" in text
    assert "0x" not in text  # an address would differ in every run


def test_footguns_name_checks_and_tests_that_exist() -> None:
    from fairshot.specs.registry import names

    text = (DOCS / "footguns.md").read_text()
    for path in re.findall(r"`(tests/[\w/.]+)`", text):
        assert (ROOT / path).exists(), path
    checks = [
        word for words in re.findall(r"checks? ((?:`\w+`(?:, | and )?)+)", text) for word in re.findall(r"\w+", words)
    ]
    assert set(checks) - {"and"} <= set(names("checks"))
    assert len(checks) > 15


@pytest.mark.parametrize("name", sorted(SITE.TUTORIALS))
def test_notebooks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = DOCS / "tutorials" / f"{name}.ipynb"
    ran = NOTEBOOKS.run_notebook(path)
    committed = json.loads(path.read_text())
    assert [bool(cell.get("outputs")) for cell in ran["cells"]] == [
        bool(cell.get("outputs")) for cell in committed["cells"]
    ]
