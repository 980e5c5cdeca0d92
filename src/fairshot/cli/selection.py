"""The command `selection`: how much "best on test" inflates."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_format, add_results
from fairshot.cli.output import show


def add_options(commands: Any) -> None:
    """The options of the command."""
    selection = commands.add_parser(
        "selection", help="how much the best of many epochs, settings and seeds inflates, and what honest choices give"
    )
    add_results(selection)
    selection.add_argument(
        "--val", nargs="+", type=Path, metavar="RESULTS", help="the same candidates on validation items, to choose by"
    )
    selection.add_argument(
        "--average-runs", action="store_true", help="settings are chosen by the mean of their runs, not single runs"
    )
    selection.add_argument(
        "--over",
        metavar="POPULATION",
        help="whom it is to hold for: items, groups, classes, parents, images (default: the widest)",
    )
    add_format(selection)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.selection import selection

    found = selection(
        arguments.results,
        val=arguments.val,
        columns=arguments.columns,
        higher_is_better=not arguments.lower,
        average_runs=arguments.average_runs,
        over=arguments.over,
    )
    show(found, arguments)
