"""The command `data`: get, show, import and export data."""

import argparse
from pathlib import Path
from typing import Any

from fairshot.cli.options import (
    Parser,
    add_what,
)
from fairshot.cli.output import what

TEN = "meta_dataset"  # many sources under one name
CRITICS = "critics"  # files that are no source, and can be imported all the same


def add_options(commands: Any) -> None:
    """The options of the command."""
    data = commands.add_parser("data", help="get, show, import or export data")
    verbs = data.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    get = verbs.add_parser("get", help="fetch the official archives, checked against their sha256; resumes")
    get.add_argument("source", help="omniglot, cifar100")
    show = verbs.add_parser(
        "show", help="what a source or a part holds; 'meta-dataset': which of its ten sources are here"
    )
    add_what(show)
    show.add_argument(
        "--sheet", type=Path, metavar="FILE.png", help="write a contact sheet; of meta-dataset, examples of each source"
    )
    verify = verbs.add_parser("verify", help="compare the stored images of a source with the hashes noted beside them")
    add_what(verify)
    export = verbs.add_parser("export", help="write a split as lists of classes, for --split FILE")
    export.add_argument("split", help="omniglot/lake, folder:PATH (split at random) ...")
    export.add_argument("file", type=Path, help="FILE.json or FILE.csv")
    bring = verbs.add_parser("import", help="take official files that you have already, after checking them")
    bring.add_argument(
        "source",
        help="omniglot, cifar100, aircraft and the other sources of Meta-Dataset, or critics: those that the authors "
        "of 'score' released",
    )
    bring.add_argument("files", nargs="+", type=Path, help="archives, or a folder of Meta-Dataset's records")
    bring.add_argument("--link", action="store_true", help="link to large files instead of copying them")


def run(arguments: argparse.Namespace) -> None:
    """Calls the verb and prints what it gives."""
    from fairshot.reports.listing import (
        fetch_with_progress,
        import_files,
        render_meta_dataset,
        render_source,
        verify_source,
    )

    if getattr(arguments, "source", "") == CRITICS and arguments.verb in ("get", "import"):
        _take_critics(arguments)
    elif arguments.verb == "show" and arguments.what.replace("-", "_") == TEN:
        render_meta_dataset(arguments.sheet)
    elif arguments.verb == "show":
        render_source(what(arguments), arguments.sheet)
    elif arguments.verb == "verify":
        verify_source(what(arguments))
    elif arguments.verb == "get":
        fetch_with_progress(arguments.source)
    elif arguments.verb == "export":
        from fairshot.specs.data import find_split
        from fairshot.splits.files import export_split

        export_split(find_split(arguments.split), arguments.file)
        print(f"Saved to {arguments.file}.")
    else:
        import_files(arguments.source, arguments.files, link=arguments.link)


def _take_critics(arguments: argparse.Namespace) -> None:
    """Imports the critics that the authors of a paper released; they cannot be fetched."""
    from fairshot.scoring.published_critics import import_critics, refuse_fetch

    if arguments.verb == "get":
        refuse_fetch()
    for path in import_critics(arguments.files):
        print(f"{path}: sha256 as expected")
