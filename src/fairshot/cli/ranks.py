"""The command `ranks`: which places methods may have."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_format, add_results
from fairshot.cli.output import show


def add_options(commands: Any) -> None:
    """The options of the command."""
    ranks = commands.add_parser(
        "ranks", help="places that hold: rank intervals, groups that cannot be distinguished, who may be first"
    )
    add_results(ranks)
    ranks.add_argument(
        "--over",
        metavar="POPULATION",
        help="whom places hold for: items, groups, classes, images, episodes, 'data sets' (default: the widest)",
    )
    ranks.add_argument("--picture", type=Path, metavar="FILE", help="draw the places: .svg, .png or .html")
    add_format(ranks)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.ranks import ranks

    ranked = ranks(
        arguments.results, over=arguments.over, columns=arguments.columns, higher_is_better=not arguments.lower
    )
    if arguments.picture:
        ranked.plot(arguments.picture)
    show(ranked, arguments)
