"""The command `report`: a page to look at, of one result or of several."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import page


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


def run(arguments: argparse.Namespace) -> None:
    """Loads every result and writes the page."""
    from fairshot.reports.pages.several import write_report

    written = write_report(arguments.results, arguments.out)
    print(f"Saved to {written}; open it in a browser.")
