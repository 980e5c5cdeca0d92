"""What can be said on the command line: every command with its options."""

import argparse
from pathlib import Path
from typing import Any, NoReturn

import fairshot
from fairshot.runtime.errors import FairshotError

MOST_SEQUENTIAL = 100_000  # episodes, where they go on until an interval is narrow enough
KINDS = ("sources", "splits", "recipes", "tasks", "learners", "networks", "generators", "metrics", "checks", "studies")


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Raises instead of printing a page of usage."""
        raise FairshotError(f"{message}; see '{self.prog} --help'")


def make_parser() -> Parser:
    """All commands and options."""
    parser = Parser(prog="fairshot", description=(fairshot.__doc__ or "").partition("\n")[0])
    parser.add_argument("--version", action="version", version=f"fairshot {fairshot.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    demo = commands.add_parser("demo", help="the main job on the embedded glyphs")
    _add_common(demo, out="fairshot-demo")
    demo.add_argument("--episodes", type=_count, default=1000, help="episodes a task (default 1000)")

    listing = commands.add_parser("ls", help="what there is: " + ", ".join(KINDS))
    listing.add_argument("kind", nargs="?", help="one of these kinds")

    _add_data(commands)
    _add_train(commands)
    _add_evaluate(commands)
    _add_cscc(commands)
    _add_audit(commands)
    _add_diagnose(commands)
    _add_predict(commands)
    _add_score(commands)

    compare = commands.add_parser(
        "compare", help="learners on the same episodes: paired differences, intervals and p values"
    )
    compare.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="what evaluate --out made")
    compare.add_argument("--pairs", action="store_true", help="every pair in full, however many learners there are")
    compare.add_argument(
        "--classes",
        type=_count,
        metavar="N",
        help="how often N other classes would show the other sign (default: as many as here)",
    )
    compare.add_argument("--json", action="store_true", help="print the comparison for machines")

    _add_check(commands)

    run = commands.add_parser("run", help="a published table, reproduced beside the published numbers")
    run.add_argument("study", help="see 'fairshot ls studies'")
    run.add_argument("--limit", type=_count, help="at most this many episodes; the result says so")
    _add_common(run)
    return parser


def _add_data(commands: Any) -> None:
    data = commands.add_parser("data", help="get, show or import data sets")
    verbs = data.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    get = verbs.add_parser("get", help="fetch the official archives, checked against their sha256; resumes")
    get.add_argument("source", help="omniglot, cifar100")
    show = verbs.add_parser("show", help="what a source or a part holds")
    _add_what(show)
    show.add_argument("--sheet", type=Path, metavar="FILE.png", help="write a contact sheet")
    bring = verbs.add_parser("import", help="take official archives that you have already, after checking them")
    bring.add_argument("source", help="omniglot, cifar100")
    bring.add_argument("files", nargs="+", type=Path)


def _add_train(commands: Any) -> None:
    train = commands.add_parser(
        "train", help="a learner's network on the base part of a split; goes on where it stopped"
    )
    train.add_argument("learner", help="NAME or NAME:setting=value; see 'fairshot ls learners'")
    train.add_argument(
        "--split", required=True, help="omniglot/lake, omniglot/vinyals, cifar100/cifar-fs, folder:PATH ..."
    )
    train.add_argument("--preset", default="laptop", help="laptop (minutes on two cores), paper, ... (default laptop)")
    train.add_argument(
        "--set", dest="changes", default="", metavar="K=V,...", help="changes of the preset: steps=2000,way=20"
    )
    train.add_argument("--recipe", help="preprocessing by name, or a number of pixels; see 'fairshot ls recipes'")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--out", type=Path, metavar="DIR", help="the run's folder (default runs/LEARNER-SPLIT-SEED)")
    train.add_argument("--tensorboard", action="store_true", help="write DIR/tensorboard as well")
    train.add_argument("--json", action="store_true", help="print the record for machines")


def _add_evaluate(commands: Any) -> None:
    evaluate = commands.add_parser("evaluate", help="learners on tasks: every learner answers the same episodes")
    _add_what(evaluate)
    _add_episodes(evaluate)
    evaluate.set_defaults(episodes=None)  # it depends on whether they end by themselves
    evaluate.add_argument(
        "--until-halfwidth",
        type=float,
        metavar="POINTS",
        help="stop when every sampler interval is that narrow to either side, corrected for looking; "
        f"--episodes is then the most (default {MOST_SEQUENTIAL:,})",
    )
    evaluate.add_argument(
        "--runs", metavar="NAME", help="the learners are training runs of one method: also their mean, called NAME"
    )
    evaluate.add_argument(
        "--learner-seeds", type=_count, metavar="N",
        help="learners that draw random numbers answer with N seeds: their mean, and an interval for other seeds",
    )  # fmt: skip
    evaluate.add_argument("--metric", default="accuracy", help="see 'fairshot ls metrics' (default accuracy)")
    evaluate.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the score against --shot 1,2,5,...")
    _add_common(evaluate)


def _add_cscc(commands: Any) -> None:
    cscc = commands.add_parser("cscc", help="clusterers: how much of the supervised accuracy is left without labels")
    _add_what(cscc)
    _add_episodes(cscc)
    cscc.set_defaults(learner=["sinkhorn"], shot=[5])
    cscc.add_argument(
        "--against", nargs="+", metavar="L",
        help="the classifier of each clusterer, on the same backbone (default: prototypes on the same weights)",
    )  # fmt: skip
    _add_common(cscc)


def _add_audit(commands: Any) -> None:
    audit = commands.add_parser(
        "audit", help="does this benchmark measure what you think? A verdict, and what to change"
    )
    _add_what(audit)
    audit.add_argument(
        "--learner", nargs="+", default=["prototypes"], metavar="L",
        help="one, or two to be compared (default prototypes, and neighbours on the same vectors)",
    )  # fmt: skip
    for name, what in (("way", "classes an episode"), ("shot", "support images a class"), ("query", "queries a class")):
        audit.add_argument(f"--{name}", type=_count, metavar="N", help=f"{what} (default: what the classes allow)")
    audit.add_argument("--episodes", type=_count, default=5000, metavar="N", help="episodes (default 5000)")
    audit.add_argument("--seed", type=int, default=0)
    audit.add_argument("--allow-seen", action="store_true", help="with a learner that was trained on what is audited")
    audit.add_argument("--json", action="store_true", help="print the audit for machines")


def _add_diagnose(commands: Any) -> None:
    diagnose = commands.add_parser(
        "diagnose", help="beside the mean: bad episodes, hard classes, support sets, calibration, hubs, time"
    )
    _add_what(diagnose)
    _add_episodes(diagnose)
    diagnose.add_argument(
        "--searched", type=_count, default=20, metavar="N",
        help="episodes whose best and worst support is searched (default 20; 0: none)",
    )  # fmt: skip
    diagnose.add_argument("--json", action="store_true", help="print the diagnosis for machines")


def _add_predict(commands: Any) -> None:
    predict = commands.add_parser("predict", help="labels for your own images, learned from a few examples a class")
    predict.add_argument(
        "images", nargs="+", metavar="IMAGES", help="images, folders of images at any depth, or .npz files with X"
    )
    predict.add_argument(
        "--support", required=True, metavar="FOLDER",
        help="a folder of images for each class, or array:FILE.npz with X and y",
    )  # fmt: skip
    predict.add_argument(
        "--learner", default="prototypes", metavar="L",
        help="NAME, NAME:setting=value, NAME@WEIGHTS, a run's folder, path.py:name, NAME@path.py:encoder "
        "(default prototypes)",
    )  # fmt: skip
    predict.add_argument(
        "--recipe", help="preprocessing by name, or a number of pixels (default: the learner's own, or what fits)"
    )
    predict.add_argument(
        "--invert", default="auto", choices=["auto", "none", "support", "images", "both"],
        help="which drawings have dark and light exchanged first (default auto: as the recipe needs it, and says so)",
    )  # fmt: skip
    predict.add_argument(
        "--unknown", type=float, metavar="SHARE",
        help="find images of other classes; at most this share of images of known classes is called unknown by mistake",
    )  # fmt: skip
    predict.add_argument(
        "--least", type=float, metavar="CONFIDENCE", help="what has less confidence than this counts as unknown"
    )
    predict.add_argument("--out", type=Path, metavar="FILE.csv", help="write a line for every image")
    predict.add_argument("--json", action="store_true", help="print the predictions for machines")


def _add_score(commands: Any) -> None:
    score = commands.add_parser(
        "score", help="a generator's samples: diversity, recognizability, copying, distance to people"
    )
    score.add_argument(
        "samples", nargs="+", metavar="SAMPLES",
        help="a folder of images for each class, an .npz file with images and labels, path.py:generator with "
        "generate(exemplars, count, seed), human, or a yardstick (see 'fairshot ls generators'; fresh: glyphs drawn "
        "anew)",
    )  # fmt: skip
    score.add_argument(
        "--critic", required=True, metavar="NAME",
        help="a folder with a run of simclr, one of prototypes and one of the recogniser, or shipped ones by name",
    )  # fmt: skip
    score.add_argument(
        "--on",
        metavar="WHAT",
        help="drawings of people to compare with (default: the novel part of the critics' split)",
    )
    score.add_argument(
        "--count", type=_count, default=20, metavar="N", help="images a generator draws of each class (default 20)"
    )
    score.add_argument(
        "--way", type=_count, default=20, metavar="N", help="exemplars a sample is told apart (default 20)"
    )
    score.add_argument(
        "--times", type=_count, metavar="N", help="how often each class is asked for (default 500; maml 20)"
    )
    score.add_argument(
        "--recogniser", choices=["prototypes", "maml", "five-shot"], default="prototypes",
        help="who recognises: the nearest exemplar, a network that adapts to each episode's exemplars, or the nearest "
        "mean of five drawings (default prototypes)",
    )  # fmt: skip
    score.add_argument(
        "--exemplars", choices=["central", "random"], default="central",
        help="the drawing nearest to the mean of its class in the critic's features, or any (default central)",
    )  # fmt: skip
    score.add_argument(
        "--save-exemplars", type=Path, metavar="FILE.npz",
        help="write the exemplars with the names of their classes there, for a generator that draws elsewhere",
    )  # fmt: skip
    score.add_argument(
        "--exemplar-asks", action="store_true",
        help="the exemplar may be the human drawing that is to be recognised, as in the published code",
    )  # fmt: skip
    score.add_argument(
        "--ink", choices=["auto", "dark", "light"], default="auto",
        help="whether samples are dark on light or light on dark (default auto: as they look, and says so)",
    )  # fmt: skip
    score.add_argument(
        "--neighbours", type=_count, default=5, metavar="K", help="of precision, recall, density, coverage (default 5)"
    )
    score.add_argument(
        "--pictures", type=Path, metavar="FOLDER",
        help="write SVG files there: the plane of both axes, ranked concepts, their neighbours, originality",
    )  # fmt: skip
    score.add_argument("--seed", type=int, default=0)
    score.add_argument("--allow-seen", action="store_true", help="with critics that were trained on these drawings")
    score.add_argument("--json", action="store_true", help="print the scores for machines, class by class")


def _add_episodes(parser: argparse.ArgumentParser) -> None:
    """Who answers what: learners, tasks and episodes."""
    parser.add_argument(
        "--learner", nargs="+", default=["prototypes"], metavar="L",
        help="NAME, NAME:setting=value, NAME@WEIGHTS, a run's folder, path.py:name, NAME@path.py:encoder "
        "(default prototypes)",
    )  # fmt: skip
    parser.add_argument(
        "--task",
        type=_words,
        default=["uniform"],
        metavar="T,...",
        help="see 'fairshot ls tasks' (default uniform); meta_dataset:bilevel=True",
    )
    parser.add_argument("--way", type=_counts, default=[5], metavar="N,...", help="classes an episode (default 5)")
    parser.add_argument("--shot", type=_counts, default=[1], metavar="N,...", help="support images a class (default 1)")
    parser.add_argument("--query", type=_count, default=15, metavar="N", help="query images a class (default 15)")
    parser.add_argument("--episodes", type=_count, default=1000, metavar="N", help="episodes a task (default 1000)")
    _add_sides(parser)
    parser.add_argument(
        "--dirichlet", type=float, metavar="A", help="unbalanced queries: classes' shares drawn with this concentration"
    )
    parser.add_argument(
        "--unknown", type=_count, default=0, metavar="N", help="classes with queries but no support: an open set"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--allow-seen",
        action="store_true",
        help="judge a trained learner on what it was trained on; the result says so",
    )


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help="leaks: does the truth reach the answers in a way it should not?")
    check.add_argument("learner", help="NAME, NAME:setting=value, NAME@WEIGHTS, a run's folder, path.py:name ...")
    check.add_argument(
        "--on", dest="what", metavar="WHAT", help="omniglot/lake/novel, folder:PATH ... (default: a few glyphs)"
    )
    _add_part(check)
    check.add_argument("--task", default="uniform", metavar="T", help="see 'fairshot ls tasks' (default uniform)")
    for name, default, text in (
        ("way", "5, or what the part allows", "classes"),
        ("shot", "1", "support images a class in"),
        ("query", "15, or what the part allows", "queries a class in"),
    ):
        check.add_argument(f"--{name}", type=_count, metavar="N", help=f"{text} an episode (default {default})")
    check.add_argument("--episodes", type=_count, default=8, metavar="N", help="episodes to answer (default 8)")
    _add_sides(check)
    check.add_argument("--seed", type=int, default=0)
    check.add_argument("--json", action="store_true", help="print the findings for machines")


def _add_sides(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--disjoint",
        metavar="ATTRIBUTE",
        help="no value of it on both sides (default: group, where there are groups; none)",
    )
    parser.add_argument("--skip-small", action="store_true", help="leave out classes with too few images")


def _add_what(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", help="omniglot/lake/novel, glyphs, folder:PATH, array:FILE, path.py:name ...")
    _add_part(parser)


def _add_part(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--split",
        help="a split of the source: random, random-7, FILE.json or .csv with class lists, path.py:name; lake+6 holds "
        "out 6 images a base class",
    )
    parser.add_argument("--part", help="base, base_heldout, val or novel (default novel)")
    parser.add_argument("--recipe", help="preprocessing by name, or a number of pixels; see 'fairshot ls recipes'")
    parser.add_argument(
        "--groups", metavar="PATTERN", help="folder: what in a file's name tells which images belong together"
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="folder: leave out files that cannot be read; the result names them"
    )


def _add_common(parser: argparse.ArgumentParser, out: str | None = None) -> None:
    parser.add_argument(
        "--backend",
        choices=["auto", "serial", "threads", "local"],
        default="auto",
        help="how work is shared (default: what pays)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=out and Path(out),
        metavar="DIR",
        help="keep the results there; the same command resumes",
    )
    parser.add_argument("--json", action="store_true", help="print the result for machines")


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _count(text: str) -> int:
    try:
        return int(text.replace("_", ""))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from error


def _counts(text: str) -> list[int]:
    if not _words(text):
        raise argparse.ArgumentTypeError(f"'{text}' holds no number")
    return [_count(word) for word in _words(text)]
