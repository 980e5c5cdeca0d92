"""The command `run`: a study."""

import argparse
from typing import Any

from fairshot.cli.options import (
    add_common,
    count,
)
from fairshot.cli.output import command, options, show


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
    show(result, arguments)
    if arguments.out and arguments.format == "terminal":
        print(f"Saved to {arguments.out}: study.json, and what it is made of.")
