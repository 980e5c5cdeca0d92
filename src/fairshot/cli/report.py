"""The command `report`: a page to look at, of one result or of several."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import page

TOOLS = ("mlflow", "wandb")


def add_options(commands: Any) -> None:
    """The options of the command."""
    report = commands.add_parser("report", help="one HTML page of results: tables, charts and where they come from")
    report.add_argument(
        "results",
        nargs="+",
        type=Path,
        metavar="RESULT",
        help="folders that evaluate saved to, or files of JSON that any command printed",
    )
    report.add_argument(
        "--out", type=page, default=Path("report.html"), metavar="FILE.html", help="the page (default report.html)"
    )
    report.add_argument(
        "--track", choices=TOOLS, metavar="TOOL", help="add every result to mlflow or wandb as well, where installed"
    )
    report.add_argument("--project", default="fairshot", help="the tool's experiment or project (default fairshot)")


def run(arguments: argparse.Namespace) -> None:
    """Loads every result and writes the page."""
    from fairshot.reports.pages.several import write_report

    written = write_report(arguments.results, arguments.out)
    print(f"Saved to {written}; open it in a browser.")
    if arguments.track:
        from fairshot.evaluation.track import track

        for result in arguments.results:
            number = track(result, arguments.track, project=arguments.project)
            print(f"{result} is run {number} of {arguments.project} in {arguments.track}.")
