"""The command `gather`: one result out of the shards that several machines have made."""

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from fairshot.cli.options import FORMATS, page
from fairshot.runtime.errors import FairshotError


def add_options(commands: Any) -> None:
    """The options of the command."""
    parser = commands.add_parser("gather", help="the result of what --shard 1/N ... N/N have answered in one folder")
    parser.add_argument("folder", type=Path, help="where the shards are")
    parser.add_argument("--report", type=page, metavar="FILE.html", help="write a page of the result as well")
    parser.add_argument("--format", choices=FORMATS, help="how the result is printed (default as the shards asked for)")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="the same as --format json")


def run(arguments: argparse.Namespace) -> Any:
    """Gives the command of the shards again, which finds all answers."""
    from fairshot.cli.main import make_parser
    from fairshot.results.shards import GATHER, Shards

    plan = Shards(arguments.folder).plan
    if plan.command[:1] != ("fairshot",):
        raise FairshotError(
            f"the shards in {arguments.folder} were made from Python: call the same with shard='gather'"
        )
    given = make_parser().parse_args([*plan.command[1:], "--shard", GATHER])
    sys.argv = list(plan.command)  # what results remember
    given.out, given.report = arguments.folder, arguments.report or given.report
    given.format = arguments.format or given.format
    return importlib.import_module(f"fairshot.cli.{given.command}").run(given)
