"""Writes into README.md and docs/ what commands say, so that no page can lie: `python docs/generate.py [--check]`.

What stands between `<!-- table results/X.json -->`, `<!-- facts results/X.json TITLE -->`,
`<!-- scores results/X.json -->`, `<!-- differences results/X.json -->`, `<!-- sides results/X.json -->`,
`<!-- lines results/X.jsonl -->`, `<!-- text results/X.txt -->`, `<!-- coverage results/X.json -->`,
`<!-- reproduction -->` or `<!-- help COMMAND -->` and `<!-- end -->` is made anew, and so are the pictures docs/*.svg.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from altair.typing import ChartType

    from fairshot.results.schema import Result
    from fairshot.scoring.sample_scores import SampleScores
    from fairshot.tables.table import Table

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(
    r"(<!-- (table|facts|scores|differences|sides|lines|text|help|coverage|reproduction) ?(.*?) -->\n)"
    r".*?(<!-- end -->)",
    re.DOTALL,
)


def table(asked: str) -> str:
    """A committed result as a Markdown table: learners by tasks, published numbers in columns of their own.

    A word after the file keeps the metrics that hold it, with a minus before it those that do not.
    """
    from fairshot.reports.result_tables import published_table
    from fairshot.results.schema import read_result

    file, _, word = asked.partition(" ")
    result = read_result(ROOT / file)
    kept = [row for row in result.rows if (word.removeprefix("-") in row.metric) != word.startswith("-")]
    result = result.model_copy(update={"rows": kept}) if word else result
    return _page_table(published_table(result), _caption(result))


def sides(file: str) -> str:
    """A committed result with any classes and classes of one parent side by side, and the ratio of their errors."""
    from fairshot.reports.result_tables import sides_table
    from fairshot.results.schema import read_result

    result = read_result(ROOT / file)
    return _page_table(sides_table(result), _caption(result))


def _page_table(table: "Table", *below: str) -> str:
    """A table with lines below it."""
    from fairshot.tables.markdown import table_lines

    return "\n\n".join([table_lines(table), *below]) + "\n"


def _caption(result: "Result") -> str:
    metrics = list(dict.fromkeys(row.metric for row in result.rows))
    metric, count = metrics[0] if len(metrics) == 1 else "all", max(row.episodes for row in result.rows)
    where = f"{result.source.name}, recipe {result.source.recipe}"
    return f"{metric.capitalize()} in %, {count:,} episodes, {where}: `{' '.join(result.command)}`"


def facts(asked: str) -> str:
    """A table of a study's own, by its title; without one, all of them."""
    from fairshot.results.schema import read_result

    file, _, title = asked.partition(" ")
    result = read_result(ROOT / file)
    chosen = [table for table in result.study_tables if title in ("", table.title)]
    if not chosen:
        raise ValueError(f"{file} has no table '{title}'")
    text = [("" if title else f"**{table.title}**\n\n") + _page_table(table, *table.notes) for table in chosen]
    return "\n".join(text) + f"\n`{' '.join(result.command)}`\n"


def scores(file: str) -> str:
    """What `score` found, the measures that people and generators are compared by: a line for each set of samples."""
    from fairshot.scoring.score_tables import axes_table

    found = _scored(file)
    where = f"{found.classes} classes of {found.source.name}: `{' '.join(found.command)}`"
    return _page_table(axes_table(found), where)


def differences(file: str) -> str:
    """How every two sets of samples that `score` judged differ, and each from people."""
    from fairshot.scoring.score_tables import difference_tables

    found = _scored(file)
    tables = [_page_table(table, *table.notes) for table in difference_tables(found)]
    return "\n".join(tables) + f"\n`{' '.join(found.command)}`\n"


def _scored(file: str) -> "SampleScores":
    from fairshot.scoring.sample_scores import SampleScores

    return SampleScores.model_validate_json((ROOT / file).read_text())


def lines(file: str) -> str:
    """What a benchmark measured, a line each."""
    rows = [json.loads(line) for line in (ROOT / file).read_text().splitlines()]
    return "".join(f"* {', '.join(f'{key} **{value}**' for key, value in row.items())}\n" for row in rows)


def printed(file: str) -> str:
    """What a command printed, as it is."""
    return f"```text\n{(ROOT / file).read_text().rstrip()}\n```\n"


def help_text(command: str) -> str:
    """What `fairshot COMMAND --help` prints, 100 columns wide."""
    os.environ["COLUMNS"] = "100"
    from fairshot.cli.main import make_parser

    parser = make_parser()
    for word in command.split():
        actions = [
            action for action in parser._actions if hasattr(action, "choices") and isinstance(action.choices, dict)
        ]
        parser = actions[0].choices[word]
    return f"```text\n{parser.format_help()}```\n"


def coverage(file: str) -> str:
    """How often intervals held, a line for each setting and number of episodes."""
    from fairshot.reports.result_tables import coverage_table
    from fairshot.results.schema import read_result

    return _page_table(coverage_table(read_result(ROOT / file)))


def reproduction(_: str) -> str:
    """Every committed result: how far its numbers lie from the published ones, and what it takes to get them."""
    from site_pages import study_facts, study_files

    from fairshot.reports.reproduction import reproduction_table, study_line
    from fairshot.results.schema import read_result

    files = study_files()
    return _page_table(reproduction_table([study_line(p.stem, study_facts(p), read_result(p).rows) for p in files]))


def made_anew(text: str) -> str:
    """The page with every block as it should be."""
    makers = {
        "table": table,
        "facts": facts,
        "scores": scores,
        "differences": differences,
        "sides": sides,
        "lines": lines,
        "text": printed,
        "help": help_text,
        "coverage": coverage,
        "reproduction": reproduction,
    }
    return BLOCK.sub(lambda match: match[1] + makers[match[2]](match[3]) + match[4], text)


def pictures() -> dict[str, "ChartType"]:
    """Every picture of the docs by the name of its file, drawn from committed results."""
    from fairshot.reports.charts.coverage import coverage_chart
    from fairshot.reports.charts.overfitting import overfitting_chart
    from fairshot.reports.charts.plane import plane_chart
    from fairshot.reports.charts.sample_numbers import sample_number_chart
    from fairshot.reports.charts.scatter import scatter_chart
    from fairshot.reports.charts.snapshots import snapshot_chart
    from fairshot.results.schema import read_result
    from fairshot.scoring.sample_scores import SampleScores

    def result(name: str) -> "Result":
        return read_result(ROOT / "results" / f"{name}.json")

    def scored(name: str) -> "SampleScores":
        return SampleScores.model_validate_json((ROOT / "results" / f"{name}.json").read_text())

    return {
        "coverage": coverage_chart(result("coverage")),
        "snapshots": snapshot_chart(result("two_sides_snapshots")),
        "critic_controls": scatter_chart(result("critic_controls")),
        "overfitting": overfitting_chart(result("overfitting_control")),
        "fid_bias": sample_number_chart(result("fid_bias")),
        "glyphs_plane": plane_chart(scored("score_glyphs")),
        "omniglot_plane": plane_chart(scored("score_omniglot")),
        "published_plane": plane_chart(scored("score_published")),
        "glyphs_concepts": _concepts(scored("score_glyphs")),
    }


def _concepts(scored: "SampleScores") -> "ChartType":
    """What `score --pictures` draws as concepts-simclr.svg, from the committed diversity of every class."""
    import numpy as np

    from fairshot.reports.charts.concepts import concept_chart
    from fairshot.scoring.concepts import Hand, rank_concepts
    from fairshot.specs.data import find_part

    part = find_part(scored.source.name, recipe=scored.source.recipe)
    drawings = 255 - part.read(slice(None))[:, 0]
    classes = [row for row in scored.by_class if row.samples == "human"]
    names, labels = tuple(row.name for row in classes), np.unique(part.class_ids, return_inverse=True)[1]
    exemplars = drawings[np.searchsorted(part.image_ids, [row.exemplar for row in classes])]
    hand = Hand(name="people", class_names=names, drawings=drawings, labels=labels, exemplars=exemplars, among=True)
    ranked = rank_concepts(hand, np.array([row.values["diversity"] for row in classes]))
    return concept_chart(ranked, f"people, by simclr: {scored.source.name}, critics {scored.critic}")


def main() -> int:
    """Writes stale pages anew, or with --check only names them."""
    from fairshot.reports.charts.chart import to_svg

    stale = []
    for name, chart in pictures().items():
        drawn, drawing = to_svg(chart), ROOT / "docs" / f"{name}.svg"
        if not drawing.exists() or drawing.read_text() != drawn:
            stale.append(drawing.name)
            if "--check" not in sys.argv:
                drawing.write_text(drawn)
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = page.read_text()
        if made_anew(text) != text:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(made_anew(text))
    print("stale: " + ", ".join(stale) if stale else "all pages are up to date")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
