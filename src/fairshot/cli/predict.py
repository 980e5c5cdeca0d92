"""The command `predict`: labels for anybody's images."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    add_encoder,
    add_format,
)
from fairshot.cli.output import options, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    predict = commands.add_parser("predict", help="labels for your own images, learned from a few examples per class")
    predict.add_argument(
        "images", nargs="+", metavar="IMAGES", help="images, folders of images at any depth, or .npz files with X"
    )
    predict.add_argument(
        "--support",
        required=True,
        metavar="FOLDER",
        help="a folder of images for each class, or array:FILE.npz with X and y",
    )
    predict.add_argument(
        "--learner",
        default="prototypes",
        metavar="L",
        help="NAME, NAME:setting=value, NAME@WEIGHTS, a run's folder, path.py:name, NAME@path.py:encoder "
        "(default prototypes)",
    )
    add_encoder(predict)
    predict.add_argument(
        "--recipe", help="preprocessing by name, or a number of pixels (default: the learner's own, or what fits)"
    )
    predict.add_argument(
        "--invert",
        default="auto",
        choices=["auto", "none", "support", "images", "both"],
        help="which drawings have dark and light exchanged first (default auto: as the recipe needs it, and says so)",
    )
    predict.add_argument(
        "--unknown",
        type=float,
        metavar="SHARE",
        help="find images of other classes; at most this share of images of known classes is called unknown by mistake",
    )
    predict.add_argument(
        "--least", type=float, metavar="CONFIDENCE", help="what has less confidence than this counts as unknown"
    )
    predict.add_argument("--out", type=Path, metavar="FILE.csv", help="write a line for every image")
    add_format(predict)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.prediction.predict import predict
    from fairshot.reports.predictions import refuse_path
    from fairshot.reports.progress import progress_bar

    refuse_path(arguments.out)
    asked = ("support", "learner", "encoder", "recipe", "invert", "unknown", "least")
    with progress_bar("images") as progress:
        found = predict(arguments.images, **options(arguments, asked), progress=progress)
    if arguments.out:
        found.save(arguments.out)
    show(found, arguments)
