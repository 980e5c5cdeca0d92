"""`fairshot probe`: all classes, some labelled images of each, a fixed test set, many draws of the labelled images."""

import argparse
from pathlib import Path

from fairshot.cli.options import add_backend, add_encoder, add_format, count, counts
from fairshot.cli.output import command, options, show
from fairshot.runtime.grammar.lists import parse_words


def add_options(commands: argparse._SubParsersAction) -> None:
    """What is labelled, what is asked, and by whom."""
    probe = commands.add_parser("probe", help="k labelled images per class and a test set: intervals for other labels")
    probe.add_argument("what", help="the pool: array:FILE, folder:PATH, cifar100 ...; or pool and test in one")
    probe.add_argument(
        "--test", metavar="WHAT", help="the test set (default: what the data itself says is for testing)"
    )
    probe.add_argument(
        "--learner", nargs="+", default=["prototypes"], metavar="L", help="as for evaluate (default prototypes)"
    )
    add_encoder(probe)
    probe.add_argument(
        "--shot", type=counts, default=[1], metavar="N,...", help="labelled images per class (default 1)"
    )
    probe.add_argument(
        "--draws", type=_draws, default=100, metavar="N|FILE", help="how many draws, or a file of them (default 100)"
    )
    probe.add_argument("--export-draws", type=Path, metavar="FILE.csv", help="write which images were labelled")
    probe.add_argument("--classes", type=parse_words, metavar="NAME,...", help="only these classes")
    probe.add_argument("--skip-small", action="store_true", help="leave out classes with too few pool images")
    probe.add_argument(
        "--class-vectors", metavar="FILE", help="a vector for each class, X and y, such as embeddings of their names"
    )
    probe.add_argument(
        "--tuned", action="store_true", help="show beside choosing heads what tuning them on the test set would give"
    )
    probe.add_argument("--seed", type=int, default=0)
    probe.add_argument("--recipe", help="preprocessing by name, or a number of pixels; see 'fairshot ls recipes'")
    probe.add_argument(
        "--groups", metavar="PATTERN", help="folder: what in a file's name tells which images belong together"
    )
    probe.add_argument("--skip-bad", action="store_true", help="folder: leave out files that cannot be read")
    probe.add_argument(
        "--allow-seen",
        action="store_true",
        help="judge a trained learner on what it was trained on; the result says so",
    )
    add_backend(probe)
    probe.add_argument("--plot", type=Path, metavar="FILE", help="draw the score against the shots: .svg, .png, .html")
    add_format(probe)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.probe import probe
    from fairshot.reports.progress import progress_bar
    from fairshot.reports.shot_text import render_curves

    asked = (
        *("test", "shot", "draws", "classes", "class_vectors", "tuned", "skip_small", "seed", "recipe", "encoder"),
        *("groups", "skip_bad", "allow_seen", "backend"),
    )
    with progress_bar("draws") as progress:
        found = probe(
            arguments.what, arguments.learner, **options(arguments, asked), command=command(), progress=progress
        )
    if arguments.export_draws:
        found.export_draws(arguments.export_draws)
    if arguments.plot:
        found.plot(arguments.plot)
    show(found, arguments)
    if arguments.format == "terminal":
        render_curves(found.shots)


def _draws(text: str) -> int | str:
    """A number of draws, or the name of a file."""
    return count(text) if text.replace("_", "").isdigit() else text
