"""The command `cscc`: clusterers beside classifiers."""

import argparse
from typing import Any

from fairshot.cli.options import (
    add_common,
    add_episodes,
    add_shard,
    add_what,
)
from fairshot.cli.output import OF_DATA, OF_EPISODES, command, options, show_evaluation


def add_options(commands: Any) -> None:
    """The options of the command."""
    cscc = commands.add_parser("cscc", help="clusterers: how much of the supervised accuracy is left without labels")
    add_what(cscc)
    add_episodes(cscc)
    cscc.set_defaults(learner=["sinkhorn"], shot=[5])
    cscc.add_argument(
        "--against",
        nargs="+",
        metavar="L",
        help="the classifier of each clusterer, on the same backbone (default: prototypes on the same weights)",
    )
    add_common(cscc)
    add_shard(cscc)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.consistency import cscc
    from fairshot.reports.progress import progress_bar

    with progress_bar() as progress:
        evaluation = cscc(
            arguments.what,
            arguments.learner,
            arguments.against,
            arguments.task,
            **options(arguments, (*OF_DATA, *OF_EPISODES)),
            **options(arguments, ("episodes", "backend", "out", "shard")),
            command=command(),
            progress=progress,
        )
    show_evaluation(evaluation, arguments)
