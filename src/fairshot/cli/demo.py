"""The command `demo`: the main jobs one after the other, and a page to look at."""

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_format, count, folder
from fairshot.cli.output import print_wrapped, show

EPISODES = 3000


def add_options(commands: Any) -> None:
    """The options of the command."""
    demo = commands.add_parser(
        "demo", help="train, compare, audit and score on invented handwriting, or on your own images; writes a report"
    )
    demo.add_argument(
        "what", nargs="?", help="your own data: folder:PATH, array:FILE ... (default: invented handwriting)"
    )
    demo.add_argument(
        "--out",
        type=folder,
        metavar="DIR",
        help="save everything there, report.html among it; the same command resumes (default fairshot-demo, or "
        "fairshot-demo-NAME for data of your own)",
    )
    demo.add_argument("--episodes", type=count, default=EPISODES, help=f"episodes per task (default {EPISODES})")
    demo.add_argument(
        "--backend",
        choices=["auto", "serial", "threads", "local"],
        default="auto",
        help="how work is shared (default: what pays)",
    )
    add_format(demo)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.demonstration.demo import demo
    from fairshot.reports.progress import progress_bar

    with progress_bar("done") as progress:
        found = demo(
            arguments.what,
            effort=arguments.episodes,
            backend=arguments.backend,
            out=arguments.out,
            progress=progress,
        )
    show(found, arguments)
    if arguments.format == "terminal" and arguments.what is None:
        again = f"{_program()} demo folder:PATH"
        print_wrapped(f"The same for images of yours, a folder for each class: {again}", sys.stdout)


def _program() -> str:
    """How this program is called from here: by its path where a shell does not find it, as after `make demo`."""
    here = Path(sys.argv[0])
    return os.path.relpath(here) if here.name == "fairshot" and shutil.which("fairshot") is None else "fairshot"
