"""The command `demo`: the main job on the embedded glyphs."""

import argparse
from typing import Any

from fairshot.cli.options import (
    add_common,
    count,
)
from fairshot.cli.output import show_evaluation


def add_options(commands: Any) -> None:
    """The options of the command."""
    demo = commands.add_parser("demo", help="the main job on the embedded glyphs")
    add_common(demo, out="fairshot-demo")
    demo.add_argument("--episodes", type=count, default=1000, help="episodes per task (default 1000)")


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.demo import demo
    from fairshot.reports.progress import progress_bar

    with progress_bar() as progress:
        found = demo(episodes=arguments.episodes, backend=arguments.backend, out=arguments.out, progress=progress)
    show_evaluation(found, arguments)
