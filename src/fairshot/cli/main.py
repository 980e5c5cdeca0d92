"""The command line: parsed arguments to calls, no logic. Heavy modules are imported by the command that needs them."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairshot.cli.options import KINDS, MOST_SEQUENTIAL, make_parser
from fairshot.runtime.errors import FairshotError, unknown


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; bad input gives one line and exit code 2."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # How long a waiting thread spins before it sleeps: at once, and training is a third slower; for long, and it is
    # far slower still where another program has the cores.
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "20000")
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
    except OSError as error:  # a full disk, a name that is too long
        if error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"fairshot: {error.filename or 'what was printed'} could not be used: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fairshot: interrupted; with --out the same command goes on where it stopped", file=sys.stderr)
        return 130


def _what(arguments: argparse.Namespace, learners: Sequence[Any] = ()) -> Any:
    from fairshot.specs.data import as_part

    asked = {name: getattr(arguments, name) for name in ("split", "part", "recipe", "groups", "skip_bad", "skip_bad")}
    return as_part(arguments.what, **asked, learners=learners)[0]


def _show_evaluation(evaluation: Any, arguments: argparse.Namespace) -> None:
    from fairshot.reports.charts.shot_curve import render_curves

    if arguments.json:
        print(evaluation.to_json())
        return
    print(evaluation, end="")
    render_curves(evaluation.shots)
    if not arguments.out:
        return
    print(f"Saved to {arguments.out}: result.json, episodes.csv, scores of every query and the episodes themselves.")
    if len(evaluation.learners) > 1:
        print(f"Which differences would hold elsewhere: fairshot compare {arguments.out}")


def _show(result: Any, arguments: argparse.Namespace, view: str = "tasks") -> None:
    from fairshot.reports.charts.coverage import render_coverage
    from fairshot.reports.facts import render_facts
    from fairshot.reports.sides import render_sides
    from fairshot.reports.terminal import render_result

    if arguments.json:
        print(result.json_text())
        return
    if view == "coverage":
        render_coverage(result)
        return
    {"tasks": render_result, "sides": render_sides, "facts": render_facts}[view](result)
    if not arguments.out:
        return
    print(f"Saved to {arguments.out}: study.json, and what it is made of.")


def _options(arguments: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in names}


def _tell(found: Any, arguments: argparse.Namespace) -> None:
    """Prints what a verb gave, for machines or for people."""
    from fairshot.reports.sections import show

    if arguments.json:
        print(found.to_json(_command()))
    else:
        show(found)


def _command() -> list[str]:
    return ["fairshot", *sys.argv[1:]]


def _demo(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.demo import demo
    from fairshot.reports.progress import progress_bar

    with progress_bar() as progress:
        found = demo(episodes=arguments.episodes, backend=arguments.backend, out=arguments.out, progress=progress)
    _show_evaluation(found, arguments)


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


def _train(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.train import judging, tensorboard, train
    from fairshot.learners.training.loop import Reports
    from fairshot.reports.progress import training_bar
    from fairshot.reports.training import record_json, render_training

    name = f"{arguments.learner}-{arguments.split}-{arguments.seed}"
    out = arguments.out or Path("runs") / "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    with training_bar(arguments.learner) as step:
        reports = Reports(step, note=lambda note: print(f"Note: {note}.", file=sys.stderr))
        reports = replace(reports, epoch=tensorboard(out)) if arguments.tensorboard else reports
        fitted = train(
            arguments.learner, arguments.split, preset=arguments.preset, changes=arguments.changes,
            recipe=arguments.recipe, seed=arguments.seed, out=out, reports=reports,
        )  # fmt: skip
    if arguments.json:
        print(record_json(fitted.record, out, _command()))
    else:
        render_training(fitted.record, out, judging(fitted, arguments.split, out))


def _episodes(arguments: argparse.Namespace) -> int:
    usual = 1000 if arguments.until_halfwidth is None else MOST_SEQUENTIAL
    return usual if arguments.episodes is None else arguments.episodes


def _evaluate(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.evaluate import evaluate
    from fairshot.reports.charts.shot_curve import refuse_plot, write_svg
    from fairshot.reports.progress import progress_bar
    from fairshot.specs.learners import as_learners
    from fairshot.specs.metrics import find_metric
    from fairshot.specs.tasks import find_tasks

    learners = as_learners(arguments.learner)
    metric = find_metric(arguments.metric)
    part = _what(arguments, list(learners.values()))
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
            learner_seeds=arguments.learner_seeds,
            seed=arguments.seed,
            metric=metric,
            allow_seen=arguments.allow_seen,
            backend=arguments.backend,
            out=arguments.out,
            command=_command(),
            progress=progress,
        )
    if arguments.plot:
        write_svg(result.shots, arguments.plot)
    _show_evaluation(result, arguments)


def _cscc(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.consistency import Pair, cscc, reference_of
    from fairshot.reports.progress import progress_bar
    from fairshot.specs.learners import as_learners
    from fairshot.specs.tasks import find_tasks

    against = arguments.against or [reference_of(spec) for spec in arguments.learner]
    if len(against) not in (1, len(arguments.learner)):
        raise FairshotError(
            f"{len(against)} learners stand --against {len(arguments.learner)} clusterers: give one, or one for each"
        )
    against = against * len(arguments.learner) if len(against) == 1 else against
    pairs = [Pair(*names) for names in zip(arguments.learner, against, strict=True)]
    learners = as_learners([*arguments.learner, *against])
    part = _what(arguments, list(learners.values()))
    with progress_bar() as progress:
        result = cscc(
            part, learners, pairs, find_tasks(part, vars(arguments)), episodes=arguments.episodes, seed=arguments.seed,
            allow_seen=arguments.allow_seen, backend=arguments.backend, out=arguments.out, command=_command(),
            progress=progress,
        )  # fmt: skip
    _show_evaluation(result, arguments)


def _audit(arguments: argparse.Namespace) -> None:
    from fairshot.audits.audit import audit
    from fairshot.reports.progress import progress_bar

    asked = (
        "split",
        "part",
        "recipe",
        "groups",
        "skip_bad",
        "learner",
        "way",
        "shot",
        "query",
        "episodes",
        "seed",
        "allow_seen",
    )
    with progress_bar() as progress:
        found = audit(arguments.what, **_options(arguments, asked), progress=progress)
    _tell(found, arguments)


def _diagnose(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.diagnose import Effort, diagnose_all
    from fairshot.reports.progress import progress_bar
    from fairshot.specs.tasks import Shape

    shape = ("way", "shot", "query", "disjoint", "skip_small", "dirichlet", "unknown")
    with progress_bar() as progress:
        found = diagnose_all(
            arguments.what,
            arguments.learner,
            arguments.task,
            shape=Shape(**_options(arguments, shape)),
            effort=Effort(**_options(arguments, ("episodes", "searched", "seed", "allow_seen"))),
            **_options(arguments, ("split", "part", "recipe", "groups", "skip_bad")),
            progress=progress,
        )
    _tell(found, arguments)


def _predict(arguments: argparse.Namespace) -> None:
    from fairshot.prediction.predict import predict
    from fairshot.reports.predictions import refuse_path
    from fairshot.reports.progress import progress_bar

    refuse_path(arguments.out)
    asked = ("support", "learner", "recipe", "invert", "unknown", "least")
    with progress_bar("images") as progress:
        found = predict(arguments.images, **_options(arguments, asked), progress=progress)
    if arguments.out:
        found.save(arguments.out)
    _tell(found, arguments)


def _score(arguments: argparse.Namespace) -> None:
    from fairshot.reports.pictures import refuse_pictures, write_pictures
    from fairshot.reports.progress import progress_bar
    from fairshot.reports.scores import render_scores
    from fairshot.scoring.protocol import Judging
    from fairshot.scoring.score import judge_samples, show, tell
    from fairshot.sources.images.sample_files import refuse_file, save_samples

    refuse_pictures(arguments.pictures)
    refuse_file(arguments.save_exemplars, arguments.samples)
    asked = ("way", "times", "recogniser", "exemplar_asks", "neighbours", "seed")
    how = {name: getattr(arguments, name) for name in asked}
    options = {name: getattr(arguments, name) for name in ("on", "count", "exemplars", "ink", "allow_seen")}
    with progress_bar("done") as progress:
        judged = judge_samples(
            arguments.samples, arguments.critic, judging=Judging(**how), progress=progress, **options
        )
        found = tell(judged)
    if arguments.json:
        print(found.model_copy(update={"command": _command()}).json_text())
    else:
        render_scores(found)
    where = sys.stderr if arguments.json else sys.stdout
    if arguments.pictures:
        with progress_bar("done") as progress:
            progress("drawing", 0, len(found.sets), float("nan"))
            written = write_pictures(found, show(judged), arguments.pictures)
        print(f"Pictures in {arguments.pictures}: {', '.join(path.name for path in written)}.", file=where)
    if arguments.save_exemplars:
        names, exemplars = judged.exemplars
        save_samples(exemplars, names, arguments.save_exemplars)
        print(f"The exemplars of {len(names)} classes are in {arguments.save_exemplars}.", file=where)


def _compare(arguments: argparse.Namespace) -> None:
    from fairshot.evaluation.compare import compare
    from fairshot.reports.comparisons import comparison_tables
    from fairshot.tables.render import to_text

    comparisons = compare(arguments.folders)
    if arguments.json:
        print(comparisons.to_json(_command()))
        return
    tables = comparison_tables(comparisons, pairs=arguments.pairs, classes=arguments.classes)
    print(to_text(tables, summary=comparisons.summary()), end="")


def _check(arguments: argparse.Namespace) -> int:
    from rich.console import Console

    from fairshot.checks.checklist import check

    asked = ("task", "way", "shot", "query", "disjoint", "skip_small", "split", "part", "recipe", "groups", "skip_bad")
    options = _options(arguments, (*asked, "episodes", "seed"))
    with Console(stderr=True, emoji=False).status(f"{arguments.learner}: answering {arguments.task}") as status:
        found = check(
            arguments.learner,
            arguments.what,
            **options,
            progress=lambda name: status.update(f"{arguments.learner}: {name}"),
        )
    _tell(found, arguments)
    return int(not found.passed)


def _run(arguments: argparse.Namespace) -> None:
    from fairshot.reports.progress import progress_bar
    from fairshot.specs.registry import find_module
    from fairshot.studies.study import run_study

    study = find_module("studies", arguments.study).STUDY
    with progress_bar("done") as progress:
        result = run_study(
            study,
            limit=arguments.limit,
            backend=arguments.backend,
            out=arguments.out,
            command=_command(),
            progress=progress,
        )
    _show(result, arguments, study.view)


COMMANDS: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "demo": _demo,
    "ls": _ls,
    "data": _data,
    "train": _train,
    "evaluate": _evaluate,
    "cscc": _cscc,
    "audit": _audit,
    "diagnose": _diagnose,
    "predict": _predict,
    "score": _score,
    "compare": _compare,
    "check": _check,
    "run": _run,
}
