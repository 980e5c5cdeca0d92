"""Findings of checks: one sentence that says what follows from them, and a line for each."""

from collections.abc import Sequence

from rich.table import Table as RichTable
from rich.text import Text

from fairshot.checks.finding import About, Finding
from fairshot.checks.report import CheckReport
from fairshot.reports.sections import Section, as_written
from fairshot.tables.table import Cell, Column, Table
from fairshot.tables.words import count_of

WORDS = {"ok": "passed", "warning": "warning", "leak": "LEAK", "not applicable": "-"}
STYLES = {"ok": "green", "warning": "yellow", "leak": "bold red", "not applicable": "dim"}
CONSEQUENCES = {
    "learner": "its numbers cannot be trusted",
    "data": "numbers on it are wrong by as much as these images weigh",
    "sampler": "numbers on its episodes cannot be trusted",
}


def summary(report: CheckReport) -> str:
    """Whether there is a leak, and what it means."""
    return conclusion(report.findings)


def tables(report: CheckReport) -> list[Table]:
    """A line for each check."""
    columns = [Column(name="check", code=True), Column(name="about"), Column(name="outcome"), Column(name="seen")]
    rows: list[list[Cell]] = [
        [finding.check, finding.about, WORDS[finding.outcome], finding.seen] for finding in report
    ]
    return [Table(title=_question(report), columns=columns, rows=rows)]


def sections(report: CheckReport) -> list[Section]:
    """The conclusion, what was asked, the learner and the data."""
    abouts = dict.fromkeys(finding.about for finding in report)
    return [
        Section("", [summary(report), _question(report)]),
        *(Section(f"the {about}", [_lines(report, about)]) for about in abouts),
    ]


def _question(report: CheckReport) -> str:
    smaller = f" ({report.smaller})" if report.smaller else ""
    asked = f"{report.task}, {count_of(report.episodes, 'episode')}{smaller}"
    return f"{report.learner} on {report.source.name}, {asked}"


def _lines(report: CheckReport, about: About) -> RichTable:
    table = RichTable(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 2))
    for no_wrap in (True, True, False):
        table.add_column(no_wrap=no_wrap)
    for finding in report:
        if finding.about == about:
            outcome = Text(WORDS[finding.outcome], style=STYLES[finding.outcome])
            table.add_row(finding.check, outcome, as_written(finding.seen))
    return table


def conclusion(findings: Sequence[Finding]) -> str:
    """What follows from all of them."""
    leaks = [finding for finding in findings if finding.outcome == "leak"]
    warnings = [finding.check for finding in findings if finding.outcome == "warning"]
    also = f" Worth a look: {', '.join(warnings)}." if warnings else ""
    if not leaks:
        applied = [finding for finding in findings if finding.outcome != "not applicable"]
        others = len(findings) - len(applied)
        aside = f"; {others} could not be applied" if others else ""
        return f"No leak found by {count_of(len(applied), 'check')}{aside}.{also}"
    sentences = []
    for about, consequence in CONSEQUENCES.items():
        checks = ", ".join(finding.check for finding in leaks if finding.about == about)
        if checks:
            sentences.append(f"The {about} leaks ({checks}): {consequence}.")
    return " ".join(sentences) + also
