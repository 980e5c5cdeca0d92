"""The command `ls`: what there is."""

import argparse
from typing import Any

from fairshot.cli.options import (
    KINDS,
)
from fairshot.runtime.errors import unknown


def add_options(commands: Any) -> None:
    """The options of the command."""
    listing = commands.add_parser("ls", help="what there is: " + ", ".join(KINDS))
    listing.add_argument("kind", nargs="?", help="one of these kinds, or runs")
    listing.add_argument("folder", nargs="?", default="runs", help="where runs are looked for (default runs)")
    listing.add_argument(
        "--kind", dest="of_kind", default="", help="runs: evaluation, study, training or 'not readable'"
    )
    listing.add_argument("--data", default="", metavar="TEXT", help="runs: only of data whose name holds it")
    listing.add_argument("--learner", default="", metavar="TEXT", help="runs: only with a learner whose name holds it")
    listing.add_argument(
        "--index", action="store_true", help="runs: keep what was read in FOLDER/index.json, for many thousands of them"
    )


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.reports.listing import render_names

    if arguments.kind == "runs":
        from fairshot.results.runs import find_runs

        asked = {"kind": arguments.of_kind, "data": arguments.data, "learner": arguments.learner}
        print(find_runs(arguments.folder, **asked, index=arguments.index), end="")
        return
    if arguments.kind is not None and arguments.kind not in KINDS:
        raise unknown("kind", arguments.kind, KINDS)
    for kind in [arguments.kind] if arguments.kind else KINDS:
        render_names(kind)
