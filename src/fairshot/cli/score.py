"""The command `score`: a generator's samples beside people's drawings."""

import argparse
import sys
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_format, count
from fairshot.cli.output import options, print_wrapped, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    score = commands.add_parser(
        "score", help="a generator's samples: diversity, recognizability, copying, distance to people"
    )
    score.add_argument(
        "samples",
        nargs="+",
        metavar="SAMPLES",
        help="a folder of images for each class, an .npz file with images and labels, path.py:generator with "
        "generate(exemplars, count, seed), human, or a yardstick (see 'fairshot ls generators'; fresh: glyphs drawn "
        "anew)",
    )
    score.add_argument(
        "--critic",
        default="omniglot",
        metavar="NAME",
        help="omniglot or glyphs, which come with the package; published, those that the authors released; or a folder "
        "with a run of simclr, one of prototypes and one of the recogniser (default omniglot)",
    )
    score.add_argument(
        "--on",
        metavar="WHAT",
        help="drawings of people to compare with (default: the novel part of the critics' split)",
    )
    score.add_argument(
        "--count", type=count, default=20, metavar="N", help="images a generator draws of each class (default 20)"
    )
    score.add_argument(
        "--save-exemplars",
        type=Path,
        metavar="FILE.npz",
        help="write the exemplars with the names of their classes there, for a generator that draws elsewhere",
    )
    score.add_argument(
        "--pictures",
        type=Path,
        metavar="FOLDER",
        help="write SVG files there: the plane of both axes, ranked concepts, their neighbours, originality",
    )
    score.add_argument("--seed", type=int, default=0)
    score.add_argument("--allow-seen", action="store_true", help="with critics that were trained on these drawings")
    _add_protocol(score)
    add_format(score)


def _add_protocol(score: argparse.ArgumentParser) -> None:
    """How samples are judged."""
    score.add_argument(
        "--way", type=count, default=20, metavar="N", help="exemplars among which a sample is recognised (default 20)"
    )
    score.add_argument(
        "--times", type=count, metavar="N", help="how often each class is asked for (default 500; maml 20)"
    )
    score.add_argument(
        "--recogniser",
        choices=["prototypes", "maml", "five-shot"],
        default="prototypes",
        help="who recognises: the nearest exemplar, a network that adapts to each episode's exemplars, or the nearest "
        "mean of five drawings (default prototypes)",
    )
    _add_further_options(score)


def _add_further_options(score: argparse.ArgumentParser) -> None:
    """Exemplars, ink, pictures and what most commands have."""
    score.add_argument(
        "--exemplars",
        choices=["central", "random"],
        default="central",
        help="the drawing nearest to the mean of its class in the critic's features, or any (default central)",
    )
    score.add_argument(
        "--exemplar-asks",
        action="store_true",
        help="the exemplar may be the human drawing that is to be recognised, as in the published code",
    )
    score.add_argument(
        "--ink",
        choices=["auto", "dark", "light"],
        default="auto",
        help="whether samples are dark on light or light on dark (default auto: as they look, and says so)",
    )
    score.add_argument(
        "--neighbours", type=count, default=5, metavar="K", help="of precision, recall, density, coverage (default 5)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from dataclasses import fields

    from fairshot.reports.pictures import refuse_pictures
    from fairshot.reports.progress import progress_bar
    from fairshot.scoring.protocol import Protocol
    from fairshot.scoring.score import score
    from fairshot.sources.images.sample_files import refuse_file, save_samples

    refuse_pictures(arguments.pictures)
    refuse_file(arguments.save_exemplars, arguments.samples)
    protocol = Protocol(**options(arguments, [field.name for field in fields(Protocol)]))
    reading = options(arguments, ("critic", "on", "count", "ink", "allow_seen"))
    with progress_bar("done") as progress:
        scores = score(arguments.samples, protocol=protocol, progress=progress, **reading)
    show(scores, arguments)
    where = sys.stdout if arguments.format == "terminal" else sys.stderr
    if arguments.pictures:
        with progress_bar("done") as progress:
            progress("drawing", 0, len(scores.sets), float("nan"))
            written = scores.pictures(arguments.pictures)
        print_wrapped(f"Pictures in {arguments.pictures}: {', '.join(path.name for path in written)}.", where)
    if arguments.save_exemplars:
        exemplars = scores.exemplars
        save_samples(exemplars.images, exemplars.class_names, arguments.save_exemplars)
        print(f"The exemplars of {len(exemplars.class_names)} classes are in {arguments.save_exemplars}.", file=where)
