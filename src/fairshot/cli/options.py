"""Options that several commands share."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import PAGES, require_ending
from fairshot.runtime.grammar.lists import parse_count, parse_counts, parse_words
from fairshot.runtime.grammar.settings import split_settings

T = TypeVar("T")
MOST_SEQUENTIAL = 100_000  # episodes, where they go on until an interval is narrow enough
FORMATS = ("terminal", "markdown", "latex", "csv", "json")
KINDS = (
    *("sources", "splits", "recipes", "tasks", "learners", "encoders", "networks", "generators"),
    *("metrics", "measures", "checks", "studies"),
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Raises instead of printing a page of usage."""
        raise FairshotError(f"{message}; see '{self.prog} --help'")


def add_episodes(parser: argparse.ArgumentParser) -> None:
    """Who answers what: learners, tasks and episodes."""
    parser.add_argument(
        "--learner",
        nargs="+",
        default=["prototypes"],
        metavar="L",
        help="NAME, NAME:setting=value, NAME@WEIGHTS, a run's folder, path.py:name, NAME@path.py:encoder "
        "(default prototypes)",
    )
    add_encoder(parser)
    parser.add_argument(
        "--task",
        type=parse_words,
        default=["uniform"],
        metavar="T,...",
        help="see 'fairshot ls tasks' (default uniform); meta_dataset:bilevel=True",
    )
    parser.add_argument("--way", type=counts, default=[5], metavar="N,...", help="classes per episode (default 5)")
    parser.add_argument(
        "--shot", type=counts, default=[1], metavar="N,...", help="support images per class (default 1)"
    )
    parser.add_argument("--query", type=count, default=15, metavar="N", help="query images per class (default 15)")
    parser.add_argument("--episodes", type=count, default=1000, metavar="N", help="episodes per task (default 1000)")
    add_sides(parser)
    parser.add_argument(
        "--dirichlet", type=float, metavar="A", help="unbalanced queries: classes' shares drawn with this concentration"
    )
    parser.add_argument(
        "--unknown", type=count, default=0, metavar="N", help="classes with queries but no support: an open set"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--allow-seen",
        action="store_true",
        help="evaluate a trained learner on what it was trained on too; the result says so",
    )


def add_encoder(parser: argparse.ArgumentParser) -> None:
    """What makes vectors of images."""
    parser.add_argument(
        "--encoder",
        nargs="+",
        metavar="E",
        help="what learners without weights see of images: efficientnet-lite0, timm:NAME, open_clip:MODEL/WEIGHTS, "
        "torch.hub:REPOSITORY:NAME, array:FILE, path.py:name, or none, which compares pixels (default for a folder "
        "of colour photographs: efficientnet-lite0, where it is installed)",
    )


def add_sides(parser: argparse.ArgumentParser) -> None:
    """What support and query may share."""
    parser.add_argument(
        "--disjoint",
        metavar="ATTRIBUTE",
        help="no value of it on both sides (default: group, where there are groups; none)",
    )
    parser.add_argument("--skip-small", action="store_true", help="leave out classes with too few images")


def add_what(parser: argparse.ArgumentParser) -> None:
    """The data, by name."""
    parser.add_argument("what", help="omniglot/lake/novel, glyphs, folder:PATH, array:FILE, path.py:name ...")
    add_part(parser)


def add_part(parser: argparse.ArgumentParser) -> None:
    """Which part of the data, and how its images are prepared."""
    parser.add_argument(
        "--split",
        help="a split of the source: random, random-7, FILE.json or .csv with class lists, path.py:name; lake+6 holds "
        "out 6 images per base class",
    )
    parser.add_argument("--part", help="base, base_heldout, val or novel (default novel)")
    parser.add_argument("--recipe", help="preprocessing by name, or a number of pixels; see 'fairshot ls recipes'")
    parser.add_argument(
        "--groups",
        metavar="PATTERN",
        help="folder: the pattern in a file's name that says which images belong together",
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="folder: leave out files that cannot be read; the result names them"
    )


def add_results(parser: argparse.ArgumentParser) -> None:
    """Results that are there already, ours or those of other tools, and what their columns mean."""
    parser.add_argument(
        "results",
        nargs="+",
        type=Path,
        metavar="RESULTS",
        help="what evaluate --out made; or results from elsewhere: rows of method, item and score (.csv, .parquet, "
        ".jsonl), samples of lm-evaluation-harness, results of MTEB, logs of Inspect, scores of episodes (.npy, .txt)",
    )
    parser.add_argument(
        "--columns",
        type=assignments,
        metavar="A=B,...",
        help="what the columns of a file are called: method=model,score=f1,group=document; also item, class, run, "
        "dataset, and of logs metric, filter, scorer, split",
    )
    parser.add_argument("--lower", action="store_true", help="lower scores are better")


def assignments(text: str) -> dict[str, str]:
    """`method=model,score=f1` as names and columns, in the way that options are read."""
    return _read(lambda words: {one.name: one.value or "" for one in split_settings(words)}, text)


def add_common(parser: argparse.ArgumentParser, out: str | None = None) -> None:
    """How work is shared, where results are saved and how they are printed."""
    add_backend(parser)
    parser.add_argument(
        "--out",
        type=folder,
        default=out and Path(out),
        metavar="DIR",
        help="save the results there; the same command resumes",
    )
    add_format(parser)


def add_shard(parser: argparse.ArgumentParser) -> None:
    """One result made by several commands."""
    parser.add_argument(
        "--shard",
        metavar="I/N",
        help="answer only this share, such as 3/40, into the folder --out that all machines see; then see "
        "'fairshot gather'",
    )


def add_backend(parser: argparse.ArgumentParser) -> None:
    """How work is shared."""
    parser.add_argument(
        "--backend",
        choices=["auto", "serial", "threads", "local", "ray"],
        default="auto",
        help="how work is shared (default: what pays)",
    )
    parser.add_argument(
        "--ray-address",
        metavar="ADDRESS",
        action=_RayAddress,
        help="the cluster for --backend ray (default: this machine)",
    )


class _RayAddress(argparse.Action):
    """Puts the address where Ray itself looks for it."""

    def __call__(self, parser: object, namespace: argparse.Namespace, values: object, option: object = None) -> None:
        os.environ["RAY_ADDRESS"] = namespace.ray_address = str(values)


def folder(text: str) -> Path:
    """A folder to keep things in; no text at all would be the folder that one stands in."""
    if not text:
        raise argparse.ArgumentTypeError("'' names no folder")
    return Path(text)


def count(text: str) -> int:
    """`1_000` as a number, in the way that options are read."""
    return _read(parse_count, text)


def counts(text: str) -> list[int]:
    """`1,5,10` as numbers, in the way that options are read."""
    return _read(parse_counts, text)


def _read(parse: Callable[[str], T], text: str) -> T:
    """What a grammar makes of text; argparse puts the name of the option in front of what it complains about."""
    try:
        return parse(text)
    except FairshotError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def page(text: str) -> Path:
    """A file for a page in HTML, by its ending."""
    return require_ending(Path(text), PAGES, "a page in HTML")


def add_format(parser: argparse.ArgumentParser) -> None:
    """How the result is printed."""
    parser.add_argument("--report", type=page, metavar="FILE.html", help="write a page of the result as well")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--format", choices=FORMATS, default="terminal", help="how the result is printed (default terminal)"
    )
    form.add_argument("--json", action="store_const", dest="format", const="json", help="the same as --format json")
