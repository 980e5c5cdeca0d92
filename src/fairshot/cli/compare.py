"""The command `compare`: learners on the same episodes, methods on the same items."""

import argparse
from dataclasses import replace
from typing import Any

from fairshot.cli.options import (
    add_format,
    add_results,
    count,
)
from fairshot.cli.output import show


def add_options(commands: Any) -> None:
    """The options of the command."""
    compare = commands.add_parser(
        "compare", help="learners on the same episodes or items: paired differences, intervals and p values"
    )
    add_results(compare)
    compare.add_argument("--pairs", action="store_true", help="every pair in full, however many learners there are")
    compare.add_argument(
        "--classes",
        type=count,
        metavar="N",
        help="how often N other classes would show the other sign (default: as many as here)",
    )
    add_format(compare)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.compare import compare

    comparisons = compare(arguments.results, columns=arguments.columns, higher_is_better=not arguments.lower)
    show(replace(comparisons, full=arguments.pairs, other_classes=arguments.classes), arguments)
