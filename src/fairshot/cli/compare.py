"""The command `compare`: learners on the same episodes."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    add_format,
    count,
)
from fairshot.cli.output import show


def add_options(commands: Any) -> None:
    """The options of the command."""
    compare = commands.add_parser(
        "compare", help="learners on the same episodes: paired differences, intervals and p values"
    )
    compare.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="what evaluate --out made")
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

    comparisons = compare(arguments.folders)
    show(replace(comparisons, full=arguments.pairs, other_classes=arguments.classes), arguments)
