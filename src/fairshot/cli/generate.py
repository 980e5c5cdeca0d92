"""The command `generate`: variations of anybody's own drawing, by a trained generator or a yardstick."""

import argparse
from typing import Any

from fairshot.cli.options import count, folder


def add_options(commands: Any) -> None:
    """The options of the command."""
    generate = commands.add_parser("generate", help="variations of your own drawings by a trained generator")
    generate.add_argument(
        "model",
        help="latent_diffusion or others that come trained (see 'fairshot ls generators'), with settings such as "
        "latent_diffusion:guidance=2, a run's folder, latent_diffusion:guidance=2@RUN, a yardstick such as warped, "
        "or path.py:name",
    )
    generate.add_argument(
        "exemplars", nargs="+", metavar="EXEMPLARS", help="drawings, folders of drawings at any depth, or .npz files"
    )
    generate.add_argument("--count", type=count, default=20, metavar="N", help="variations of each (default 20)")
    generate.add_argument("--out", type=folder, required=True, metavar="DIR", help="where the drawings are written")
    generate.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.scoring.generate import generate

    made = generate(arguments.model, arguments.exemplars, count=arguments.count, seed=arguments.seed)
    made.save(arguments.out)
    print(f"{made.summary()}\nIn {arguments.out}: a folder for each, and sheet.png with the exemplars framed in front.")
