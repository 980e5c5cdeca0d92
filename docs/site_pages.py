"""The documentation as a site: `make docs`, or `python docs/site_pages.py FOLDER` for the pages that MkDocs is given.

Pages of docs/ are taken as they are; the page of every committed study, the reproduction table, the tutorials out of
their notebooks and the reference out of docstrings are made here. Nothing of it asks the network.
"""

import html
import importlib
import inspect
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS, RESULTS = ROOT / "docs", ROOT / "results"
PACKAGES = ("", "learners", "tasks", "sources", "splits", "metrics", "generators", "scoring")
TUTORIALS = {
    "my_images": "My images",
    "my_embeddings": "My embeddings",
    "my_learner": "My learner",
    "my_benchmark": "My benchmark",
    "my_generator": "My generator",
}
NAV: dict[str, dict[str, str]] = {
    "Tutorials": {title: f"tutorials/{name}.md" for name, title in TUTORIALS.items()},
    "Evaluate": {
        "Learners": "learners.md",
        "Encoders": "encoders.md",
        "Tasks": "tasks.md",
        "Data": "data.md",
        "Splits": "splits.md",
        "Many sources": "many_sources.md",
        "How many shots?": "shots.md",
        "Probes": "probe.md",
        "Predict": "predict.md",
        "Reports": "reports.md",
    },
    "Trust": {
        "Intervals": "intervals.md",
        "Compare": "compare.md",
        "Audits": "audits.md",
        "Diagnose": "diagnose.md",
        "Leak checks": "checks.md",
        "Footguns": "footguns.md",
        "Runs that survive": "runs.md",
        "Security": "security.md",
        "Derivations": "derivation.md",
    },
    "Research": {
        "Training": "training.md",
        "Clustering and CSCC": "clustering.md",
        "Two sides": "two_sides.md",
        "Generators": "generators.md",
        "Scores of samples": "scores.md",
        "Critics": "critics.md",
        "Diversity": "diversity.md",
    },
    "Results": {
        "Reproduction": "reproduction.md",
        "Omniglot": "omniglot.md",
        "Speed": "speed.md",
        "Scale": "scale.md",
    },
    "Reference": {
        "Commands": "cli.md",
        "Python": "api.md",
        "Architecture": "architecture.md",
        "Add your own": "extending.md",
        "Contributing": "contributing.md",
    },
}
STYLE_FILE = "extra.css"
STYLE = ".md-typeset td code { white-space: nowrap; }\n"  # names and commands of tables are not cut into letters
CONFIG: dict[str, Any] = {
    "site_name": "fairshot",
    "site_description": "Few-shot evaluation whose numbers can be trusted",
    "docs_dir": "pages",
    "use_directory_urls": False,
    "extra_css": [STYLE_FILE],
    "theme": {
        "name": "material",
        "font": False,
        "features": ["navigation.tabs", "navigation.indexes", "content.code.copy", "toc.follow"],
        "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo"},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo"},
        ],
    },
    "plugins": ["search"],
    "markdown_extensions": ["tables", "admonition", "attr_list", "md_in_html", "toc", "pymdownx.superfences"],
    "validation": {"links": {"anchors": "warn", "unrecognized_links": "warn"}},
}


def write_site(folder: Path) -> None:
    """All pages and the configuration of MkDocs."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    for name, text in text_pages().items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(text, encoding="utf-8")
    for picture in [*DOCS.glob("*.svg"), *DOCS.glob("*.png"), *DOCS.glob("drawings/*")]:
        (pages / picture.relative_to(DOCS)).parent.mkdir(exist_ok=True)
        shutil.copy(picture, pages / picture.relative_to(DOCS))
    for path in study_files():
        write_study(path, pages / "studies")
    (pages / STYLE_FILE).write_text(STYLE)
    (folder / "mkdocs.yml").write_text(json.dumps(CONFIG | {"nav": nav()}, indent=1))  # JSON is YAML


def text_pages() -> dict[str, str]:
    """Every page but those of studies, by its file."""
    pages = {page.name: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}
    pages["index.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
    pages["contributing.md"] = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    pages["changelog.md"] = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    pages["api.md"] = reference()
    pages |= {f"tutorials/{name}.md": tutorial(DOCS / "tutorials" / f"{name}.ipynb") for name in TUTORIALS}
    pages["reproduction.md"] = re.sub(r"(?m)^\| `(\w+)` \|", r"| [`\1`](studies/\1.md) |", pages["reproduction.md"])
    return {name: local_links(text) for name, text in pages.items()}


def local_links(text: str) -> str:
    """Links as they lead inside the site; what it does not hold is left as the name of a file."""
    text = re.sub(r"\]\((?:docs/|\.\./docs/)", "](", text)
    text = re.sub(r'(src|href)="docs/', r'\1="', text)
    text = re.sub(r"\]\((?:\.\./)?(CONTRIBUTING|CHANGELOG)\.md", lambda match: f"]({match[1].lower()}.md", text)
    text = re.sub(r"\]\((tutorials/\w+)\.ipynb\)", r"](\1.md)", text)
    return re.sub(r"\[([^\]]+)\]\((?:\.\./)?(?:src|tests|results|benchmarks|LICENSE|CITATION)[^)]*\)", r"`\1`", text)


def nav() -> list[dict[str, Any]]:
    """What the menu shows, in its order."""
    shown = {title: [{name: file} for name, file in pages.items()] for title, pages in NAV.items()}
    shown["Results"] += [{path.stem: f"studies/{path.stem}.md"} for path in study_files()]
    return [{"Home": "index.md"}, *({title: pages} for title, pages in shown.items()), {"Changes": "changelog.md"}]


def study_files() -> list[Path]:
    """Every committed result that has a page."""
    return sorted(RESULTS.glob("*.json"))


def write_study(path: Path, folder: Path) -> None:
    """The page of a committed result: what was asked, its figures, its tables, and a report to look into."""
    import fairshot as fs
    from fairshot.reports.charts.chart import to_svg
    from fairshot.results.study_result import StudyResult
    from fairshot.tables.markdown import to_markdown

    folder.mkdir(parents=True, exist_ok=True)
    facts = study_facts(path)
    found = fs.load(path)
    if isinstance(found, StudyResult):
        found = replace(found, title=facts["title"], paper=facts["paper"])
    found.report(folder / f"{path.stem}_report.html")
    figures = []
    for number, chart in enumerate(charts(found)):
        name = f"{path.stem}_{number}.svg"
        (folder / name).write_text(to_svg(chart))
        figures.append(f"![{html.escape(str(chart.description))}]({name})")
    lines = [f"# {facts['title']}", facts["paper"], _command(facts), *figures, comparison_with_paper(found)]
    lines += [
        f"[The interactive report]({path.stem}_report.html)",
        "## Tables",
        escape_markdown(to_markdown(found.tables())),
    ]
    (folder / f"{path.stem}.md").write_text("\n\n".join(line for line in lines if line) + "\n", encoding="utf-8")


def charts(found: Any) -> Iterator[Any]:
    """The figures of a result: its own, or else every learner with its intervals."""
    from fairshot.reports.charts.intervals import interval_chart
    from fairshot.reports.pages.intervals import interval_rows
    from fairshot.reports.pictures import draw_pictures
    from fairshot.reports.study_pictures import draw_study_pictures
    from fairshot.scoring.sample_scores import SampleScores

    if isinstance(found, SampleScores):
        own = [chart for _, chart in draw_pictures(found, None)]
    else:
        own = [chart for name, chart in draw_study_pictures(found.result) if name.endswith(".svg")]
    yield from own or [interval_chart(rows) for rows in interval_rows(found)]


def study_facts(path: Path) -> dict[str, str]:
    """Title, paper, command, preset and time of a committed result."""
    document = json.loads(path.read_text(encoding="utf-8"))
    study = document.get("study") or _registered(path.stem)
    return {
        "title": study.get("title") or path.stem.replace("_", " "),
        "paper": study.get("paper", ""),
        "command": " ".join(document.get("command") or ()),
        "preset": document.get("preset") or "",
        "seconds": document.get("seconds") or "",
        "commit": document.get("commit") or "",
    }


def _registered(name: str) -> Mapping[str, str]:
    from fairshot.specs.registry import find_module, names

    if name not in names("studies"):
        return {}
    study = find_module("studies", name).STUDY
    return {"title": study.title, "paper": study.paper}


def _command(facts: Mapping[str, Any]) -> str:
    took = f", {facts['seconds'] / 60:.1f} minutes" if facts["seconds"] else ""
    preset = f" (preset {facts['preset']}{took})" if facts["preset"] else ""
    return f"`{facts['command']}`{preset}" if facts["command"] else ""


def comparison_with_paper(found: Any) -> str:
    """Every published number beside ours, where there are any."""
    from fairshot.reports.reproduction import deviations

    table = deviations(found.rows)
    if table is None:
        return ""
    from fairshot.tables.markdown import table_lines

    return f"## Published and ours\n\n{table_lines(table)}"


def escape_markdown(text: str) -> str:
    """Names with < and > as they are, and no table inside a paragraph."""
    return text.replace("<", "&lt;")


def tutorial(path: Path) -> str:
    """A notebook as a page: its text, its code and what it printed."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    blocks = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        blocks.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            blocks.append(f"```text\n{''.join(output['text']).rstrip()}\n```")
    return "\n\n".join(blocks) + f"\n\nThis page is the notebook `docs/tutorials/{path.name}`.\n"


def reference() -> str:
    """Every name of the Python surface with its signature and docstring."""
    blocks = ["# Python", "Everything that `import fairshot as fs` offers; whatever is made can be printed."]
    for package in PACKAGES:
        module = importlib.import_module(f"fairshot.{package}" if package else "fairshot")
        title = f"fs.{package}" if package else "fs"
        blocks.append(f"## `{title}`\n\n{(module.__doc__ or '').strip().partition(chr(10))[0]}")
        blocks += [_entry(title, name, getattr(module, name)) for name in module.__all__]
    return "\n\n".join(blocks) + "\n"


def _entry(package: str, name: str, thing: Any) -> str:
    """One name: a function with its arguments, a class with its methods, or a module with its first sentence."""
    if inspect.ismodule(thing):
        return f"### `{package}.{name}`\n\n{(thing.__doc__ or '').strip().partition(chr(10))[0]}"
    try:
        arguments = str(inspect.signature(thing))
    except (TypeError, ValueError):
        arguments = "(...)"
    text = inspect.cleandoc(thing.__doc__ or "")
    return f"### `{package}.{name}`\n\n```python\n{_plain(f'{package}.{name}{arguments}')}\n```\n\n{_fenced(text)}"


def _plain(signature: str) -> str:
    """A signature without the places of types, where functions do not differ between runs."""
    return re.sub(r"<[^=]*? at 0x[0-9a-f]+>", "...", re.sub(r"\bfairshot\.[a-z_.]+\.", "", signature))


def _fenced(text: str) -> str:
    """Indented examples of a docstring as they are, other lines as text."""
    return text.replace("<", "&lt;")


if __name__ == "__main__":
    write_site(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "docs"))
