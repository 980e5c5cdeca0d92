"""The command `embed`: images become vectors, once."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_what
from fairshot.cli.output import OF_DATA, options
from fairshot.runtime.files import require_ending


def add_options(commands: Any) -> None:
    """The options of the command."""
    embed = commands.add_parser("embed", help="vectors of your images in a file, for every command and other tools")
    add_what(embed)
    embed.add_argument(
        "--encoder", default="efficientnet-lite0", metavar="E", help="see 'fairshot ls encoders', or path.py:name"
    )
    embed.add_argument("--out", type=Path, required=True, metavar="FILE.npz", help="the file to write")


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb, writes the file and says what is in it."""
    from fairshot.evaluation.embed import ENDINGS, embed
    from fairshot.reports.progress import progress_bar
    from fairshot.tables.terminal import terminal_width, wrapped_lines

    require_ending(arguments.out, ENDINGS, "a file of vectors")
    with progress_bar("images") as progress:
        found = embed(arguments.what, arguments.encoder, **options(arguments, OF_DATA), progress=progress)
    found.save(arguments.out)
    images, features = found.vectors.shape
    said = [
        f"{images:,} images of {len(found.source.classes):,} classes, {features:,} numbers each, by {found.encoder}.",
        *(f"Note: {warning}." for warning in found.warnings),
        f"Saved to {arguments.out}; try: fairshot evaluate array:{arguments.out} --learner prototypes ridge",
    ]
    for line in said:
        print(*wrapped_lines(line, terminal_width()), sep="\n")
