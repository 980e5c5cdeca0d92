"""The command `evaluate`: learners on tasks."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    MOST_SEQUENTIAL,
    add_common,
    add_episodes,
    add_shard,
    add_what,
    count,
)
from fairshot.cli.output import OF_DATA, OF_EPISODES, OF_SHAPE, command, options, show_evaluation
from fairshot.runtime.errors import FairshotError


def add_options(commands: Any) -> None:
    """The options of the command."""
    evaluate = commands.add_parser("evaluate", help="learners on tasks: every learner answers the same episodes")
    add_what(evaluate)
    add_episodes(evaluate)
    evaluate.set_defaults(episodes=None)  # it depends on whether they end by themselves
    evaluate.add_argument(
        "--until-halfwidth",
        type=float,
        metavar="POINTS",
        help="stop when every usual interval is that narrow to either side, corrected for looking; "
        f"--episodes is then the most (default {MOST_SEQUENTIAL:,})",
    )
    evaluate.add_argument(
        "--runs", metavar="NAME", help="the learners are training runs of one method: also their mean, called NAME"
    )
    evaluate.add_argument(
        "--learner-seeds",
        type=count,
        metavar="N",
        help="learners that draw random numbers answer with N seeds: their mean, and an interval for other seeds",
    )
    evaluate.add_argument("--metric", default="accuracy", help="see 'fairshot ls metrics' (default accuracy)")
    evaluate.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the score against --shot 1,2,5,...: .svg, .png, .html"
    )
    evaluate.add_argument(
        "--each",
        action="store_true",
        help="of several sources, A/SPLIT/novel+B/SPLIT/novel, each by itself; with --out DIR in folders below it",
    )
    add_common(evaluate)
    add_shard(evaluate)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives, for each of several sources if that is wanted."""
    from fairshot.results.evaluations import source_folder
    from fairshot.specs.data import several

    pieces = several(arguments.what) if arguments.each else []
    if pieces and arguments.shard:
        raise FairshotError("--shard is for one evaluation: leave out --each, and give one source after the other")
    if pieces and (arguments.plot or arguments.report):
        raise FairshotError("--plot and --report are for one evaluation: leave out --each, or give one source")
    for piece in pieces or [arguments.what]:
        out = source_folder(arguments.out, piece) if arguments.out and pieces else arguments.out
        _run(argparse.Namespace(**{**vars(arguments), "what": piece, "out": out}))


def _run(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.evaluate import evaluate
    from fairshot.reports.plot import refuse_plot, write_plot
    from fairshot.reports.progress import progress_bar
    from fairshot.specs.tasks import Shape, list_tasks

    refuse_plot(arguments.plot, list_tasks(arguments.task, Shape(**options(arguments, OF_SHAPE))))
    usual = 1000 if arguments.until_halfwidth is None else MOST_SEQUENTIAL
    with progress_bar() as progress:
        evaluation = evaluate(
            arguments.what,
            arguments.learner,
            arguments.task,
            **options(arguments, (*OF_DATA, *OF_EPISODES)),
            **options(arguments, ("runs", "learner_seeds", "metric", "backend", "out", "shard")),
            episodes=usual if arguments.episodes is None else arguments.episodes,
            until=None if arguments.until_halfwidth is None else arguments.until_halfwidth / 100,
            command=command(),
            progress=progress,
        )
    if arguments.plot:
        write_plot(evaluation.shots, arguments.plot)
    show_evaluation(evaluation, arguments)
