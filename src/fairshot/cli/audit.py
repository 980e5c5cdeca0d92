"""The command `audit`: does a benchmark measure what one thinks?"""

import argparse
from typing import Any

from fairshot.cli.options import (
    add_encoder,
    add_format,
    add_what,
    count,
)
from fairshot.cli.output import OF_DATA, options, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    audit = commands.add_parser(
        "audit", help="does this benchmark measure what you think? A verdict, and what to change"
    )
    add_what(audit)
    audit.add_argument(
        "--learner",
        nargs="+",
        default=["prototypes"],
        metavar="L",
        help="one, or two to be compared (default prototypes, and neighbours on the same vectors)",
    )
    add_encoder(audit)
    for name, what in (
        ("way", "classes per episode"),
        ("shot", "support images per class"),
        ("query", "queries per class"),
    ):
        audit.add_argument(f"--{name}", type=count, metavar="N", help=f"{what} (default: what the classes allow)")
    audit.add_argument("--episodes", type=count, default=5000, metavar="N", help="episodes (default 5000)")
    audit.add_argument("--seed", type=int, default=0)
    audit.add_argument("--allow-seen", action="store_true", help="with a learner that was trained on what is audited")
    add_format(audit)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.audits.audit import audit
    from fairshot.reports.progress import progress_bar

    asked = ("learner", "encoder", "way", "shot", "query", "episodes", "seed", "allow_seen", *OF_DATA)
    with progress_bar() as progress:
        report = audit(arguments.what, **options(arguments, asked), progress=progress)
    show(report, arguments)
