"""Findings of checks: a line each, and one sentence that says what follows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

import fairshot
from fairshot.checks.finding import Finding
from fairshot.runtime.words import count_of

WORDS = {"ok": "passed", "warning": "warning", "leak": "LEAK", "not applicable": "-"}
STYLES = {"ok": "green", "warning": "yellow", "leak": "bold red", "not applicable": "dim"}

CONSEQUENCES = {
    "learner": "its numbers cannot be trusted",
    "data": "numbers on it are wrong by as much as these images weigh",
}


def render_findings(findings: Sequence[Finding], header: str, console: Console | None = None) -> None:
    """A table of the learner, a table of the data, and the final sentence."""
    console = console or Console(emoji=False)
    console.print(header, markup=False, highlight=False, soft_wrap=True)
    for about in ("learner", "data"):
        console.print()
        console.print(f"the {about}", style="bold")
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 2))
        for no_wrap in (True, True, False):
            table.add_column(no_wrap=no_wrap)
        for finding in findings:
            if finding.about == about:
                outcome = f"[{STYLES[finding.outcome]}]{WORDS[finding.outcome]}[/]"
                table.add_row(finding.check, outcome, finding.seen.replace("[", "\\["))
        console.print(table)
    console.print(conclusion(findings), markup=False, highlight=False, soft_wrap=True)


def conclusion(findings: Sequence[Finding]) -> str:
    """What follows from all of them."""
    leaks = [finding for finding in findings if finding.outcome == "leak"]
    warnings = [finding.check for finding in findings if finding.outcome == "warning"]
    also = f" Worth a look: {', '.join(warnings)}." if warnings else ""
    if not leaks:
        ran = [finding for finding in findings if finding.outcome != "not applicable"]
        left = len(findings) - len(ran)
        aside = f"; {left} could not be applied" if left else ""
        return f"No leak found by {count_of(len(ran), 'check')}{aside}.{also}"
    sentences = []
    for about, consequence in CONSEQUENCES.items():
        named = ", ".join(finding.check for finding in leaks if finding.about == about)
        if named:
            sentences.append(f"The {about} leaks ({named}): {consequence}.")
    return " ".join(sentences) + also


def findings_json(findings: Sequence[Finding], about: Mapping[str, Any]) -> str:
    """The same for machines, with what was checked."""
    rows = [asdict(finding) for finding in findings]
    leaks = sum(finding.outcome == "leak" for finding in findings)
    head = {"schema": 1, "fairshot": fairshot.__version__}
    return json.dumps({**head, **about, "leaks": leaks, "findings": rows}, indent=1)
