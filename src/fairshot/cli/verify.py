"""The command `verify`: does a result follow from its answers?"""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_format, add_part
from fairshot.cli.output import OF_DATA, options, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    parser = commands.add_parser("verify", help="does a result follow from the answers that it was kept with?")
    parser.add_argument("result", type=Path, help="a folder that evaluate saved to, or a passport: FILE.zip")
    parser.add_argument("--on", dest="what", metavar="WHAT", help="the data, to compare it with what the result says")
    add_part(parser)
    parser.add_argument(
        "--passport", type=Path, metavar="FILE.zip", help="also write the result as one file for others"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Calls the verb, prints what it gives, and fails where something does not hold."""
    from fairshot.evaluation.verify import verify

    verification = verify(arguments.result, arguments.what, **options(arguments, OF_DATA))
    if arguments.passport and verification:
        from fairshot.results.passport import load_result

        load_result(arguments.result).passport(arguments.passport)
    show(verification, arguments)
    return int(not verification)
