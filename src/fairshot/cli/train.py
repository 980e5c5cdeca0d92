"""The command `train`: a learner on the base part of a split."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairshot.cli.options import add_format, count, folder
from fairshot.cli.output import command, options, show


def add_options(commands: Any) -> None:
    """The options of the command."""
    train = commands.add_parser(
        "train", help="a learner's or generator's network on the base part of a split; resumes where it stopped"
    )
    train.add_argument(
        "learner",
        help="NAME, NAME:setting=value (see 'fairshot ls learners' and generators), NAME@mine.py:Net or mine.py:NAME",
    )
    train.add_argument(
        "--split", required=True, help="omniglot/lake, omniglot/vinyals, cifar100/cifar-fs, folder:PATH ..."
    )
    train.add_argument("--preset", default="laptop", help="laptop (minutes on two cores), paper, ... (default laptop)")
    train.add_argument(
        "--set", dest="changes", default="", metavar="K=V,...", help="changes of the preset: steps=2000,way=20"
    )
    train.add_argument("--recipe", help="preprocessing by name, or a number of pixels; see 'fairshot ls recipes'")
    train.add_argument(
        "--skip-bad", action="store_true", help="folder: leave out files that cannot be read, and name them"
    )
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--out", type=folder, metavar="DIR", help="the run's folder (default runs/LEARNER-SPLIT-SEED)")
    train.add_argument(
        "--processes",
        type=count,
        default=1,
        metavar="N",
        help="so many processes train the model together (default 1); torchrun can start them on several machines",
    )
    train.add_argument("--tensorboard", action="store_true", help="write DIR/tensorboard as well")
    add_format(train)


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.evaluation.train import find_course, refuse_processes, tensorboard
    from fairshot.learners.training.group import other_processes, rank_of_this
    from fairshot.learners.training.loop import Reports
    from fairshot.reports.progress import training_bar
    from fairshot.reports.training import TrainingReport

    name = f"{arguments.learner}-{arguments.split}-{arguments.seed}"
    out = arguments.out or Path("runs") / "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    with training_bar(arguments.learner) as step:
        reports = Reports(step, note=lambda note: print(f"Note: {note}.", file=sys.stderr))
        reports = replace(reports, epoch=tensorboard(out)) if arguments.tensorboard else reports
        how = options(arguments, ("preset", "changes", "recipe", "skip_bad"))
        course = find_course(arguments.learner, arguments.split, **how)
        for note in course.split.base.notes:
            reports.note(note)
        refuse_processes(course, arguments.processes)
        with other_processes(arguments.processes, command()[1:]):
            fitted = course.run(seed=arguments.seed, out=out, reports=reports)
    if rank_of_this():
        return
    show(TrainingReport(fitted.record, out, course.command(fitted, arguments.split, out)), arguments)
