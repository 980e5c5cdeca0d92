"""Pages that cannot lie: generated blocks are compared, Python blocks are run, named files exist."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from fairshot.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse words its help differently in other Pythons")
def test_generated_blocks_are_up_to_date(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script = ROOT / "docs" / "generate.py"
    monkeypatch.setattr(sys, "argv", [str(script), "--check"])
    monkeypatch.syspath_prepend(script.parent)
    monkeypatch.setenv("COLUMNS", "100")  # the script sets it, and here it is as before afterwards
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out == "all pages are up to date\n"
    assert ended.value.code == 0


def _python_blocks() -> list[tuple[str, str]]:
    return [
        (page.name, block)
        for page in PAGES
        for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    ]


@pytest.mark.parametrize(("page", "block"), _python_blocks())
def test_python_blocks_run(page: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, page, "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_of_the_project_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_pages_show_exist(page: Path) -> None:
    from fairshot.cli.main import COMMANDS

    for command in re.findall(r"`(?:FAIRSHOT_DATA=\S+ )?fairshot ([a-z]+)", page.read_text()):
        assert command in COMMANDS, command


def test_every_task_has_a_command_to_try() -> None:
    from fairshot.specs.registry import names

    page = (ROOT / "docs" / "tasks.md").read_text()
    shown = re.findall(r"\| `(\w+)` \|.*\| `fairshot evaluate .*--task (\w+)", page)
    assert sorted(shown) == sorted((name, name) for name in names("tasks"))


def test_every_command_has_its_help_on_the_page() -> None:
    page = (ROOT / "docs" / "cli.md").read_text()
    alone = [command for command in COMMANDS if command != "data"]
    verbs = [f"data {verb}" for verb in ("get", "show", "export", "import")]
    assert [name for name in (*alone, *verbs) if f"<!-- help {name} -->" not in page] == []
