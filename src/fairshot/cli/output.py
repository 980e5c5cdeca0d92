"""What all commands do with their arguments and with what a verb gives."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

OF_DATA = ("split", "part", "recipe", "groups", "skip_bad")
OF_SHAPE = ("way", "shot", "query", "disjoint", "skip_small", "dirichlet", "unknown")
OF_EPISODES = (*OF_SHAPE, "encoder", "seed", "allow_seen")


def command() -> list[str]:
    """The command as it was typed, for results to remember."""
    return ["fairshot", *sys.argv[1:]]


def options(arguments: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Some of the arguments by name."""
    return {name: getattr(arguments, name) for name in names}


def what(arguments: argparse.Namespace) -> Any:
    """The data that a command names."""
    from fairshot.specs.data import as_part

    return as_part(arguments.what, **options(arguments, OF_DATA))[0]


def show(result: Any, arguments: argparse.Namespace) -> None:
    """Prints what a verb gave, as `--format` says, and writes the page that `--report` asks for."""
    if arguments.report:
        result.report(arguments.report)
    if arguments.format == "json":
        print(result.to_json(command()))
    elif arguments.format == "terminal":
        print(result, end="")
    else:
        print(getattr(result, f"to_{arguments.format}")(), end="")


def print_wrapped(text: str, where: Any) -> None:
    """Prints text to a stream in lines that fit the terminal."""
    from fairshot.tables.terminal import terminal_width, wrapped_lines

    print(*wrapped_lines(text, terminal_width()), sep="\n", file=where)


def show_evaluation(evaluation: Any, arguments: argparse.Namespace) -> None:
    """Prints an evaluation, and on a terminal its curves and where it was saved."""
    show(evaluation, arguments)
    if arguments.format != "terminal":
        return
    from fairshot.reports.shot_text import render_curves

    render_curves(evaluation.shots)
    from fairshot.results.shards import GATHER

    if not arguments.out or arguments.shard not in (None, GATHER):
        return
    saved = f"Saved to {arguments.out}: result.json, episodes.csv, scores of every query and the episodes themselves."
    print_wrapped(saved, sys.stdout)
    if len(evaluation.learners) > 1:
        print(f"Which differences would hold elsewhere: fairshot compare {arguments.out}")
