"""The command `diagnose`: what stands behind a mean."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    add_episodes,
    add_format,
    add_what,
    count,
)
from fairshot.cli.output import OF_DATA, options, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    diagnose = commands.add_parser(
        "diagnose", help="beside the mean: bad episodes, hard classes, support sets, calibration, hubs, time"
    )
    add_what(diagnose)
    add_episodes(diagnose)
    diagnose.add_argument(
        "--searched",
        type=count,
        default=20,
        metavar="N",
        help="episodes whose best and worst support is searched (default 20; 0: none)",
    )
    diagnose.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="show the easiest, the median and the hardest episode as pictures: .svg, .png or .html",
    )
    add_format(diagnose)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.diagnose import Effort, diagnose_all
    from fairshot.reports.plot import refuse_format, write_episodes
    from fairshot.reports.progress import progress_bar
    from fairshot.specs.tasks import Shape

    refuse_format(arguments.plot)
    shape = ("way", "shot", "query", "disjoint", "skip_small", "dirichlet", "unknown")
    with progress_bar() as progress:
        found = diagnose_all(
            arguments.what,
            arguments.learner,
            arguments.task,
            shape=Shape(**options(arguments, shape)),
            effort=Effort(**options(arguments, ("episodes", "searched", "seed", "allow_seen"))),
            **options(arguments, (*OF_DATA, "encoder")),
            progress=progress,
        )
    if arguments.plot:
        write_episodes(found, arguments.plot)
    show(found, arguments)
