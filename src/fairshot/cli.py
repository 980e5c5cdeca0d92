"""The command line: arguments to calls, no logic. Heavy modules are imported by the command that needs them."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import fairshot
from fairshot.runtime.errors import FairshotError, unknown

MOST_SEQUENTIAL = 100_000  # episodes, where they go on until an interval is narrow enough
KINDS = ("sources", "splits", "recipes", "tasks", "learners", "metrics", "checks", "studies")

GLYPHS = "glyphs:alphabets=10,characters=10/parents/novel"  # small, and with other parts to look into


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Raises instead of printing a page of usage."""
        raise FairshotError(f"{message}; see '{self.prog} --help'")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; bad input gives one line and exit code 2."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        first = next((word for word in arguments if not word.startswith("-")), None)
        parser = make_parser()
        if first is not None and first not in COMMANDS:
            raise unknown("command", first, COMMANDS)
        parsed = parser.parse_args(arguments)
        if parsed.command is None:
            parser.print_help()
            return 0
        return COMMANDS[parsed.command](parsed) or 0
    except FairshotError as error:
        print(f"fairshot: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("fairshot: interrupted; with --out the same command goes on where it stopped", file=sys.stderr)
        return 130


def make_parser() -> Parser:
    """All commands and options."""
    parser = Parser(prog="fairshot", description=fairshot.__doc__)
    parser.add_argument("--version", action="version", version=f"fairshot {fairshot.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    demo = commands.add_parser("demo", help="the main job on the embedded glyphs")
    _add_common(demo, out="fairshot-demo")
    demo.add_argument("--episodes", type=_count, default=1000, help="episodes a task (default 1000)")

    listing = commands.add_parser("ls", help="what there is: " + ", ".join(KINDS))
    listing.add_argument("kind", nargs="?", help="one of these kinds")

    _add_data(commands)
    _add_evaluate(commands)
    _add_diagnose(commands)

    compare = commands.add_parser(
        "compare", help="learners on the same episodes: paired differences, intervals and p values"
    )
    compare.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="what evaluate --out made")
    compare.add_argument("--pairs", action="store_true", help="every pair in full, however many learners there are")
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
    evaluate.add_argument("--metric", default="accuracy", help="see 'fairshot ls metrics' (default accuracy)")
    evaluate.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the score against --shot 1,2,5,...")
    _add_common(evaluate)


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


def _add_episodes(parser: argparse.ArgumentParser) -> None:
    """Who answers what: learners, tasks and episodes."""
    parser.add_argument(
        "--learner", nargs="+", default=["prototypes"], metavar="L",
        help="NAME, NAME:setting=value, path.py:name, NAME@path.py:encoder (default prototypes)",
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


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help="leaks: does the truth reach the answers in a way it should not?")
    check.add_argument("learner", help="NAME, NAME:setting=value, path.py:name, NAME@path.py:encoder")
    check.add_argument(
        "--on", dest="what", metavar="WHAT", help="omniglot/lake/novel, folder:PATH ... (default: a few glyphs)"
    )
    _add_part(check)
    check.add_argument("--task", default="uniform", metavar="T", help="see 'fairshot ls tasks' (default uniform)")
    for name, default, text in (
        ("way", 5, "classes"),
        ("shot", 2, "support images a class in"),
        ("query", 3, "queries a class in"),
    ):
        check.add_argument(
            f"--{name}", type=_count, default=default, metavar="N", help=f"{text} an episode (default {default})"
        )
    check.add_argument("--episodes", type=_count, default=12, metavar="N", help="episodes to answer (default 12)")
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
    parser.add_argument("what", help="omniglot/lake/novel, glyphs, folder:PATH, array:FILE.npz ...")
    _add_part(parser)


def _add_part(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--split", help="a split of the source: random, random-7; lake+6 holds out 6 images a base class"
    )
    parser.add_argument("--part", help="base, base_heldout, val or novel (default novel)")
    parser.add_argument("--recipe", help="preprocessing by name, or a number of pixels; see 'fairshot ls recipes'")
    parser.add_argument(
        "--groups", metavar="PATTERN", help="folder: what in a file's name tells which images belong together"
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


def _what(arguments: argparse.Namespace) -> Any:
    from fairshot.resolve import find_part

    return find_part(
        arguments.what, split=arguments.split, part=arguments.part, recipe=arguments.recipe, groups=arguments.groups,
    )  # fmt: skip


def _show(result: Any, arguments: argparse.Namespace) -> None:
    from fairshot.reports.coverage import render_coverage
    from fairshot.reports.terminal import render_result

    if arguments.json:
        print(result.json_text())
        return
    if result.rows[0].metric == "coverage":
        render_coverage(result)
        return
    render_result(result)
    if arguments.out:
        print(f"Kept in {arguments.out}: result.json, episodes.csv, scores of every query and the episodes themselves.")
    if arguments.out and len({row.learner for row in result.rows}) > 1:
        print(f"Which differences would hold elsewhere: fairshot compare {arguments.out}")


def _command() -> list[str]:
    return ["fairshot", *sys.argv[1:]]


def _demo(arguments: argparse.Namespace) -> None:
    from fairshot.demo import demo
    from fairshot.reports.progress import progress_bar

    with progress_bar() as progress:
        result = demo(episodes=arguments.episodes, backend=arguments.backend, out=arguments.out, progress=progress)
    _show(result, arguments)


def _ls(arguments: argparse.Namespace) -> None:
    from fairshot.reports.listing import render_names

    if arguments.kind is not None and arguments.kind not in KINDS:
        raise unknown("kind", arguments.kind, KINDS)
    for kind in [arguments.kind] if arguments.kind else KINDS:
        render_names(kind)


def _data(arguments: argparse.Namespace) -> None:
    from fairshot.reports.listing import fetch_with_progress, import_files, render_source

    if arguments.verb == "show":
        render_source(_what(arguments), arguments.sheet)
    elif arguments.verb == "get":
        fetch_with_progress(arguments.source)
    else:
        import_files(arguments.source, arguments.files)


def _episodes(arguments: argparse.Namespace) -> int:
    usual = 1000 if arguments.until_halfwidth is None else MOST_SEQUENTIAL
    return usual if arguments.episodes is None else arguments.episodes


def _evaluate(arguments: argparse.Namespace) -> None:
    from fairshot.evaluate import evaluate
    from fairshot.reports.curve import refuse_plot, write_svg
    from fairshot.reports.progress import progress_bar
    from fairshot.resolve import find_learner, find_metric, find_tasks

    learners = {spec: find_learner(spec) for spec in arguments.learner}
    metric = find_metric(arguments.metric)
    part = _what(arguments)
    tasks = find_tasks(part, vars(arguments))
    refuse_plot(arguments.plot, tasks)
    with progress_bar() as progress:
        result = evaluate(
            part,
            learners,
            tasks,
            episodes=_episodes(arguments),
            until=None if arguments.until_halfwidth is None else arguments.until_halfwidth / 100,
            runs=arguments.runs,
            seed=arguments.seed,
            metric=metric,
            backend=arguments.backend,
            out=arguments.out,
            stamp=lambda result: result.model_copy(update={"command": _command()}),
            progress=progress,
        )
    if arguments.plot:
        write_svg(result.shots, arguments.plot)
    _show(result, arguments)


def _diagnose(arguments: argparse.Namespace) -> None:
    from fairshot.diagnose import diagnose
    from fairshot.reports.diagnosis import diagnoses_json, render_diagnosis
    from fairshot.reports.progress import progress_bar
    from fairshot.resolve import find_learner, find_tasks

    learners = {spec: find_learner(spec) for spec in arguments.learner}
    part = _what(arguments)
    tasks = find_tasks(part, vars(arguments))
    counts = {"episodes": arguments.episodes, "searched": arguments.searched}
    with progress_bar() as progress:
        diagnoses = [
            diagnose(part, learner, task, name=name, seed=arguments.seed, progress=progress, **counts)
            for name, learner in learners.items()
            for task in tasks
        ]
    if arguments.json:
        print(diagnoses_json(diagnoses, part, seed=arguments.seed, command=_command()))
    else:
        render_diagnosis(diagnoses)


def _compare(arguments: argparse.Namespace) -> None:
    from fairshot.compare import compare
    from fairshot.reports.comparisons import comparisons_json, render_comparisons

    comparisons = compare(arguments.folders)
    if arguments.json:
        print(comparisons_json(comparisons, _command()))
    else:
        render_comparisons(comparisons, pairs=arguments.pairs)


def _check(arguments: argparse.Namespace) -> int:
    from rich.console import Console

    from fairshot.check import check
    from fairshot.reports.checks import findings_json, render_findings
    from fairshot.resolve import find_learner, find_part_and_split, find_tasks

    learner = find_learner(arguments.learner)
    if arguments.what is None and not arguments.split and not arguments.part:
        arguments.what, arguments.recipe = GLYPHS, arguments.recipe or "28"
    part, split = find_part_and_split(
        arguments.what or "glyphs", split=arguments.split, part=arguments.part, recipe=arguments.recipe,
        groups=arguments.groups,
    )  # fmt: skip
    options = vars(arguments)
    task = find_tasks(part, {**options, **{name: [options[name]] for name in ("task", "way", "shot")}})[0]
    with Console(stderr=True).status(f"{arguments.learner}: answering {task.label}") as status:
        findings = check(
            learner, part, task=task, split=split, episodes=arguments.episodes, seed=arguments.seed,
            progress=lambda name: status.update(f"{arguments.learner}: {name}"),
        )  # fmt: skip
    if arguments.json:
        source = {"name": part.name, "fingerprint": part.fingerprint}
        about = {"command": _command(), "seed": arguments.seed, "source": source, "learner": arguments.learner}
        print(findings_json(findings, {**about, "task": task.label, "episodes": arguments.episodes}))
    else:
        render_findings(findings, f"{arguments.learner} on {part.name}, {task.label}, {arguments.episodes} episodes")
    return int(any(finding.outcome == "leak" for finding in findings))


def _run(arguments: argparse.Namespace) -> None:
    from fairshot.reports.progress import progress_bar
    from fairshot.resolve import find_module
    from fairshot.studies.study import run_study

    study = find_module("studies", arguments.study).STUDY
    with progress_bar() as progress:
        result = run_study(
            study,
            limit=arguments.limit,
            backend=arguments.backend,
            out=arguments.out,
            command=_command(),
            progress=progress,
        )
    _show(result, arguments)


COMMANDS: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "demo": _demo,
    "ls": _ls,
    "data": _data,
    "evaluate": _evaluate,
    "diagnose": _diagnose,
    "compare": _compare,
    "check": _check,
    "run": _run,
}
