"""The command `run`: a study."""

import argparse
from typing import Any

from fairshot.cli.options import (
    add_common,
    count,
)
from fairshot.cli.output import command, options


def add_options(commands: Any) -> None:
    """The options of the command."""
    run = commands.add_parser("run", help="a published table, reproduced beside the published numbers")
    run.add_argument("study", help="see 'fairshot ls studies'")
    run.add_argument("--limit", type=count, help="at most this many episodes; the result says so")
    add_common(run)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.reports.progress import progress_bar
    from fairshot.studies.study import run as run_study

    with progress_bar("done") as progress:
        result = run_study(
            arguments.study,
            **options(arguments, ("limit", "backend", "out")),
            command=command(),
            progress=progress,
        )
    if arguments.format == "json":
        print(result.json_text())
        return
    from fairshot.reports.coverage import render_coverage
    from fairshot.reports.facts import render_facts
    from fairshot.reports.sides import render_sides
    from fairshot.reports.terminal import render_result
    from fairshot.specs.registry import find_module

    view = find_module("studies", arguments.study).STUDY.view
    {"tasks": render_result, "sides": render_sides, "facts": render_facts, "coverage": render_coverage}[view](result)
    if arguments.out and arguments.format == "terminal":
        print(f"Saved to {arguments.out}: study.json, and what it is made of.")
