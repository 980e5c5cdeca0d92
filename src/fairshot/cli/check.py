"""The command `check`: leaks."""

import argparse
from typing import Any

from fairshot.cli.options import (
    add_format,
    add_part,
    add_sides,
    count,
)
from fairshot.cli.output import OF_DATA, options, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    check = commands.add_parser("check", help="leaks: does the truth reach the answers in a way it should not?")
    check.add_argument(
        "learner",
        help="NAME, NAME:setting=value, NAME@WEIGHTS, a run's folder, path.py:name ...; or a sampler of episodes",
    )
    check.add_argument(
        "--on", dest="what", metavar="WHAT", help="omniglot/lake/novel, folder:PATH ... (default: a few glyphs)"
    )
    add_part(check)
    check.add_argument("--task", default="uniform", metavar="T", help="see 'fairshot ls tasks' (default uniform)")
    for name, default, text in (
        ("way", "5, or what the part allows", "classes per episode"),
        ("shot", "1", "support images per class"),
        ("query", "15, or what the part allows", "query images per class"),
    ):
        check.add_argument(f"--{name}", type=count, metavar="N", help=f"{text} (default {default})")
    check.add_argument("--episodes", type=count, default=8, metavar="N", help="episodes to answer (default 8)")
    add_sides(check)
    check.add_argument("--seed", type=int, default=0)
    add_format(check)


def run(arguments: argparse.Namespace) -> int:
    """Calls the verb, prints what it gives, and fails where there is a leak."""
    from fairshot.checks.checklist import check
    from fairshot.reports.progress import progress_bar

    with progress_bar("checks") as progress:
        report = check(
            arguments.learner,
            arguments.what,
            **options(
                arguments, ("task", "way", "shot", "query", "disjoint", "skip_small", "episodes", "seed", *OF_DATA)
            ),
            progress=progress,
        )
    show(report, arguments)
    return int(not report.passed)
