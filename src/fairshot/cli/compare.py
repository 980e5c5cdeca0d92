"""The command `compare`: learners on the same episodes."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    add_format,
    count,
)
from fairshot.cli.output import command


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
    from fairshot.reports.comparisons import comparison_tables
    from fairshot.tables.render import to_text

    comparisons = compare(arguments.folders)
    if arguments.format == "json":
        print(comparisons.to_json(command()))
        return
    tables = comparison_tables(comparisons, pairs=arguments.pairs, classes=arguments.classes)
    print(to_text(tables, summary=comparisons.summary()), end="")
