"""The command `run`: a study."""

import argparse
import sys
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    add_common,
    add_shard,
    count,
)
from fairshot.cli.output import command, options, print_wrapped, show
from fairshot.runtime.grammar.lists import parse_words


def add_options(commands: Any) -> None:
    """The options of the command."""
    run = commands.add_parser("run", help="a published table, reproduced beside the published numbers")
    run.add_argument("study", help="see 'fairshot ls studies'")
    run.add_argument("--limit", type=count, help="at most this many episodes; the result says so")
    run.add_argument(
        "--only",
        type=parse_words,
        default=[],
        metavar="WORD,...",
        help="only courses (generators, many sources) or settings (coverage) whose names hold one of these words, "
        "or sources of meta_dataset_small by name",
    )
    run.add_argument("--critic", default="", metavar="NAME", help="studies of generators: by whom samples are judged")
    run.add_argument(
        "--set",
        dest="settings",
        default="",
        metavar="K=V,...",
        help="studies of generators: settings of all generators",
    )
    run.add_argument(
        "--known",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="studies of generators: results of earlier runs; what is scored in them is not trained or scored again",
    )
    run.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="write the study's charts there as SVG files, where it has some"
    )
    add_common(run)
    add_shard(run)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.reports.pictures import refuse_pictures
    from fairshot.reports.progress import progress_bar
    from fairshot.results.shards import GATHER
    from fairshot.studies.study import Choice
    from fairshot.studies.study import run as run_study

    refuse_pictures(arguments.pictures)
    with progress_bar("done") as progress:
        result = run_study(
            arguments.study,
            **options(arguments, ("limit", "backend", "out", "shard")),
            command=command(),
            progress=progress,
            note=lambda note: print(f"{note}.", file=sys.stderr, flush=True),
            choice=Choice(tuple(arguments.only), arguments.critic, arguments.settings, tuple(arguments.known)),
        )
    show(result, arguments)
    if arguments.pictures:
        written = ", ".join(path.name for path in result.pictures(arguments.pictures))
        listed = written or "none, as this study has no charts"
        print_wrapped(f"Pictures in {arguments.pictures}: {listed}.", sys.stderr)
    if arguments.out and arguments.format == "terminal" and arguments.shard in (None, GATHER):
        print(f"Saved to {arguments.out}: study.json, and what it is made of.")
